import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

/// Signed data and notifications, as the tool prints them and Foundation reads them.
@Suite("counterfoil issue transaction and its kin")
struct IssueSignedDataTests {
    private let bench: Workbench

    init() throws { bench = try Workbench.shared.get() }

    /// The line that was printed.
    private func line(_ words: [String], _ specification: String? = nil) throws -> String {
        try String(decoding: bench.document(words, specification).dropLast(), as: UTF8.self)
    }

    /// A segment of a JWS as the JSON that it is.
    private func segment(_ index: Int, of text: String) throws -> [String: Any] {
        let segments = text.split(separator: ".")
        try #require(segments.count == 3)
        let letters = segments[index].replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
        let data = try #require(Data(base64Encoded: letters + padding))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func payload(_ words: [String], _ specification: String? = nil) throws -> [String: Any]
    {
        try segment(1, of: line(words, specification))
    }

    @Test(
        "Without SPEC there is something sensible, signed under three certificates",
        arguments: [
            ("transaction", "transactionId"), ("renewal-info", "autoRenewStatus"),
            ("app-transaction", "receiptCreationDate"), ("notification", "notificationUUID"),
            ("realtime-request", "requestIdentifier"),
        ]
    )
    func sensible(kind: String, member: String) throws {
        let isPosted = ["notification", "realtime-request"].contains(kind)
        let text = try line([kind] + (isPosted ? ["--jws"] : []))
        let header = try segment(0, of: text)
        #expect(header["alg"] as? String == "ES256")
        #expect((header["x5c"] as? [String])?.count == 3)
        #expect(try segment(1, of: text)[member] != nil)
        guard isPosted else { return }
        let body = try JSONText(line([kind]))
        #expect(try segment(1, of: #require(body.text("signedPayload")))[member] != nil)
    }

    @Test("The same seed and present give the same header and payload")
    func repeatable() throws {
        func signed(_ seed: String) throws -> Substring {
            let text = try line(["transaction", "--seed", seed])
            return text[..<(text.lastIndex(of: ".") ?? text.endIndex)]
        }
        #expect(try signed("7") == signed("7"))
        #expect(try signed("7") != signed("8"))
    }

    @Test("Dates may be relative, unknown keys go in, and null leaves one out")
    func keys() throws {
        let payload = try payload(
            ["transaction"],
            #"{"purchaseDate": "-1d", "moon": {"phase": 1}, "price": null, "payload": {"type": 7}}"#
        )
        #expect(payload["purchaseDate"] as? Int == 1_780_315_200_000 - 86_400_000)
        #expect((payload["moon"] as? [String: Int]) == ["phase": 1])
        #expect(payload["price"] == nil)
        #expect(payload["type"] as? Int == 7)
    }

    @Test(
        "A slip of the pen is an error that names what was meant",
        arguments: [
            (
                "transaction", #"{"producId": "x"}"#,
                ["issue.unknown_key", "producId", "“productId”"]
            ),
            (
                "notification", #"{"data": {"bundelId": "x"}}"#,
                ["issue.unknown_key", "data.bundelId", "“bundleId”"]
            ),
            (
                "notification", #"{"transaction": {"expiresDate": "soon"}}"#,
                ["issue.invalid_value", "transaction.expiresDate", "“soon”", "RFC 3339"]
            ),
            (
                "transaction", #"{"price": "free"}"#,
                ["issue.invalid_value", "price", "integer", "“payload”"]
            ),
            ("notification", #"{"transaction": 7}"#, ["issue.invalid_value", "7 at transaction"]),
            ("app-transaction", #"{"payload": 7}"#, ["issue.invalid_value", "payload", "object"]),
            ("renewal-info", #"{"signer": "me"}"#, ["issue.invalid_value", "signer", "storeKit"]),
            (
                "transaction", #"{"flaw": "nestedOfOtherApp"}"#,
                ["issue.flaw_not_applicable", "with a transaction in it"]
            ),
        ]
    )
    func wrong(kind: String, text: String, words: [String]) throws {
        let outcome = try bench.issue([kind], text)
        #expect(outcome.exitCode == 2)
        #expect(outcome.output.isEmpty)
        for word in words { #expect(outcome.error.contains(word), "\(outcome.error)") }
    }

    @Test("A notification of version 1 has the secret and a receipt that openssl accepts")
    func version1() throws {
        let body = try JSONText(
            line(["notification", "--v1"], #"{"password": "s", "receipt": {"purchases": 3}}"#)
        )
        #expect(body.text("password") == "s")
        #expect(body.text("notification_type") == "INITIAL_BUY")
        #expect(body.text("unified_receipt", "environment") == "Sandbox")
        let receipt = try #require(body.text("unified_receipt", "latest_receipt"))
        let outcome = try OpenSSLReferee(bench.folder)
            .verify(Array(receipt.utf8), root: bench.authority + "/root.pem")
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(try bench.verify(Array(receipt.utf8))["purchases"] as? Int == 3)
    }

    @Test("Flags that say nothing of version 1 are refused with a hint")
    func version1Flags() throws {
        for words in [["--jws"], ["--flaw", "empty"]] {
            let outcome = try bench.issue(["notification", "--v1"] + words)
            #expect(outcome.exitCode == 64)
            #expect(outcome.error.contains("hint: spoil the receipt in it"))
        }
    }
}
