package import CounterfoilBasics

/// Why a key, or an operation with it, was refused.
package struct KeyError: CodedError, Hashable {
    /// What callers tell refusals apart by; one of ``allCodes``.
    package let code: ErrorCode

    /// What was found, what was expected and where.
    package let reason: String

    /// OpenSSL's own words, when it was OpenSSL that refused.
    package let details: String?

    init(_ code: ErrorCode, _ reason: String, details: String? = nil) {
        self.code = code
        self.reason = reason
        self.details = details
    }

    /// The key's encoding is not what RFC 5280 §4.1.2.7 asks for, or its numbers make no key.
    package static let malformed: ErrorCode = "chain.key_malformed"

    /// The key is of an algorithm or on a curve that no document of the App Store uses.
    package static let unsupported: ErrorCode = "chain.key_unsupported"

    /// The key's size or public exponent is outside the limits given.
    package static let outOfBounds: ErrorCode = "chain.key_out_of_bounds"

    /// The signature algorithm asked for is not one of this kind of key.
    package static let algorithmMismatch: ErrorCode = "chain.key_algorithm_mismatch"

    /// The text holds no readable, unencrypted private key.
    package static let privateKeyUnreadable: ErrorCode = "chain.key_private_unreadable"

    /// OpenSSL would not carry out the operation, which says nothing about any signature.
    package static let operationFailed: ErrorCode = "chain.key_operation_failed"

    /// Every code of this error.
    package static let allCodes: [ErrorCode] = [
        malformed, unsupported, outOfBounds, algorithmMismatch, privateKeyUnreadable,
        operationFailed,
    ]
}

extension KeyError: CustomDebugStringConvertible {
    /// The description, followed by OpenSSL's words.
    package var debugDescription: String {
        details.map { "\(description) (\($0))" } ?? description
    }
}
