import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// Signed data (RFC 5652 §5.1) before it is bytes: every part can be exchanged, before and after
/// signing.
struct SignedDataDraft: Sendable {
    /// What stands where the content does.
    enum Content: Hashable, Sendable {
        /// Octets in one OCTET STRING.
        case octets([UInt8])
        /// An encoding in place of the OCTET STRING, with the octets that are signed.
        case encoding([UInt8], octets: [UInt8])
        /// Nothing: the signature is detached.
        case none(octets: [UInt8])

        /// The octets that are signed.
        var octets: [UInt8] {
            switch self {
            case .octets(let octets), .encoding(_, let octets), .none(let octets): octets
            }
        }
    }

    var type = OID.signedData
    var version: Int64 = 1
    var digestAlgorithms: [ASN1ObjectIdentifier]
    var contentType = OID.data
    var content: Content
    var certificates: [[UInt8]]
    var signers: [Signer]
    var encoding: AppReceiptForm.Encoding

    /// SignerInfo (RFC 5652 §5.3).
    struct Signer: Sendable {
        var version: Int64 = 1
        var issuer: [UInt8]
        var serialNumber: [UInt8]
        var digestAlgorithm: ASN1ObjectIdentifier
        var signatureAlgorithm: ASN1ObjectIdentifier
        var signedAttributes: [SignedAttribute]?
        /// What the signature is over, when not over what RFC 5652 §5.4 says.
        var signedInstead: [UInt8]?
        var key: SigningKey
        var digest: SigningDigest
        var signature: [UInt8] = []
    }

    /// Attribute (RFC 5652 §5.3) with one value.
    struct SignedAttribute: Hashable, Sendable {
        var type: ASN1ObjectIdentifier
        var value: [UInt8]

        init(_ type: ASN1ObjectIdentifier, _ value: (inout DERWriter) -> Void) {
            self.type = type
            self.value = DERWriter.bytes(value)
        }
    }

    /// Signs with each signer's key.
    mutating func sign() throws(SimulatorError) {
        for index in signers.indices { try signers[index].sign(content.octets) }
    }
}

extension SignedDataDraft.Signer {
    /// The attributes that RFC 5652 §11 describes, for this content.
    static func attributes(
        of content: [UInt8],
        _ contentType: ASN1ObjectIdentifier,
        digest: SigningDigest,
        at instant: Instant
    ) -> [SignedDataDraft.SignedAttribute] {
        let digest = MessageDigest(of: content.span, digest.algorithm).bytes
        return [
            SignedDataDraft.SignedAttribute(OID.contentTypeAttribute) {
                $0.objectIdentifier(contentType)
            },
            SignedDataDraft.SignedAttribute(OID.signingTimeAttribute) { $0.time(instant) },
            SignedDataDraft.SignedAttribute(OID.messageDigestAttribute) { $0.octetString(digest) },
        ]
    }

    fileprivate mutating func sign(_ content: [UInt8]) throws(SimulatorError) {
        // Signed is the encoding as a SET OF, whatever tag stands in the document (§5.4).
        let message =
            signedInstead ?? signedAttributes.map { Self.encoding(of: $0, tag: .set) } ?? content
        signature = try key.sign(message, digest)
    }

    static func encoding(of attributes: [SignedDataDraft.SignedAttribute], tag: ASN1Tag) -> [UInt8]
    {
        DERWriter.bytes { writer in
            writer.setOf(attributes, tag: tag) { writer, attribute in
                writer.sequence { fields in
                    fields.objectIdentifier(attribute.type)
                    fields.set { $0.raw(attribute.value) }
                }
            }
        }
    }

    fileprivate func write(to writer: inout DERWriter) {
        writer.sequence { fields in
            fields.integer(version)
            fields.sequence { identifier in
                identifier.raw(issuer)
                identifier.primitive(.integer, serialNumber)
            }
            fields.algorithm(digestAlgorithm)
            if let signedAttributes {
                fields.raw(Self.encoding(of: signedAttributes, tag: .contextSpecific(0)))
            }
            fields.algorithm(signatureAlgorithm)
            fields.octetString(signature)
        }
    }
}

extension SignedDataDraft {
    /// The document.
    var bytes: [UInt8] {
        DERWriter.bytes { writer in
            writer.sequence(length: lengthForm) { contentInfo in
                contentInfo.objectIdentifier(type)
                contentInfo.explicit(0, length: lengthForm) { explicit in
                    explicit.sequence(length: lengthForm) { write(to: &$0) }
                }
            }
        }
    }

    private var lengthForm: ASN1LengthForm {
        switch encoding {
        case .der: .minimal
        case .indefinite: .indefinite
        case .padded(let bytes): .padded(bytes: bytes)
        }
    }

    private func write(to fields: inout DERWriter) {
        fields.integer(version)
        fields.set { set in
            for identifier in digestAlgorithms { set.algorithm(identifier) }
        }
        fields.sequence(length: lengthForm) { encapsulated in
            encapsulated.objectIdentifier(contentType)
            if case .none = content { return }
            encapsulated.explicit(0, length: lengthForm) { writeContent(to: &$0) }
        }
        if !certificates.isEmpty {
            fields.constructed(.contextSpecific(0)) { set in
                for certificate in certificates { set.raw(certificate) }
            }
        }
        fields.set { set in
            for signer in signers { signer.write(to: &set) }
        }
    }

    private func writeContent(to writer: inout DERWriter) {
        switch (content, encoding) {
        case (.octets(let octets), .indefinite(let chunkSize)):
            writer.chunkedOctetString(octets, chunkSize: chunkSize)
        case (.octets(let octets), _):
            writer.octetString(length: lengthForm) { $0.raw(octets) }
        case (.encoding(let encoding, _), _):
            writer.raw(encoding)
        case (.none, _):
            break
        }
    }
}
