import CounterfoilTestSupport
import Foundation
import Testing

@Suite("docs/RELAY.md")
struct RelayDocumentTests {
    @Test("Its commands do what it says, beside a server of its configuration")
    func commands() throws {
        let folder = try Folder()
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let configuration = try #require(CodeBlocks.of("json", in: "docs/RELAY.md").last)
        let file = try folder.write("counterfoil.json", Array(configuration.utf8))
        let commands = try #require(CodeBlocks.of("sh", in: "docs/RELAY.md").first)
            .split(separator: "\n").map(String.init)
        #expect(commands.count == 4)
        func run(_ command: String) throws -> String {
            let outcome = try Shell.run(command, in: folder.path, environment: ["PATH": path])
            #expect(outcome.exitCode == 0, "\(command): \(outcome.error)")
            return outcome.output
        }
        for command in commands.prefix(2) { _ = try run(command) }
        let server = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        let answers = try commands.dropFirst(2).map { command in
            try run(command.replacing("http://127.0.0.1:8080", with: server.url))
        }
        #expect(
            answers[0] == "receipt.b64: the same: Apple 0 (production), ours 0 (production)\n"
        )
        let verdict = try JSONText(answers[1])
        #expect(verdict.text("verdict") == "verified")
        #expect(verdict["apple", "status"] as? Int == 0)
    }

    @Test("Its first configuration is one")
    func configuration() throws {
        let folder = try Folder()
        let text = try #require(CodeBlocks.of("json", in: "docs/RELAY.md").first)
        let file = try folder.write("counterfoil.json", Array(text.utf8))
        let server = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        #expect(server.isRunning)
    }
}
