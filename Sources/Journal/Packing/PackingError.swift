package import CounterfoilBasics

/// Why a document could not be packed, or does not come out of what was stored.
package struct PackingError: CodedError, Hashable {
    /// One of ``allCodes``.
    package let code: ErrorCode
    /// What was found, and where.
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension PackingError {
    /// The bytes are no packed document, or were changed since they were packed.
    package static let damaged: ErrorCode = "packing.damaged"
    /// A newer version of this program packed the document.
    package static let tooNew: ErrorCode = "packing.too_new"
    /// More bytes than ``PackedDocument/mostBytes``.
    package static let tooLarge: ErrorCode = "packing.too_large"
    /// Bytes that the document shares with others were not handed in.
    package static let missingShared: ErrorCode = "packing.missing_shared"
    /// No document of that digest comes out: the bytes were changed, or are another document's.
    package static let otherDigest: ErrorCode = "packing.other_digest"

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [
        damaged, tooNew, tooLarge, missingShared, otherDigest,
    ]

    static func damaged(_ reason: String) -> PackingError { PackingError(damaged, reason) }
}
