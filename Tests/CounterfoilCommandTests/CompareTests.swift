import AppStoreSimulator
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import HTTPTestSupport
import Testing
import VerifyReceiptTestSupport

@Suite("counterfoil compare, and verify --ask-apple")
struct CompareTests {
    private let folder: Folder
    private let receipt: String
    private let anchor: String

    init() throws {
        folder = try Folder()
        let store = try LocalAppStore.shared.get()
        let issued = try store.issuer.sign(ReceiptPayload(LocalAppStore.receipt()))
        receipt = try folder.write("receipt.der", issued)
        anchor = store.anchor
    }

    private func run(_ arguments: [String]) async throws -> Tool.Outcome {
        let trusted = arguments + ["--anchor", anchor]
        return try await blocking { try Tool.run(trusted) }
    }

    /// What this server's own answer to the receipt is.
    private func ours() throws -> String {
        let answer = try Tool.run([
            "inspect", "--format", "verify-receipt", "--anchor", anchor, receipt,
        ])
        #expect(answer.exitCode == 0, "\(answer.error)")
        return answer.output
    }

    @Test("The same answers, in either order of keys, are the same")
    func same() async throws {
        let ours = try ours()
        let script = AppleStandIn.giving(production: [.status(21007)], sandbox: [.text(ours)])
        try await AppleStandIn.with(script) { standIn, address in
            let outcome = try await run(["compare", "--apple-url", address, receipt])
            #expect(outcome.exitCode == 0, "\(outcome.error)")
            #expect(
                outcome.output == "\(receipt): the same: Apple 0 (sandbox), ours 0 (sandbox)\n"
            )
            #expect(standIn.paths == [AppleStandIn.production, AppleStandIn.sandbox])
        }
    }

    @Test("A field that differs has a row, and with --format json each place has its values")
    func different() async throws {
        let ours = try ours()
        let other = "\"status\":\"0\",\"new\":\"\\u001b[31m\""
        let text = ours.replacing("\"status\":0", with: other)
        #expect(text != ours)
        let script = AppleStandIn.giving(production: [.status(21007)], sandbox: [.text(text)])
        try await AppleStandIn.with(script) { _, address in
            let human = try await run(["compare", "--apple-url", address, receipt])
            #expect(human.exitCode == 1)
            #expect(human.lines[0].hasPrefix("\(receipt): different: Apple 0 (sandbox)"))
            #expect(human.output.contains(/\n  new +only Apple's +1 +"\\u001b\[31m" +–/))
            #expect(human.output.contains(/\n  status +another form +1 +"0" +0/))
            #expect(!human.output.contains("\u{1B}"))

            let json = try await run([
                "compare", "--apple-url", address, "--format", "json", receipt,
            ])
            #expect(json.exitCode == 1)
            let object = try JSONText(json.output)
            #expect(object.text("source") == receipt)
            #expect(object["apple", "status"] as? Int == 0)
            #expect(object.text("apple", "address") == "sandbox")
            #expect(object["ours", "status"] as? Int == 0)
            let differences = try #require(object["differences"] as? [[String: Any]])
            #expect(Set(differences.compactMap { $0["path"] as? String }) == ["status", "new"])
        }
    }

    @Test("The secret goes to Apple from its file, and nowhere else")
    func secret() async throws {
        let secret = try folder.write("secret.txt", Array("5ec7e7\n".utf8))
        try await AppleStandIn.with(AppleStandIn.giving(production: [.status(21004)])) {
            standIn,
            address in
            let outcome = try await run([
                "compare", "--apple-url", address, "--shared-secret-file", secret, receipt,
            ])
            #expect(outcome.exitCode == 1)
            #expect(standIn.questions.first?.body["password"] == "5ec7e7")
            #expect(!(outcome.output + outcome.error).contains("5ec7e7"))
        }
    }

    @Test("What cannot be compared is said so, with its code, and ends with 2")
    func failures() async throws {
        let jws = try folder.write("x.jws", Array("a.b.c".utf8))
        try await AppleStandIn.with(AppleStandIn.giving(production: [.http(404)])) { _, address in
            let call = ["compare", "--apple-url", address]
            let outcome = try await run(call + [receipt, jws, folder.path + "/none"])
            #expect(outcome.exitCode == 2)
            #expect(outcome.lines[0].hasPrefix("\(receipt): not compared: apple.http_status: "))
            #expect(outcome.lines[1].hasPrefix("\(jws): not compared: "))
            #expect(outcome.lines[2].contains("none: not compared: "))
            let json = try await run(call + ["--format", "json", receipt])
            #expect(try JSONText(json.output).text("apple", "code") == "apple.http_status")
        }
        // Apple itself is not asked about a local App Store's receipts.
        let outcome = try await run(["compare", receipt])
        #expect(outcome.exitCode == 2)
        #expect(outcome.output.contains("Apple knows nothing of a local App Store's receipts"))
    }

    @Test("verify --ask-apple shows Apple's status beside the verdict, and changes no verdict")
    func verify() async throws {
        let script = AppleStandIn.giving(production: [.status(21003), .html, .html, .html])
        try await AppleStandIn.with(script) { _, address in
            let call = ["verify", "--ask-apple", "--apple-url", address, receipt]
            let no = try await run(call)
            #expect(no.exitCode == 0)
            let verdict = try JSONText(no.output)
            #expect(verdict.text("verdict") == "verified")
            #expect(verdict["apple", "status"] as? Int == 21003)
            #expect(verdict.text("apple", "address") == "production")
            let silent = try JSONText(try await run(call).output)
            #expect(silent["apple", "status"] == nil)
            #expect(silent.text("apple", "code") == "apple.not_json")
        }
        let own = try JSONText(try await run(["verify", "--ask-apple", receipt]).output)
        #expect(own.object.keys.contains("apple") && own["apple"] == nil)
        #expect(try await run(["verify", "--ask-apple", "--batch", receipt]).exitCode == 64)
        #expect(
            try await run(["verify", "--apple-url", "http://127.0.0.1:1", receipt]).exitCode == 64
        )
    }
}
