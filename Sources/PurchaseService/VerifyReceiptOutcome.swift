package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

/// An answer of verifyReceipt, with all that Apple's body has no place for.
package struct VerifyReceiptOutcome: Sendable {
    /// The answer in Apple's words.
    package var response: VerifyReceiptResponse
    /// Why the status is not 0; nil for an answer with a receipt.
    package var refusal: Refusal?
    /// Whose receipt it is, in which environment and realm; nil when it is not proved.
    package var scope: Scope?
    /// Whether the app is configured; nil when that was not asked, because the document was
    /// refused before or because no app is.
    package var appMatched: Bool?
    /// How many purchases the receipt lists; nil when it is not proved.
    package var purchases: Int?
    /// What is worth knowing of the receipt and refuses nothing.
    package var notes: [VerificationNote] = []
    /// Keys of the answer whose values are not in the receipt but inferred from it.
    package var inferred: [String] = []

    /// A refusal of any floor.
    package struct Refusal: Hashable, Sendable {
        /// Its stable code.
        package var code: ErrorCode
        /// One sentence.
        package var reason: String

        init(_ error: some CodedError) {
            code = error.code
            reason = error.reason
        }
    }

    /// The status of the answer.
    package var status: VerifyReceiptStatus { response.status }

    /// Whether the same request may be answered otherwise later.
    package var isWorthRepeating: Bool { status == .internalError }

    init(_ response: VerifyReceiptResponse) { self.response = response }

    /// An answer of a status alone.
    init(_ status: VerifyReceiptStatus, _ error: some CodedError) {
        response = VerifyReceiptResponse(status: status)
        refusal = Refusal(error)
    }
}

/// The same in words, for header fields, log lines and metrics.
extension VerifyReceiptOutcome {
    /// The body of the answer: Apple's JSON.
    package var json: [UInt8] { response.json }

    /// Apple's number of the status.
    package var statusNumber: Int { response.status.rawValue }

    /// The codes of ``notes``, each once, in their order.
    package var noteCodes: [String] {
        var codes: [String] = []
        for note in notes where !codes.contains(note.code.rawValue) {
            codes.append(note.code.rawValue)
        }
        return codes
    }
}
