import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("README.md")
struct ReadmeTests {
    /// Whether the reader's receipt is one that Apple signed; else nobody here believes it.
    private static let isGenuine = Corpus.isPresent

    /// A folder as a reader's: a receipt in it, and a folder of receipts.
    private static func reader() throws -> Folder {
        let folder = try Folder()
        let store = try LocalAppStore.shared.get()
        let issued = try store.issuer.sign(ReceiptPayload(LocalAppStore.receipt()))
        let receipt =
            isGenuine
            ? try Data(contentsOf: URL(fileURLWithPath: Sample.production))
            : Data(issued).base64EncodedData()
        try folder.write("receipt.b64", [UInt8](receipt))
        try folder.write("receipts/one.der", issued)
        try folder.write("receipts.ndjson", [UInt8](Data(issued).base64EncodedData()))
        try folder.write("rehearsal.json", CodeBlocks.of("json", in: "README.md")[0])
        return folder
    }

    @Test("Every command of it does what it says")
    func commands() throws {
        let server = try RunningTool(["serve", "--listen", "127.0.0.1:0"])
        let folder = try Self.reader()
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let commands = try CodeBlocks.of("sh", in: "README.md").flatMap {
            $0.split(separator: "\n").map(String.init)
        }
        #expect(commands.count >= 8)
        for command in commands {
            switch command.split(separator: " ").first {
            case "make":
                // What it would do; doing it here would build and test within a test.
                let plan = try Shell.run("make --dry-run \(command.dropFirst(5))")
                #expect(plan.exitCode == 0, "\(command)")
                #expect(plan.output.contains(command == "make run" ? " demo" : "swift test"))
            case "printf" where command.contains("curl"):
                let there = command.replacingOccurrences(
                    of: "http://127.0.0.1:8080",
                    with: server.url
                )
                let outcome = try Shell.run(there, in: folder.path)
                let status = try JSONText(outcome.output)["status"] as? Int
                #expect(status == (Self.isGenuine ? 0 : 21003), "\(command)")
            case "counterfoil" where command == "counterfoil serve":
                let usual = try Tool.run(["help", "serve"]).output
                #expect(usual.contains("127.0.0.1:8080"))
            case "counterfoil":
                let outcome = try Shell.run(command, in: folder.path, environment: ["PATH": path])
                let isVerified =
                    command.contains("issue") || command.contains("ledger")
                    || Self.isGenuine && command.hasSuffix("receipt.b64")
                #expect(outcome.exitCode == (isVerified ? 0 : 1), "\(command): \(outcome.error)")
                #expect(outcome.output.isEmpty == command.contains(" > "), "\(command)")
            default: Issue.record("nobody tries this: \(command)")
            }
        }
    }

    @Test("Every code that the tool gives hints for is one of the documented")
    func codes() throws {
        let documented = try text("docs/ERRORS.md")
        let files = ["counterfoil/Report/Hint.swift", "DocumentInspection/Check.swift"]
        let codes = try files.flatMap { file in
            try text("Sources/\(file)").matches(of: /"([a-z]+\.[a-z_]*[a-z])"/).map { $0.1 }
        }
        #expect(codes.count > 10)
        for code in codes { #expect(documented.contains("| `\(code)` |"), "\(code)") }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Tool.package.appendingPathComponent(path), encoding: .utf8)
    }
}
