package import CounterfoilASN1
package import CounterfoilBasics

/// One signer of a message: who, by which algorithms, over which attributes (RFC 5652 §5.3).
package struct CMSSigner: Sendable {
    /// How the signer's certificate is named.
    package enum Identifier: Hashable, Sendable {
        /// By its issuer's name (the whole encoding) and its serial number (the content).
        case issuerAndSerialNumber(issuer: Range<Int>, serialNumber: Range<Int>)
        /// By its subject key identifier.
        case subjectKeyIdentifier(Range<Int>)
    }

    /// The attributes that were signed in place of the content.
    package struct SignedAttributes: Sendable {
        /// Where they stand, with their implicit tag.
        package let encoding: Range<Int>
        /// The contentType attribute: what kind of content was signed.
        package let contentType: ASN1ObjectIdentifier
        /// Where the octets of the messageDigest attribute's value stand.
        package let messageDigest: Range<Int>
        /// When the signer says it signed; no proof of it.
        package let signingTime: Instant?
    }

    /// How the certificate is named.
    package let identifier: Identifier
    /// Where that name stands, tag and length included.
    package let identifierEncoding: Range<Int>
    /// The digest that was signed.
    package let digest: DigestAlgorithm
    /// The mathematics of the signature.
    package let scheme: SignatureAlgorithm.Scheme
    /// The signed attributes; without them the content itself was signed.
    package let signedAttributes: SignedAttributes?
    /// Where the signature stands.
    package let signature: Range<Int>
}

extension CMSSigner {
    init(from signerInfos: inout ASN1Reader, in bytes: Span<UInt8>) throws {
        var fields = try signerInfos.nextContents(of: .sequence, in: bytes)
        try fields.skip(.integer, in: bytes)
        guard let name = try fields.next(in: bytes) else {
            throw ASN1Error.missing(.sequence, at: fields.position)
        }
        identifier = try Self.identifier(name, in: fields, bytes)
        identifierEncoding = name.encoding
        digest = try Self.digest(from: &fields, in: bytes)
        let attributes = try fields.nextIfPresent(.contextSpecific(0), in: bytes)
        signedAttributes = try attributes.map { try SignedAttributes($0, in: bytes) }
        scheme = try Self.scheme(from: &fields, in: bytes, with: digest)
        guard case .inPlace(let signature) = try fields.nextOctets(in: bytes) else {
            throw CMSError(
                CMSError.unsupportedSignature,
                "found a signature in pieces, expected one piece"
            )
        }
        self.signature = signature
        _ = try fields.nextIfPresent(.contextSpecific(1), in: bytes)
        try fields.requireEnd()
    }

    private static func identifier(
        _ name: ASN1Element,
        in fields: ASN1Reader,
        _ bytes: Span<UInt8>
    ) throws -> Identifier {
        if name.tag == .contextSpecific(0), !name.isConstructed {
            return .subjectKeyIdentifier(name.content)
        }
        guard name.tag == .sequence else { throw ASN1Error.unexpected(name, insteadOf: .sequence) }
        var reader = try fields.contents(of: name)
        let issuer = try reader.nextRequired(.sequence, in: bytes)
        let serialNumber = try reader.nextRequired(.integer, in: bytes)
        try reader.requireEnd()
        return .issuerAndSerialNumber(
            issuer: issuer.encoding,
            serialNumber: try serialNumber.integerBytes(in: bytes)
        )
    }

    private static func digest(
        from fields: inout ASN1Reader,
        in bytes: Span<UInt8>
    ) throws -> DigestAlgorithm {
        let identifier = try algorithm(from: &fields, in: bytes)
        // Receipts are signed over these two and no others; the larger ones serve certificates.
        switch DigestAlgorithm(identifier) {
        case .sha1?: return .sha1
        case .sha256?: return .sha256
        default:
            throw CMSError(
                CMSError.unsupportedDigest,
                "found the digest algorithm \(identifier), expected SHA-1 or SHA-256"
            )
        }
    }

    private static func scheme(
        from fields: inout ASN1Reader,
        in bytes: Span<UInt8>,
        with digest: DigestAlgorithm
    ) throws -> SignatureAlgorithm.Scheme {
        let identifier = try algorithm(from: &fields, in: bytes)
        if identifier == .rsaEncryption { return .rsaPKCS1 }
        guard let algorithm = SignatureAlgorithm(identifier) else {
            throw CMSError(
                CMSError.unsupportedSignature,
                "found the signature algorithm \(identifier), expected RSA with PKCS #1"
            )
        }
        guard algorithm.digest == digest else {
            throw CMSError(
                CMSError.algorithmMismatch,
                "found the signature algorithm \(algorithm) beside the digest \(digest)"
            )
        }
        return algorithm.scheme
    }

    /// An AlgorithmIdentifier whose parameters are NULL or absent (RFC 5754 §2 and §3).
    private static func algorithm(
        from fields: inout ASN1Reader,
        in bytes: Span<UInt8>
    ) throws -> ASN1ObjectIdentifier {
        var reader = try fields.nextContents(of: .sequence, in: bytes)
        let identifier = try reader.nextObjectIdentifier(in: bytes)
        guard let parameters = try reader.next(in: bytes) else { return identifier }
        guard parameters.tag == .null, reader.isAtEnd else {
            throw CMSError(
                CMSError.algorithmMismatch,
                "found parameters of the algorithm \(identifier), expected none"
            )
        }
        try parameters.requireNull()
        return identifier
    }
}

extension CMSSigner.SignedAttributes {
    /// Reads `signedAttrs [0] IMPLICIT SET OF Attribute`, each of which has one value here.
    ///
    /// What was signed is their DER encoding, so nothing but DER is read (RFC 5652 §5.4).
    init(_ element: ASN1Element, in bytes: Span<UInt8>) throws {
        var contentType: ASN1ObjectIdentifier?
        var messageDigest: Range<Int>?
        var signingTime: Instant?
        do {
            var document = try ASN1Reader(element.encoding, rules: .der)
            var attributes = try document.nextContents(of: .contextSpecific(0), in: bytes)
            while !attributes.isAtEnd {
                var attribute = try attributes.nextContents(of: .sequence, in: bytes)
                let type = try attribute.nextObjectIdentifier(in: bytes)
                var values = try attribute.nextContents(of: .set, in: bytes)
                try attribute.requireEnd()
                switch type {
                case .cmsContentType where contentType == nil:
                    contentType = try values.nextObjectIdentifier(in: bytes)
                case .cmsMessageDigest where messageDigest == nil:
                    messageDigest = try values.nextRequired(.octetString, in: bytes).content
                case .cmsSigningTime where signingTime == nil:
                    signingTime = try values.nextTime(in: bytes)
                case .cmsContentType, .cmsMessageDigest, .cmsSigningTime:
                    throw CMSError(
                        CMSError.signedAttributesInvalid,
                        "found the signed attribute \(type) twice"
                    )
                default: continue
                }
                try values.requireEnd()
            }
        } catch let error as ASN1Error {
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "the signed attributes cannot be read: \(error.reason)"
            )
        }
        guard let contentType, let messageDigest else {
            throw CMSError(
                CMSError.signedAttributesInvalid,
                "found no \(contentType == nil ? "contentType" : "messageDigest") among the signed "
                    + "attributes"
            )
        }
        encoding = element.encoding
        self.contentType = contentType
        self.messageDigest = messageDigest
        self.signingTime = signingTime
    }
}
