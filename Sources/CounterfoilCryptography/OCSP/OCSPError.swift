import CounterfoilASN1
package import CounterfoilBasics

/// Why bytes are no answer to a question about a certificate.
///
/// None of these says anything about the certificate: it stays undecided.
package struct OCSPError: CodedError, Hashable {
    /// What callers tell refusals apart by; one of ``allCodes``.
    package let code: ErrorCode

    /// What was found, what was expected and where.
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: ASN1Error) {
        self.init(Self.malformed, "the response is not as RFC 6960 has it: \(error)")
    }

    /// More bytes, certificates or single responses than an answer about one certificate has.
    package static let tooLarge: ErrorCode = "revocation.response_too_large"

    /// Not DER, or not a response as RFC 6960 §4.2.1 has it.
    package static let malformed: ErrorCode = "revocation.response_malformed"

    /// The responder says that it does not answer, such as tryLater or unauthorized.
    package static let declined: ErrorCode = "revocation.responder_declined"

    /// A response of another type than basic, of another version than 1, signed with an algorithm
    /// that does not count (SHA-1 among them), or with an unknown critical extension.
    package static let unsupported: ErrorCode = "revocation.response_unsupported"

    /// The response is about another certificate.
    package static let otherCertificate: ErrorCode = "revocation.other_certificate"

    /// Whoever signed the response is neither the issuer nor allowed by it to answer, or was not
    /// at that time.
    package static let responderUntrusted: ErrorCode = "revocation.responder_untrusted"

    /// The responder did not sign these bytes.
    package static let signatureInvalid: ErrorCode = "revocation.signature_invalid"

    /// The response was made for another request.
    package static let nonceMismatch: ErrorCode = "revocation.nonce_mismatch"

    /// The response does not say until when it holds, so that an old one could pass for ever.
    package static let noNextUpdate: ErrorCode = "revocation.no_next_update"

    /// The response holds no longer, or not yet.
    package static let notCurrent: ErrorCode = "revocation.not_current"

    /// Every code of this error.
    package static let allCodes: [ErrorCode] = [
        tooLarge, malformed, declined, unsupported, otherCertificate, responderUntrusted,
        signatureInvalid, nonceMismatch, noNextUpdate, notCurrent,
    ]
}
