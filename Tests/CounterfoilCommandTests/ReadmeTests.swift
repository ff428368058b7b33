import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("README.md", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct ReadmeTests {
    /// The lines of all blocks of shell.
    private static func commands() throws -> [String] {
        let file = Tool.package.appendingPathComponent("README.md")
        var isInBlock = false
        var commands: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("```") {
                isInBlock = line == "```sh"
            } else if isInBlock {
                commands.append(String(line))
            }
        }
        return commands
    }

    /// A folder as a reader's: a receipt in it, and a folder of receipts.
    private static func reader() throws -> Folder {
        let folder = try Folder()
        let receipt = try [UInt8](Data(contentsOf: URL(fileURLWithPath: Sample.production)))
        try folder.write("receipt.b64", receipt)
        let store = try LocalAppStore.shared.get()
        try folder.write(
            "receipts/one.der",
            store.issuer.sign(ReceiptPayload(LocalAppStore.receipt()))
        )
        return folder
    }

    @Test("Every command of it does what it says")
    func commands() throws {
        let server = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        let folder = try Self.reader()
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let commands = try Self.commands()
        #expect(commands.count >= 8)
        for command in commands {
            switch command.split(separator: " ").first {
            case "make":
                // What it would do; doing it here would build and test within a test.
                let plan = try Shell.run("make --dry-run \(command.dropFirst(5))")
                #expect(plan.exitCode == 0, "\(command)")
                #expect(plan.output.contains(command == "make run" ? " demo" : "swift test"))
            case "curl":
                let there = command.replacingOccurrences(
                    of: "http://127.0.0.1:8080",
                    with: server.url
                )
                let outcome = try Shell.run(there, in: folder.path)
                #expect(try JSONText(outcome.output)["status"] as? Int == 0, "\(command)")
            case "counterfoil" where command == "counterfoil serve":
                let usual = try Tool.run(["help", "serve"]).output
                #expect(usual.contains("127.0.0.1:8080"))
            case "counterfoil":
                let outcome = try Shell.run(command, in: folder.path, environment: ["PATH": path])
                // The folder holds a receipt that no one trusts here.
                let isFolder = command.hasSuffix("receipts/")
                #expect(outcome.exitCode == (isFolder ? 1 : 0), "\(command): \(outcome.error)")
                #expect(!outcome.output.isEmpty, "\(command)")
            default: Issue.record("nobody tries this: \(command)")
            }
        }
    }
}
