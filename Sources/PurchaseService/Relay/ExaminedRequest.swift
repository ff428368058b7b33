package import AppStoreVerification
package import CounterfoilBasics

/// A request to verifyReceipt with our own answer to it, and what asking somebody else takes.
package struct ExaminedRequest: Sendable {
    /// The address that it came to.
    package let address: VerifyReceiptRequest.Address
    /// What we answer.
    package let outcome: VerifyReceiptOutcome
    /// The document; nil where there is none in the request.
    package let document: Document?
    /// The shared secret that came with it.
    package let password: Redacted<String>?
    /// `exclude-old-transactions`.
    package let excludesOldTransactions: Bool

    init(
        _ address: VerifyReceiptRequest.Address,
        _ outcome: VerifyReceiptOutcome,
        _ document: Document? = nil,
        password: Redacted<String>? = nil,
        excludingOldTransactions: Bool = false
    ) {
        self.address = address
        self.outcome = outcome
        self.document = document
        self.password = password
        excludesOldTransactions = excludingOldTransactions
    }
}
