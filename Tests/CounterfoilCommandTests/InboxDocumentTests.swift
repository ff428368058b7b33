import CounterfoilTestSupport
import Foundation
import Testing

@Suite("docs/INBOX.md")
struct InboxDocumentTests {
    @Test("Its configuration is read, and its commands show what waits and judge it again")
    func commands() throws {
        let folder = try Folder()
        try folder.write("counterfoil.json", CodeBlocks.of("json", in: "docs/INBOX.md")[0])
        let tools = Tool.binary.deletingLastPathComponent().path
        let environment = [
            "PATH": "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            "APP_SHARED_SECRET": "0123456789abcdef0123456789abcdef",
        ]
        // What is refused is not learned, and the database is there.
        try folder.write("nothing", "nothing")
        let learned = try Shell.run(
            "counterfoil ledger learn --config counterfoil.json nothing",
            in: folder.path,
            environment: environment
        )
        #expect(learned.exitCode == 1, "\(learned.error)")
        let commands = try CodeBlocks.of("sh", in: "docs/INBOX.md")[0].split(separator: "\n")
        var shown: [String] = []
        for command in commands {
            let outcome = try Shell.run(
                String(command),
                in: folder.path,
                environment: environment
            )
            #expect(outcome.exitCode == 0, "\(command): \(outcome.error)")
            shown.append(outcome.output)
        }
        #expect(shown == ["Nothing waits.\n", "0 taken in, 0 still wait, 0 refused.\n"])
        // A secret that is not there is an error that names it.
        let bare = try Shell.run(
            String(commands[1]),
            in: folder.path,
            environment: ["PATH": environment["PATH"] ?? ""]
        )
        #expect(bare.exitCode != 0 && bare.error.contains("APP_SHARED_SECRET"), "\(bare.error)")
    }
}
