package import CounterfoilASN1
import CounterfoilBasics

/// A signed message (RFC 5652 §5.1, PKCS #7 §9.1) taken apart into ranges of its bytes.
///
/// Taking it apart proves nothing; see ``isSignature(of:by:)``.
package struct CMSSignedData: Sendable {
    /// The message itself.
    package let bytes: [UInt8]
    /// The type of the signed content.
    package let contentType: ASN1ObjectIdentifier
    /// The signed content's octets; nil when it is detached.
    package let content: ArraySlice<UInt8>?
    /// Where the certificates stand, in their order.
    package let certificates: [Range<Int>]
    /// Where all certificates stand together; empty when there are none.
    package let certificateBag: Range<Int>
    /// Whether the message brings revocation lists.
    package let hasRevocationLists: Bool
    /// Who signed.
    package let signers: [CMSSigner]

    /// The most signers whose words are read; a receipt has one.
    package static let mostSigners = 8

    /// Takes a message apart; DER and BER are read, and zeros and white space may follow it.
    ///
    /// - Throws: ``CMSError`` of `cms.…`, `limit.certificates` or `asn1.…`.
    package init(_ bytes: [UInt8], certificateLimit: Int) throws(CMSError) {
        let span = bytes.span
        let outline = try CMSOutline(span)
        self.bytes = bytes
        contentType = outline.contentType
        switch outline.content {
        case .inPlace(let range): content = bytes[range]
        case .joined(let joined): content = joined[...]
        case nil: content = nil
        }
        certificates = try outline.certificates(in: span, limit: certificateLimit)
        certificateBag =
            (certificates.first?.lowerBound ?? 0)..<(certificates.last?.upperBound ?? 0)
        hasRevocationLists = outline.hasRevocationLists
        signers = try outline.signers(in: span, limit: Self.mostSigners)
    }

    /// The one signer.
    ///
    /// - Throws: `cms.no_signer` or `cms.several_signers`.
    package func onlySigner() throws(CMSError) -> CMSSigner {
        guard let first = signers.first else {
            throw CMSError(CMSError.noSigner, "found no signer, expected exactly one")
        }
        guard signers.count == 1 else {
            throw CMSError(
                CMSError.severalSigners,
                "found \(signers.count) signers, expected exactly one"
            )
        }
        return first
    }

    /// The signed content.
    ///
    /// - Throws: `cms.detached_content`.
    package func attachedContent() throws(CMSError) -> ArraySlice<UInt8> {
        guard let content else {
            throw CMSError(
                CMSError.detachedContent,
                "found a signature without its content, expected the content inside"
            )
        }
        return content
    }
    /// Where the certificates stand that the message brings.
    ///
    /// - Throws: `cms.no_certificates`.
    package func attachedCertificates() throws(CMSError) -> [Range<Int>] {
        guard !certificates.isEmpty else {
            throw CMSError(
                CMSError.noCertificates,
                "found no certificate, expected the signer's inside"
            )
        }
        return certificates
    }
}
