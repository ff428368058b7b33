package import CounterfoilBasics
import CounterfoilJSON

/// What verifyReceipt is asked (Apple, "requestBody").
package struct VerifyReceiptQuestion: Sendable {
    /// The receipt's own bytes, freed of all transport encodings.
    package let receipt: [UInt8]
    /// `password`: the shared secret.
    package let password: Redacted<String>?
    /// `exclude-old-transactions`.
    package let excludesOldTransactions: Bool

    /// Makes a question.
    package init(
        about receipt: [UInt8],
        password: Redacted<String>? = nil,
        excludingOldTransactions: Bool = false
    ) {
        self.receipt = receipt
        self.password = password
        excludesOldTransactions = excludingOldTransactions
    }

    /// The body of the request; it holds the secret.
    var body: [UInt8] {
        var writer = JSONWriter(capacity: 256 + Base64.length(forBytes: receipt.count))
        writer.object { writer in
            writer.key("receipt-data")
            writer.string(base64Of: receipt.span)
            writer.member("password", password?.secret)
            if excludesOldTransactions { writer.member("exclude-old-transactions", true) }
        }
        return writer.finish()
    }
}
