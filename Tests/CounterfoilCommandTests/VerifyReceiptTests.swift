import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "counterfoil inspect --format verify-receipt",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct VerifyReceiptTests {
    private func ask(_ words: [String], input: [UInt8] = []) throws -> Tool.Outcome {
        try Tool.run(["inspect", "--format", "verify-receipt"] + words, input: input)
    }

    @Test("A production receipt is answered as by Apple, at the instant given")
    func production() throws {
        let outcome = try ask([Sample.production, "--at", "2026-03-01T12:00:00.250Z"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.error.isEmpty)
        let answer = try JSONText(outcome.output)
        #expect(answer["status"] as? Int == 0)
        #expect(answer["environment"] as? String == "Production")
        #expect(answer["receipt", "bundle_id"] as? String == "org.getpure.pure-iphone")
        #expect(answer["receipt", "request_date_ms"] as? String == "1772366400250")
        #expect((answer["latest_receipt_info"] as? [Any])?.count == 4)
    }

    @Test("A sandbox receipt is answered by the sandbox address, and that is said apart")
    func sandbox() throws {
        let outcome = try ask([Sample.sandbox])
        #expect(outcome.exitCode == 0)
        #expect(try JSONText(outcome.output)["environment"] as? String == "Sandbox")
        #expect(outcome.error == "note: this is the answer of the sandbox address\n")
    }

    @Test("A signed transaction is answered as a receipt, and other signed data refused")
    func signedData() throws {
        let transaction = Corpus.names(in: "transactions", ending: ".jws")[0]
        let outcome = try ask([Sample.path(transaction)])
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(try JSONText(outcome.output)["environment"] as? String == "Sandbox")
        for file in [
            "notifications-v2/apple-TEST-a38d51.jws",
            "server-api/transactionHistoryResponse-aporat.json",
            "notifications-v1/INITIAL_BUY-PROD-educreations-ac39ed.json",
        ] {
            let outcome = try ask([Sample.path(file)])
            #expect(outcome.exitCode == 1)
            #expect(try JSONText(outcome.output)["status"] as? Int == 21002, "\(file)")
        }
    }

    @Test("A refusal is Apple's number, with our reason apart")
    func refusals() throws {
        let expected: [([String], [UInt8], Int, Int32)] = [
            ([Sample.foreign], [], 21003, 1), ([Sample.truncated], [], 21002, 1),
            ([], Array("nothing".utf8), 21002, 1),
            ([Sample.production, "--at", "2020-01-01"], [], 21009, 2),
            ([Sample.production, "--bundle-id", "com.other"], [], 21010, 1),
        ]
        for (words, input, status, exitCode) in expected {
            let outcome = try ask(words, input: input)
            #expect(try JSONText(outcome.output)["status"] as? Int == status, "\(words)")
            #expect(outcome.exitCode == exitCode, "\(words)")
            #expect(outcome.error.hasPrefix("note: "), "\(words)")
        }
    }

    @Test("An expired iOS 6 receipt is an answer: 21006 with the receipt in it")
    func transactionReceipt() throws {
        let name = "transaction-receipts-ios6/sandbox-uk-co-guardian-iphone2-sub-v3-1a19b3.b64"
        let outcome = try ask([Sample.path(name)])
        #expect(outcome.exitCode == 0)
        let answer = try JSONText(outcome.output)
        #expect(answer["status"] as? Int == 21006)
        #expect(answer["receipt", "product_id"] as? String == "uk.co.guardian.gla.1month")
    }

    @Test("Documents of other realms are answered under their own certificates")
    func realms() throws {
        let xcode = try ask([Sample.ofXcode, "--pinned-certificate", Sample.certificateOfXcode])
        #expect(xcode.exitCode == 0)
        let store = try LocalAppStore.shared.get()
        let receipt = try store.issuer.sign(ReceiptPayload(LocalAppStore.receipt()))
        let rehearsal = try ask(
            ["--anchor", store.anchor, "--at", "2024-06-01T12:00:00Z"],
            input: receipt
        )
        #expect(rehearsal.exitCode == 0)
        let early = try ask(["--anchor", store.anchor, "--at", "2001-01-01"], input: receipt)
        #expect(early.exitCode == 2)
        #expect(try JSONText(early.output)["status"] as? Int == 21009)
        #expect(
            try JSONText(rehearsal.output)["receipt", "bundle_id"] as? String == "com.example.app"
        )
    }
}
