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

    /// Takes a message apart; DER and BER are read, and zeros and white space may follow it.
    ///
    /// - Throws: ``CMSError`` of `cms.…`, `limit.certificates` or `asn1.…`.
    package init(_ bytes: [UInt8], certificateLimit: Int) throws(CMSError) {
        do {
            self = try Self.parsed(bytes, certificateLimit: certificateLimit)
        } catch let error as CMSError {
            throw error
        } catch let error as ASN1Error {
            throw CMSError(error)
        } catch {
            preconditionFailure("taking a message apart throws two kinds of error: \(error)")
        }
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

    private init(
        bytes: [UInt8],
        contentType: ASN1ObjectIdentifier,
        content: ArraySlice<UInt8>?,
        certificates: [Range<Int>],
        hasRevocationLists: Bool,
        signers: [CMSSigner]
    ) {
        self.bytes = bytes
        self.contentType = contentType
        self.content = content
        self.certificates = certificates
        certificateBag =
            (certificates.first?.lowerBound ?? 0)..<(certificates.last?.upperBound ?? 0)
        self.hasRevocationLists = hasRevocationLists
        self.signers = signers
    }
}

// MARK: - Reading

extension CMSSignedData {
    private static func parsed(_ array: [UInt8], certificateLimit: Int) throws -> CMSSignedData {
        let bytes = array.span
        var document = try ASN1Reader(bytes)
        var contentInfo = try document.nextContents(of: .sequence, in: bytes)
        try document.requireOnlyPadding(in: bytes)
        let outerType = try contentInfo.nextRequired(.objectIdentifier, in: bytes)
        guard outerType.isObjectIdentifier(.cmsSignedData, in: bytes) else {
            throw CMSError(
                CMSError.notSignedData,
                "found content of type \(try outerType.objectIdentifier(in: bytes)), expected "
                    + "signed data (\(ASN1ObjectIdentifier.cmsSignedData))"
            )
        }
        var explicit = try contentInfo.nextContents(of: .contextSpecific(0), in: bytes)
        try contentInfo.requireEnd()
        var signedData = try explicit.nextContents(of: .sequence, in: bytes)
        try explicit.requireEnd()

        try signedData.skip(.integer, in: bytes)
        try signedData.skip(.set, in: bytes)
        var encapsulated = try signedData.nextContents(of: .sequence, in: bytes)
        let contentType = try encapsulated.nextObjectIdentifier(in: bytes)
        let content = try content(from: &encapsulated, of: array)
        let certificates = try certificates(from: &signedData, in: bytes, limit: certificateLimit)
        let lists = try signedData.nextIfPresent(.contextSpecific(1), in: bytes)
        var signerInfos = try signedData.nextContents(of: .set, in: bytes)
        try signedData.requireEnd()
        var signers: [CMSSigner] = []
        while !signerInfos.isAtEnd {
            signers.append(try CMSSigner(from: &signerInfos, in: bytes))
        }
        return CMSSignedData(
            bytes: array,
            contentType: contentType,
            content: content,
            certificates: certificates,
            hasRevocationLists: lists != nil,
            signers: signers
        )
    }

    /// `eContent [0] EXPLICIT OCTET STRING OPTIONAL`.
    private static func content(
        from encapsulated: inout ASN1Reader,
        of array: [UInt8]
    ) throws(ASN1Error) -> ArraySlice<UInt8>? {
        let bytes = array.span
        guard let wrapper = try encapsulated.nextIfPresent(.contextSpecific(0), in: bytes) else {
            try encapsulated.requireEnd()
            return nil
        }
        try encapsulated.requireEnd()
        var reader = try encapsulated.contents(of: wrapper)
        let octets = try reader.nextOctets(in: bytes)
        try reader.requireEnd()
        switch octets {
        case .inPlace(let range): return array[range]
        case .joined(let joined): return joined[...]
        }
    }

    /// `certificates [0] IMPLICIT SET OF CertificateChoices OPTIONAL`.
    private static func certificates(
        from signedData: inout ASN1Reader,
        in bytes: Span<UInt8>,
        limit: Int
    ) throws -> [Range<Int>] {
        guard let bag = try signedData.nextIfPresent(.contextSpecific(0), in: bytes) else {
            return []
        }
        var reader = try signedData.contents(of: bag)
        var certificates: [Range<Int>] = []
        while let element = try reader.next(in: bytes) {
            guard certificates.count < limit else {
                throw CMSError(
                    CMSError.tooManyCertificates,
                    "found more than \(limit) certificates"
                )
            }
            guard element.tag == .sequence else {
                throw CMSError(
                    CMSError.unsupportedCertificate,
                    "found a certificate of the form \(element.tag) at byte "
                        + "\(element.encoding.lowerBound), expected an X.509 certificate"
                )
            }
            certificates.append(element.encoding)
        }
        return certificates
    }
}
