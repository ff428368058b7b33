import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A signed message to be written, right unless a test makes it wrong.
struct MessageDraft {
    var outerType: ASN1ObjectIdentifier = .cmsSignedData
    var contentType: ASN1ObjectIdentifier = .cmsData
    var content: [UInt8]? = Array("the content".utf8)
    /// Whether lengths are left open and the content is written in chunks.
    var isIndefinite = false
    var digestAlgorithms: [ASN1ObjectIdentifier] = [DigestAlgorithm.sha256.identifier]
    var certificates: [[UInt8]] = []
    var otherCertificate: [UInt8]?
    var revocationLists: [UInt8]?
    var signers: [Signer]

    struct Signer {
        var key = TestKeys.rsa2048
        var digest = DigestAlgorithm.sha256
        var digestIdentifier = DigestAlgorithm.sha256.identifier
        var digestParameters: [UInt8] = [5, 0]
        var signatureIdentifier: ASN1ObjectIdentifier = "1.2.840.113549.1.1.1"
        var signatureParameters: [UInt8] = [5, 0]
        var keyIdentifier: [UInt8]?
        /// The attributes, each a whole encoding; nil for a signature over the content.
        var attributes: [[UInt8]]?
        var signature: [UInt8]?
        var isInPieces = false
        var unsignedAttributes: [UInt8]?
    }

    init(_ signers: [Signer] = [Signer()]) { self.signers = signers }

    static func attribute(
        _ type: ASN1ObjectIdentifier,
        _ write: (inout DERWriter) -> Void
    ) -> [UInt8] {
        DERWriter.bytes { writer in
            writer.sequence { attribute in
                attribute.objectIdentifier(type)
                attribute.set(write)
            }
        }
    }

    static func contentType(_ type: ASN1ObjectIdentifier = .cmsData) -> [UInt8] {
        attribute("1.2.840.113549.1.9.3") { $0.objectIdentifier(type) }
    }

    static func messageDigest(
        of content: [UInt8],
        _ digest: DigestAlgorithm = .sha256
    ) -> [UInt8] {
        attribute("1.2.840.113549.1.9.4") {
            $0.octetString(MessageDigest(of: content, digest).bytes)
        }
    }

    static func signingTime(_ instant: Instant) -> [UInt8] {
        attribute("1.2.840.113549.1.9.5") { $0.time(instant) }
    }

    func bytes() throws -> [UInt8] {
        let length: ASN1LengthForm = isIndefinite ? .indefinite : .minimal
        var infos: [[UInt8]] = []
        for signer in signers { infos.append(try info(of: signer)) }
        return DERWriter.bytes { writer in
            writer.sequence(length: length) { contentInfo in
                contentInfo.objectIdentifier(outerType)
                contentInfo.explicit(0, length: length) { explicit in
                    explicit.sequence(length: length) { write(infos, to: &$0, length) }
                }
            }
        }
    }

    private func write(_ infos: [[UInt8]], to fields: inout DERWriter, _ length: ASN1LengthForm) {
        fields.integer(1)
        fields.set(length: length) { set in
            for identifier in digestAlgorithms {
                set.sequence { algorithm in
                    algorithm.objectIdentifier(identifier)
                    algorithm.null()
                }
            }
        }
        fields.sequence(length: length) { encapsulated in
            encapsulated.objectIdentifier(contentType)
            guard let content else { return }
            encapsulated.explicit(0, length: length) { explicit in
                guard isIndefinite else { return explicit.octetString(content) }
                explicit.constructed(.octetString, length: length) { chunks in
                    chunks.octetString(content.prefix(4))
                    chunks.octetString([])
                    chunks.constructed(.octetString) { inner in
                        inner.octetString(content.dropFirst(4))
                    }
                }
            }
        }
        if !certificates.isEmpty || otherCertificate != nil {
            fields.constructed(.contextSpecific(0), length: length) { bag in
                for certificate in certificates { bag.raw(certificate) }
                if let otherCertificate { bag.raw(otherCertificate) }
            }
        }
        if let revocationLists { fields.raw(revocationLists) }
        fields.set(length: length) { set in for info in infos { set.raw(info) } }
    }

    private func info(of signer: Signer) throws -> [UInt8] {
        let attributes = signer.attributes.map { $0.flatMap(\.self) }
        let signed =
            attributes.map { attributes in
                DERWriter.bytes { writer in writer.set { $0.raw(attributes) } }
            } ?? content ?? []
        let isRSA = if case .rsa = signer.key.publicKey.kind { true } else { false }
        let signature =
            try signer.signature
            ?? signer.key.sign(
                signed,
                SignatureAlgorithm(isRSA ? .rsaPKCS1 : .ecdsa, signer.digest)
            )
        return DERWriter.bytes { writer in
            writer.sequence { fields in
                fields.integer(signer.keyIdentifier == nil ? 1 : 3)
                if let keyIdentifier = signer.keyIdentifier {
                    fields.octetString(keyIdentifier, tag: .contextSpecific(0))
                } else {
                    fields.sequence { name in
                        name.sequence { _ in }
                        name.integer(77)
                    }
                }
                fields.sequence { algorithm in
                    algorithm.objectIdentifier(signer.digestIdentifier)
                    algorithm.raw(signer.digestParameters)
                }
                if let attributes {
                    fields.constructed(.contextSpecific(0)) { $0.raw(attributes) }
                }
                fields.sequence { algorithm in
                    algorithm.objectIdentifier(signer.signatureIdentifier)
                    algorithm.raw(signer.signatureParameters)
                }
                if signer.isInPieces {
                    fields.constructed(.octetString) { chunks in
                        chunks.octetString(signature.prefix(9))
                        chunks.octetString(signature.dropFirst(9))
                    }
                } else {
                    fields.octetString(signature)
                }
                if let unsigned = signer.unsignedAttributes {
                    fields.constructed(.contextSpecific(1)) { $0.raw(unsigned) }
                }
            }
        }
    }
}

/// What the verification of a message's one signer by a key comes to.
func verdict(_ bytes: [UInt8], _ key: PublicKey) -> Result<Bool, CMSError> {
    do throws(CMSError) {
        let message = try CMSSignedData(bytes, certificateLimit: 3)
        return .success(try message.isSignature(of: message.onlySigner(), by: key))
    } catch {
        return .failure(error)
    }
}
