import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// An OCSP response to be signed, right unless a test makes it wrong.
struct ResponseDraft {
    var status: Int64 = 0
    var type: ASN1ObjectIdentifier = .ocspBasic
    var version: Int64?
    var responder: Certificate
    var key: PrivateKey
    var isNamedByKey = true
    var singles: [Single]
    var nonce: [UInt8]?
    var criticalExtension: ASN1ObjectIdentifier?
    var algorithm: SignatureAlgorithm
    var certificates: [Certificate] = []
    var breaksSignature = false

    struct Single {
        var question: OCSPQuestion
        var digest = DigestAlgorithm.sha1
        var status: OCSPAnswer.Status = .good
        var thisUpdate = ResponseDraft.now.advanced(by: .seconds(-3600))
        var nextUpdate: Instant? = ResponseDraft.now.advanced(by: .seconds(3600))
        var criticalExtension: ASN1ObjectIdentifier?
    }

    static let now = CivilTime(year: 2025, month: 6, day: 1, hour: 12).instant

    init(about question: OCSPQuestion, by responder: Certificate, _ key: PrivateKey) {
        self.responder = responder
        self.key = key
        singles = [Single(question: question)]
        let isRSA = if case .rsa = key.publicKey.kind { true } else { false }
        algorithm = isRSA ? .rsaPKCS1(.sha256) : .ecdsa(.sha256)
    }

    func der() throws -> [UInt8] {
        guard status == 0 else {
            return DERWriter.bytes { writer in
                writer.sequence { $0.integer(status, tag: .enumerated) }
            }
        }
        let signed = DERWriter.bytes(writeSigned)
        var signature = try key.sign(signed, algorithm)
        if breaksSignature { signature[signature.count - 1] ^= 1 }
        let basic = DERWriter.bytes { writer in
            writer.sequence { response in
                response.raw(signed)
                response.sequence { fields in
                    fields.objectIdentifier(algorithm.identifier)
                    if algorithm.scheme == .rsaPKCS1 { fields.null() }
                }
                response.bitString(signature)
                guard !certificates.isEmpty else { return }
                response.explicit(0) { explicit in
                    explicit.sequence { list in for item in certificates { list.raw(item.der) } }
                }
            }
        }
        return DERWriter.bytes { writer in
            writer.sequence { response in
                response.integer(0, tag: .enumerated)
                response.explicit(0) { explicit in
                    explicit.sequence { typed in
                        typed.objectIdentifier(type)
                        typed.octetString(basic)
                    }
                }
            }
        }
    }

    private func writeSigned(to writer: inout DERWriter) {
        writer.sequence { data in
            if let version { data.explicit(0) { $0.integer(version) } }
            if isNamedByKey {
                data.explicit(2) {
                    $0.octetString(responder.subjectPublicKeyInfo.keyIdentifier)
                }
            } else {
                data.explicit(1) { $0.raw(responder.subject.der) }
            }
            data.generalizedTime(Self.now)
            data.sequence { list in for single in singles { single.write(to: &list) } }
            Self.write(nonce: nonce, criticalExtension, to: &data)
        }
    }

    fileprivate static func write(
        nonce: [UInt8]?,
        _ criticalExtension: ASN1ObjectIdentifier?,
        to writer: inout DERWriter
    ) {
        guard nonce != nil || criticalExtension != nil else { return }
        writer.explicit(1) { explicit in
            explicit.sequence { list in
                if let nonce {
                    list.sequence { fields in
                        fields.objectIdentifier(.ocspNonce)
                        fields.octetString { $0.octetString(nonce) }
                    }
                }
                if let criticalExtension {
                    list.sequence { fields in
                        fields.objectIdentifier(criticalExtension)
                        fields.boolean(true)
                        fields.octetString { $0.null() }
                    }
                }
            }
        }
    }
}

extension ResponseDraft.Single {
    fileprivate func write(to writer: inout DERWriter) {
        let issuer = question.issuer
        writer.sequence { single in
            single.sequence { identifier in
                identifier.sequence { algorithm in
                    algorithm.objectIdentifier(digest.identifier)
                    algorithm.null()
                }
                identifier.octetString(MessageDigest(of: issuer.subject.der, digest).bytes)
                identifier.octetString(issuer.subjectPublicKeyInfo.keyDigest(digest).bytes)
                identifier.primitive(.integer, question.certificate.serialNumber)
            }
            switch status {
            case .good: single.primitive(.contextSpecific(0), [])
            case .unknown: single.primitive(.contextSpecific(2), [])
            case .revoked(let instant, let reason):
                single.explicit(1) { revoked in
                    revoked.generalizedTime(instant)
                    if let reason {
                        revoked.explicit(0) { $0.integer(reason.rawValue, tag: .enumerated) }
                    }
                }
            }
            single.generalizedTime(thisUpdate)
            if let nextUpdate { single.explicit(0) { $0.generalizedTime(nextUpdate) } }
            ResponseDraft.write(nonce: nil, criticalExtension, to: &single)
        }
    }
}

/// An authority that answers for its leaf, itself or by a responder of its own.
struct AnsweringAuthority {
    var authority = TestAuthority()
    var responderKey = TestKeys.p384
    var responder: CertificateDraft

    static let signsResponses = CertificateDraft.Extension(
        identifier: .extendedKeyUsage,
        value: DERWriter.bytes { writer in writer.sequence { $0.objectIdentifier(.ocspSigning) } }
    )

    init(issuerKey: PrivateKey = TestKeys.otherRSA2048) {
        authority.intermediateKey = issuerKey
        authority.intermediate.publicKey = issuerKey.publicKey.subjectPublicKeyInfo.der
        responder = CertificateDraft("Test Responder", by: "Test CA", key: responderKey)
        responder.serialNumber = 77
        responder.extensions = [Self.signsResponses, CertificateDraft.signsDocuments]
    }

    func question() throws -> OCSPQuestion {
        let (_, intermediate, leaf) = try authority.issued()
        return OCSPQuestion(about: leaf, issuedBy: intermediate)
    }

    /// A response by the issuer itself.
    func draft() throws -> ResponseDraft {
        let question = try question()
        return ResponseDraft(about: question, by: question.issuer, authority.intermediateKey)
    }

    /// A response by the responder, whose certificate comes along.
    func delegatedDraft(signedBy key: PrivateKey? = nil) throws -> ResponseDraft {
        let certificate = try responder.issue(by: key ?? authority.intermediateKey)
        var draft = ResponseDraft(about: try question(), by: certificate, responderKey)
        draft.certificates = [certificate]
        return draft
    }
}
