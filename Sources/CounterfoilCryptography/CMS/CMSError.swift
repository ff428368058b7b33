import CounterfoilASN1
package import CounterfoilBasics

/// Why bytes are not a signed message that can be checked.
package struct CMSError: CodedError, Hashable {
    /// What callers tell refusals apart by; one of ``allCodes``, or a code of ``ASN1Error``.
    package let code: ErrorCode

    /// What was found, what was expected and where.
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: ASN1Error) {
        code = error.code
        reason = error.reason
    }

    static func notSignedData(_ type: ASN1Element, in bytes: Span<UInt8>) -> CMSError {
        do {
            let found = try type.objectIdentifier(in: bytes)
            return CMSError(
                notSignedData,
                "found content of type \(found), expected signed data "
                    + "(\(ASN1ObjectIdentifier.cmsSignedData))"
            )
        } catch {
            return CMSError(error)
        }
    }

    /// The outermost value is another kind of content than `id-signedData`.
    package static let notSignedData: ErrorCode = "cms.not_signed_data"
    /// The signed content stands elsewhere.
    package static let detachedContent: ErrorCode = "cms.detached_content"
    /// Nobody signed.
    package static let noSigner: ErrorCode = "cms.no_signer"
    /// More than one signed.
    package static let severalSigners: ErrorCode = "cms.several_signers"
    /// The message brings no certificate.
    package static let noCertificates: ErrorCode = "cms.no_certificates"
    /// A certificate is of a form that X.509 does not have.
    package static let unsupportedCertificate: ErrorCode = "cms.unsupported_certificate"
    /// The digest is none of those the App Store signs.
    package static let unsupportedDigest: ErrorCode = "cms.unsupported_digest"
    /// The signature algorithm is none of those the App Store uses.
    package static let unsupportedSignature: ErrorCode = "cms.unsupported_signature"
    /// Digest and signature algorithm, or an algorithm and its parameters, contradict each other.
    package static let algorithmMismatch: ErrorCode = "cms.algorithm_mismatch"
    /// The signed attributes lack one that RFC 5652 §5.3 demands, or are not in DER.
    package static let signedAttributesInvalid: ErrorCode = "cms.signed_attributes_invalid"
    /// More certificates than the limit.
    package static let tooManyCertificates: ErrorCode = "limit.certificates"
    /// The content is not the one whose digest was signed.
    package static let contentDigestMismatch: ErrorCode = "signature.content_digest_mismatch"

    /// Every code of this error beside those of ASN.1.
    package static let allCodes: [ErrorCode] = [
        notSignedData, detachedContent, noSigner, severalSigners, noCertificates,
        unsupportedCertificate, unsupportedDigest, unsupportedSignature, algorithmMismatch,
        signedAttributesInvalid, tooManyCertificates, contentDigestMismatch,
    ]
}
