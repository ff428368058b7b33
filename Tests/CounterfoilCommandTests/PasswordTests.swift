import Foundation
import Testing

@Suite("Passwords in documents")
struct PasswordTests {
    private static let secret = "5ec7e7ab1ade0000"

    /// A JWS that nobody signed.
    private static func jws(_ payload: String) -> String {
        let segments = [#"{"alg":"ES256"}"#, payload, "signature"].map { text in
            Data(text.utf8).base64EncodedString().replacing("=", with: "")
                .replacing("+", with: "-").replacing("/", with: "_")
        }
        return segments.joined(separator: ".")
    }

    private static let member = #""password":"\#(secret)""#
    private static let transaction = jws(#"{"transactionId":"1","more":[{\#(member)}],\#(member)}"#)

    private static let documents = [
        #"{\#(member),"signedTransactionInfo":"x"}"#,
        #"{"data":[[{"more":{\#(member)}}],{\#(member)}],"signedTransactions":["x"]}"#,
        #"{"password":{"password":["\#(secret)"]},"signedTransactionInfo":"x"}"#,
        #"{"notification_type":"DID_RENEW",\#(member)}"#,
        #"{"notification_type":"DID_RENEW","unified_receipt":{\#(member),"status":0}}"#,
        #"{"notification_type":"DID_RENEW","latest_receipt_info":{\#(member),"bid":"a.b"}}"#,
        #"{"notification_type":"DID_RENEW","unified_receipt":{"latest_receipt_info":[{\#(member)}]}}"#,
        #"{"notification_type":"DID_RENEW","unified_receipt":{"pending_renewal_info":[{\#(member)}]}}"#,
        #"{"notification_type":"DID_RENEW","password":["\#(secret)"]}"#,
        transaction,
        #"{"signedTransactionInfo":"\#(transaction)"}"#,
        jws(
            #"{"notificationType":"TEST","data":{\#(member),"signedTransactionInfo":"\#(transaction)"}}"#
        ),
    ]

    @Test("They are never shown, wherever they stand", arguments: documents)
    func hidden(document: String) throws {
        for arguments in [
            ["inspect"], ["inspect", "--format", "json"],
            ["inspect", "--format", "verify-receipt"],
            ["verify", "-"], ["verify", "--batch", "-"],
        ] {
            let outcome = try Tool.run(arguments, input: Array(document.utf8))
            #expect(outcome.exitCode == 1)
            #expect(!outcome.output.contains(Self.secret), "\(arguments)")
            #expect(!outcome.error.contains(Self.secret), "\(arguments)")
        }
    }

    @Test("What stands beside them is shown")
    func beside() throws {
        let text = #"{"more":{"a":1,\#(Self.member)},"signedTransactionInfo":"x"}"#
        let json = try JSONText(
            Tool.run(["inspect", "--format", "json"], input: Array(text.utf8)).output
        )
        #expect(json["answer", "more"] as? NSDictionary == ["a": 1])
        #expect(json.text("answer", "signedTransactionInfo") == "x")
    }
}
