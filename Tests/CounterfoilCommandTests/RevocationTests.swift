import CounterfoilTestSupport
import Foundation
import RevocationTestSupport
import Testing

@Suite("docs/REVOCATION.md", .enabled(if: OpenSSLResponder.isPresent))
struct RevocationDocumentTests {
    private let folder: Folder
    private let environment: [String: String]
    private let responderPort: UInt16

    init() throws {
        folder = try Folder()
        responderPort = try OpenSSLResponder.freePort()
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        environment = ["PATH": "\(tools):\(path)"]
    }

    /// Runs what the document says; its last command, the responder, is left running at a free port.
    private func runDocument() throws -> Process {
        let script = try CodeBlocks.of("sh", in: "docs/REVOCATION.md").joined()
            .replacingOccurrences(of: ":8888", with: ":\(responderPort)")
            .replacingOccurrences(of: "-port 8888", with: "-port \(responderPort)")
        let last = try #require(script.range(of: "openssl ocsp"))
        let outcome = try Shell.run(
            String(script[..<last.lowerBound]),
            in: folder.path,
            environment: environment
        )
        #expect(outcome.exitCode == 0, "\(outcome.error)\(outcome.output)")
        let responder = Process()
        responder.executableURL = URL(fileURLWithPath: "/bin/bash")
        responder.arguments = ["-c", "exec \(script[last.lowerBound...])"]
        responder.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        responder.standardInput = FileHandle.nullDevice
        responder.standardOutput = try folder.handle("words")
        responder.standardError = responder.standardOutput
        try responder.run()
        for _ in 0..<500 where try !folder.text("words").contains("waiting") { usleep(20_000) }
        return responder
    }

    @Test("A served local App Store whose signer is good, by the document's own commands")
    func commands() throws {
        let responder = try runDocument()
        defer { kill(responder.processIdentifier, SIGKILL) }
        let configuration = try CodeBlocks.of("json", in: "docs/REVOCATION.md").joined()
        let file = try folder.write("counterfoil.json", Array(configuration.utf8))
        let server = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        let issue =
            "counterfoil issue receipt --authority ca"
            + #" '{"environment": "Production"}' > receipt.b64"#
        #expect(try Shell.run(issue, in: folder.path, environment: environment).exitCode == 0)
        let post =
            #"printf '{"receipt-data":"%s"}' "$(cat receipt.b64)""#
            + " | curl -s --data-binary @- \(server.url)/verifyReceipt"
        var statuses: [Int] = []
        for _ in 0..<300 where statuses.last != 0 {
            let answer = try JSONText(Shell.run(post, in: folder.path).output)
            statuses.append(answer["status"] as? Int ?? -1)
            usleep(50_000)
        }
        #expect(statuses.first == 21009)
        #expect(statuses.last == 0)
        #expect(server.error.contains("\"event\":\"revocation.good\""))
        server.send(SIGTERM)
        #expect(server.exitCode() == 0)
    }
}
