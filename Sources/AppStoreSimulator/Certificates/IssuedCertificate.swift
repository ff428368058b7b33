import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A certificate that was made here.
public struct IssuedCertificate: Hashable, Sendable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// What it says.
    public let profile: CertificateProfile
    /// Whom it names as its issuer.
    public let issuer: CertificateProfile.Name
    /// The key that it is about.
    public let publicKey: CertifiedKey

    /// The certificate as PEM text (RFC 7468).
    public var pem: String { PEM.text(of: der, label: PEM.certificate) }
}

/// A certificate together with its private key: what signs.
public struct SigningIdentity: Sendable {
    /// The certificate.
    public let certificate: IssuedCertificate
    /// Its key.
    public let key: SigningKey

    /// Puts a certificate and its key together.
    public init(certificate: IssuedCertificate, key: SigningKey) {
        self.certificate = certificate
        self.key = key
    }
}

extension CertificateProfile {
    /// A certificate that says this of a key, signed by an issuer.
    ///
    /// - Throws: `issue.key_unusable` when the issuer's key is too short for the digest.
    public func certificate(
        for key: CertifiedKey,
        issuedBy issuer: SigningIdentity
    ) throws(SimulatorError) -> IssuedCertificate {
        try signed(
            for: key,
            by: issuer.key,
            issuerName: flaws.issuerName ?? issuer.certificate.profile.subject
        )
    }

    /// A certificate that a key says of itself, as that of a root.
    ///
    /// - Throws: `issue.key_unusable` when the key is too short for the digest.
    public func selfSigned(with key: SigningKey) throws(SimulatorError) -> SigningIdentity {
        SigningIdentity(
            certificate: try signed(
                for: key.publicKey,
                by: key,
                issuerName: flaws.issuerName ?? subject
            ),
            key: key
        )
    }

    private func signed(
        for publicKey: CertifiedKey,
        by issuerKey: SigningKey,
        issuerName: Name
    ) throws(SimulatorError) -> IssuedCertificate {
        for instant in [notBefore, notAfter] {
            guard (0...9999).contains(CivilTime(instant).year) else {
                throw SimulatorError(
                    SimulatorError.notRepresentable,
                    "found \(instant) as the validity of a certificate, expected a year up to 9999"
                )
            }
        }
        let content = DERWriter.bytes { writer in
            write(to: &writer, publicKey, issuerKey: issuerKey, issuerName: issuerName)
        }
        var signature = try issuerKey.sign(content, digest)
        if flaws.breaksSignature { signature[signature.count / 2] ^= 0x10 }
        let der = DERWriter.bytes { writer in
            writer.sequence { certificate in
                certificate.raw(content)
                certificate.algorithm(issuerKey.algorithm(flaws.statedDigest ?? digest))
                certificate.bitString(signature)
            }
        }
        return IssuedCertificate(
            der: der,
            profile: self,
            issuer: issuerName,
            publicKey: publicKey
        )
    }

    /// TBSCertificate (RFC 5280 §4.1).
    private func write(
        to writer: inout DERWriter,
        _ publicKey: CertifiedKey,
        issuerKey: SigningKey,
        issuerName: Name
    ) {
        let version = flaws.version ?? 3
        writer.sequence { fields in
            // DEFAULT v1, and the number on the wire is one less.
            if version != 1 { fields.explicit(0) { $0.integer(version - 1) } }
            fields.primitive(.integer, serialNumber)
            fields.algorithm(issuerKey.algorithm(digest))
            fields.raw(issuerName.der)
            fields.sequence { validity in
                validity.time(notBefore)
                validity.time(notAfter)
            }
            fields.raw(subject.der)
            fields.raw(publicKey.der)
            guard version >= 3, !extensions.isEmpty else { return }
            fields.explicit(3) { explicit in
                explicit.sequence { list in
                    for item in extensions {
                        item.write(to: &list, publicKey, issuerKey: issuerKey.publicKey)
                    }
                }
            }
        }
    }
}

extension CertificateProfile.Extension {
    // Extension ::= SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }
    fileprivate func write(
        to writer: inout DERWriter,
        _ publicKey: CertifiedKey,
        issuerKey: CertifiedKey
    ) {
        writer.sequence { fields in
            fields.objectIdentifier(objectIdentifier)
            if isCritical { fields.boolean(true) }
            switch value {
            case .octets(let octets):
                fields.octetString(octets)
            case .subjectKeyIdentifier:
                fields.octetString { $0.octetString(publicKey.identifier) }
            case .authorityKeyIdentifier:
                fields.octetString { octets in
                    octets.sequence {
                        $0.octetString(issuerKey.identifier, tag: .contextSpecific(0))
                    }
                }
            }
        }
    }
}

extension DERWriter {
    /// AlgorithmIdentifier: RSA's has a NULL as parameters (RFC 3279 §2.2.1), ECDSA's has none.
    mutating func algorithm(_ algorithm: SignatureAlgorithm) {
        self.algorithm(algorithm.identifier, hasNull: algorithm.scheme == .rsaPKCS1)
    }

    mutating func algorithm(_ identifier: ASN1ObjectIdentifier, hasNull: Bool = true) {
        sequence { fields in
            fields.objectIdentifier(identifier)
            if hasNull { fields.null() }
        }
    }
}
