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
    /// Whether attributes follow that nobody signed, such as countersignatures.
    package let hasUnsignedAttributes: Bool
}

extension CMSSigner {
    /// Reads a SignerInfo, which `signerInfos` came upon.
    init(
        _ element: ASN1Element,
        in signerInfos: ASN1Reader,
        _ bytes: Span<UInt8>
    ) throws(CMSError) {
        let fields: Fields
        do {
            fields = try Fields(signerInfos.contents(of: element), in: bytes)
        } catch {
            throw CMSError(error)
        }
        identifier = fields.identifier
        identifierEncoding = fields.name.encoding
        digest = try Self.digest(fields.digestAlgorithm, in: bytes)
        scheme = try Self.scheme(fields.signatureAlgorithm, in: bytes, beside: digest)
        if let attributes = fields.signedAttributes {
            signedAttributes = try SignedAttributes(attributes, in: bytes)
        } else {
            signedAttributes = nil
        }
        guard case .inPlace(let range) = fields.signature else {
            throw CMSError(
                CMSError.unsupportedSignature,
                "found a signature in pieces, expected one piece"
            )
        }
        signature = range
        hasUnsignedAttributes = fields.hasUnsignedAttributes
    }

    private static func digest(
        _ algorithm: Algorithm,
        in bytes: Span<UInt8>
    ) throws(CMSError) -> DigestAlgorithm {
        // Receipts are signed over these two and no others; the larger ones serve certificates.
        for digest in [DigestAlgorithm.sha256, .sha1]
        where algorithm.identifier.isObjectIdentifier(digest.identifier, in: bytes) {
            try algorithm.requireNoParameters(in: bytes)
            return digest
        }
        throw CMSError(
            CMSError.unsupportedDigest,
            "found the digest algorithm \(algorithm.name(in: bytes)), expected SHA-1 or SHA-256"
        )
    }

    private static func scheme(
        _ algorithm: Algorithm,
        in bytes: Span<UInt8>,
        beside digest: DigestAlgorithm
    ) throws(CMSError) -> SignatureAlgorithm.Scheme {
        // RFC 3370 §3.2: RSA alone, whose digest is the signer's.
        if algorithm.identifier.isObjectIdentifier(.rsaEncryption, in: bytes) {
            try algorithm.requireNoParameters(in: bytes)
            return .rsaPKCS1
        }
        for scheme in [SignatureAlgorithm.Scheme.rsaPKCS1, .ecdsa] {
            for named in DigestAlgorithm.allCases {
                let candidate = SignatureAlgorithm(scheme, named)
                guard algorithm.identifier.isObjectIdentifier(candidate.identifier, in: bytes)
                else { continue }
                guard named == digest else {
                    throw CMSError(
                        CMSError.algorithmMismatch,
                        "found the signature algorithm \(candidate) beside the digest \(digest)"
                    )
                }
                try algorithm.requireNoParameters(in: bytes)
                return scheme
            }
        }
        throw CMSError(
            CMSError.unsupportedSignature,
            "found the signature algorithm \(algorithm.name(in: bytes)), expected RSA with PKCS #1 "
                + "or ECDSA"
        )
    }
}

/// The fields of a SignerInfo, in their order.
private struct Fields {
    let name: ASN1Element
    let identifier: CMSSigner.Identifier
    let digestAlgorithm: Algorithm
    let signedAttributes: ASN1Element?
    let signatureAlgorithm: Algorithm
    let signature: ASN1Octets
    let hasUnsignedAttributes: Bool

    init(_ reader: ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        var fields = reader
        try fields.skip(.integer, in: bytes)
        if let keyIdentifier = try fields.nextIfPresent(.contextSpecific(0), in: bytes) {
            name = keyIdentifier
            identifier = .subjectKeyIdentifier(try keyIdentifier.octetsInPlace(in: bytes))
        } else {
            name = try fields.nextRequired(.sequence, in: bytes)
            var parts = try fields.contents(of: name)
            let issuer = try parts.nextRequired(.sequence, in: bytes)
            let serialNumber = try parts.nextRequired(.integer, in: bytes)
            try parts.requireEnd()
            identifier = .issuerAndSerialNumber(
                issuer: issuer.encoding,
                serialNumber: try serialNumber.integerBytes(in: bytes)
            )
        }
        digestAlgorithm = try Algorithm(from: &fields, in: bytes)
        signedAttributes = try fields.nextIfPresent(.contextSpecific(0), in: bytes)
        signatureAlgorithm = try Algorithm(from: &fields, in: bytes)
        signature = try fields.nextOctets(in: bytes)
        hasUnsignedAttributes = try fields.nextIfPresent(.contextSpecific(1), in: bytes) != nil
        try fields.requireEnd()
    }
}

/// An AlgorithmIdentifier: which algorithm, and the element of its parameters if there is one.
private struct Algorithm {
    let identifier: ASN1Element
    let parameters: ASN1Element?

    init(from fields: inout ASN1Reader, in bytes: Span<UInt8>) throws(ASN1Error) {
        var reader = try fields.nextContents(of: .sequence, in: bytes)
        identifier = try reader.nextRequired(.objectIdentifier, in: bytes)
        parameters = try reader.next(in: bytes)
        try reader.requireEnd()
    }

    /// Checks that the parameters are absent or NULL, as for every algorithm that is supported
    /// (RFC 5754 §2 and §3).
    func requireNoParameters(in bytes: Span<UInt8>) throws(CMSError) {
        guard let parameters else { return }
        guard parameters.tag == .null, parameters.content.isEmpty, !parameters.isConstructed else {
            throw CMSError(
                CMSError.algorithmMismatch,
                "found parameters of the algorithm \(name(in: bytes)), expected none"
            )
        }
    }

    /// The identifier in digits, for people.
    func name(in bytes: Span<UInt8>) -> String {
        do {
            return try identifier.objectIdentifier(in: bytes).description
        } catch {
            return "with an identifier that cannot be read"
        }
    }
}

extension ASN1Element {
    /// Where the octets of a string stand that is written in one piece.
    fileprivate func octetsInPlace(in bytes: Span<UInt8>) throws(ASN1Error) -> Range<Int> {
        guard case .inPlace(let range) = try octets(in: bytes) else {
            throw ASN1Error(
                ASN1Error.unexpectedForm,
                at: encoding.lowerBound,
                "found a key identifier in pieces, expected one piece"
            )
        }
        return range
    }
}
