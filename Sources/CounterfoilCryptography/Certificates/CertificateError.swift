package import CounterfoilBasics

/// Why bytes are not a certificate that may be used.
package struct CertificateError: CodedError, Hashable {
    /// What callers tell refusals apart by; one of ``allCodes``.
    package let code: ErrorCode

    /// What was found, what was expected and where.
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// More bytes, extensions or certificates than ``CertificateLimits`` allow.
    package static let tooLarge: ErrorCode = "chain.certificate_too_large"

    /// Not DER, or not a certificate as RFC 5280 §4.1 has it.
    package static let malformed: ErrorCode = "chain.certificate_malformed"

    /// Bytes behind the certificate.
    package static let trailingBytes: ErrorCode = "chain.certificate_trailing_bytes"

    /// The same extension twice, which RFC 5280 §4.2 forbids.
    package static let duplicateExtension: ErrorCode = "chain.certificate_duplicate_extension"

    /// Two different signature algorithms, inside and outside of what is signed
    /// (RFC 5280 §4.1.1.2).
    package static let algorithmMismatch: ErrorCode = "chain.certificate_algorithm_mismatch"

    /// Input that should hold certificates and holds none.
    package static let none: ErrorCode = "chain.certificate_missing"

    /// PEM text whose blocks do not end or are not base 64 (RFC 7468).
    package static let badPEM: ErrorCode = "chain.certificate_bad_pem"

    /// Every code of this error.
    package static let allCodes: [ErrorCode] = [
        tooLarge, malformed, trailingBytes, duplicateExtension, algorithmMismatch, none, badPEM,
    ]
}
