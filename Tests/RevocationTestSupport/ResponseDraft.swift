package import CounterfoilASN1
package import CounterfoilBasics
package import CounterfoilCryptography

/// An OCSP response to be signed, right unless a test makes it wrong.
package struct ResponseDraft {
    package var status: Int64 = 0
    package var type: ASN1ObjectIdentifier = .ocspBasic
    package var version: Int64?
    package var responder: Certificate
    package var key: PrivateKey
    package var isNamedByKey = true
    package var producedAt: Instant
    package var singles: [Single]
    package var nonce: [UInt8]?
    package var criticalExtension: ASN1ObjectIdentifier?
    package var algorithm: SignatureAlgorithm
    package var certificates: [Certificate] = []
    package var breaksSignature = false

    package struct Single {
        package var question: OCSPQuestion
        package var digest = DigestAlgorithm.sha1
        package var status: OCSPAnswer.Status = .good
        package var thisUpdate: Instant
        package var nextUpdate: Instant?
        package var criticalExtension: ASN1ObjectIdentifier?
    }

    package static let now = CivilTime(year: 2025, month: 6, day: 1, hour: 12).instant

    /// An answer that holds for an hour before and after an instant.
    package init(
        about question: OCSPQuestion,
        by responder: Certificate,
        _ key: PrivateKey,
        at now: Instant = ResponseDraft.now
    ) {
        self.responder = responder
        self.key = key
        producedAt = now
        singles = [
            Single(
                question: question,
                thisUpdate: now.advanced(by: .seconds(-3600)),
                nextUpdate: now.advanced(by: .seconds(3600))
            )
        ]
        let isRSA = if case .rsa = key.publicKey.kind { true } else { false }
        algorithm = isRSA ? .rsaPKCS1(.sha256) : .ecdsa(.sha256)
    }

    package func der() throws -> [UInt8] {
        guard status == 0 else {
            return DERWriter.bytes { writer in
                writer.sequence { $0.integer(status, tag: .enumerated) }
            }
        }
        let signed = DERWriter.bytes(writeSigned)
        var signature = try key.sign(signed.span, algorithm)
        if breaksSignature { signature[signature.count - 1] ^= 1 }
        return Self.response(
            signed,
            signature,
            algorithm,
            certificates: certificates.map(\.der),
            type: type
        )
    }

    /// A response of what is signed and its signature (RFC 6960 §4.2.1).
    package static func response(
        _ signed: [UInt8],
        _ signature: [UInt8],
        _ algorithm: SignatureAlgorithm,
        certificates: [[UInt8]],
        type: ASN1ObjectIdentifier = .ocspBasic
    ) -> [UInt8] {
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
                    explicit.sequence { list in for item in certificates { list.raw(item) } }
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
            data.generalizedTime(producedAt)
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
                identifier.octetString(MessageDigest(of: issuer.subject.der.span, digest).bytes)
                identifier.octetString(issuer.subjectPublicKeyInfo.keyDigest(digest).bytes)
                identifier.primitive(.integer, question.certificate.serialNumber)
            }
            status.write(to: &single)
            single.generalizedTime(thisUpdate)
            if let nextUpdate { single.explicit(0) { $0.generalizedTime(nextUpdate) } }
            ResponseDraft.write(nonce: nil, criticalExtension, to: &single)
        }
    }
}

extension OCSPAnswer.Status {
    /// Writes CertStatus (RFC 6960 §4.2.1).
    package func write(to writer: inout DERWriter) {
        switch self {
        case .good: writer.primitive(.contextSpecific(0), [])
        case .unknown: writer.primitive(.contextSpecific(2), [])
        case .revoked(let instant, let reason):
            writer.explicit(1) { revoked in
                revoked.generalizedTime(instant)
                if let reason {
                    revoked.explicit(0) { $0.integer(reason.rawValue, tag: .enumerated) }
                }
            }
        }
    }
}
