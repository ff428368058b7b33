package import CounterfoilBasics

/// Why certificates make no path to a trusted one.
package struct ChainError: CodedError, Hashable {
    /// What callers tell refusals apart by: one of ``allCodes``, or of ``KeyError/allCodes`` when
    /// a certificate's key was refused.
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

    /// Why a certificate's key was refused.
    init(_ error: KeyError, of certificate: Certificate) {
        self.init(
            error.code,
            "in the certificate of \(certificate.subject.label): \(error.reason)",
            details: error.details
        )
    }

    static func unsupportedSignature(of certificate: Certificate) -> ChainError {
        ChainError(
            unsupportedAlgorithm,
            "the certificate of \(certificate.subject.label) is signed with "
                + "\(certificate.signatureAlgorithmIdentifier), which is not supported"
        )
    }
}

extension ChainError {
    /// The certificates lead to none of the anchors.
    package static let untrustedRoot: ErrorCode = "chain.untrusted_root"

    /// A certificate of the path had ended at the instant of judgement.
    package static let expired: ErrorCode = "chain.expired"

    /// A certificate of the path had not begun at the instant of judgement.
    package static let notYetValid: ErrorCode = "chain.not_yet_valid"

    /// A certificate of the path was not signed by the one above it.
    package static let badSignature: ErrorCode = "chain.bad_signature"

    /// A certificate issued another and is no certificate authority.
    package static let notAnAuthority: ErrorCode = "chain.not_an_authority"

    /// A certificate authority allows fewer authorities below it than there are.
    package static let pathTooLong: ErrorCode = "chain.path_too_long"

    /// A key was used in a way that its certificate does not allow.
    package static let keyUsage: ErrorCode = "chain.key_usage"

    /// An extension that is critical and not known.
    package static let unknownCriticalExtension: ErrorCode = "chain.unknown_critical_extension"

    /// A certificate is signed with an algorithm that is not supported, such as MD5 with RSA.
    package static let unsupportedAlgorithm: ErrorCode = "chain.unsupported_algorithm"

    /// More certificates than a path of the App Store has.
    package static let tooManyCertificates: ErrorCode = "chain.too_many_certificates"

    /// Any other violation of RFC 5280, in OpenSSL's words.
    package static let invalid: ErrorCode = "chain.invalid"

    /// Every code of this error's own.
    package static let allCodes: [ErrorCode] = [
        untrustedRoot, expired, notYetValid, badSignature, notAnAuthority, pathTooLong, keyUsage,
        unknownCriticalExtension, unsupportedAlgorithm, tooManyCertificates, invalid,
    ]
}

extension ChainError: CustomDebugStringConvertible {
    /// The description, followed by OpenSSL's words.
    package var debugDescription: String {
        details.map { "\(description) (\($0))" } ?? description
    }
}
