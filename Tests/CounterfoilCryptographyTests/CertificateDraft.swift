import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A certificate to be issued, right unless a test makes it wrong.
struct CertificateDraft {
    var version: Int64? = 2
    var serialNumber: Int64 = 1
    var subject: String
    var issuer: String
    var notBefore = CivilTime(year: 2020, month: 1, day: 1).instant
    var notAfter = CivilTime(year: 2030, month: 1, day: 1).instant
    var publicKey: [UInt8]
    var extensions: [Extension] = []
    /// What the certificate says it is signed with; nil for what it is really signed with.
    var claimedAlgorithm: ASN1ObjectIdentifier?
    var outerAlgorithm: ASN1ObjectIdentifier?

    struct Extension {
        var identifier: ASN1ObjectIdentifier
        var isCritical = false
        var value: [UInt8]
    }

    init(_ subject: String, by issuer: String, key: PrivateKey) {
        self.subject = subject
        self.issuer = issuer
        publicKey = key.publicKey.subjectPublicKeyInfo.der
    }

    static func basicConstraints(isAuthority: Bool, pathLength: Int64? = nil) -> Extension {
        Extension(
            identifier: .basicConstraints,
            isCritical: true,
            value: DERWriter.bytes { writer in
                writer.sequence { constraints in
                    if isAuthority { constraints.boolean(true) }
                    if let pathLength { constraints.integer(pathLength) }
                }
            }
        )
    }

    static func keyUsage(_ bits: UInt8, unused: Int) -> Extension {
        Extension(
            identifier: .keyUsage,
            isCritical: true,
            value: DERWriter.bytes { $0.bitString([bits], unusedBits: unused) }
        )
    }

    static let signsCertificates = keyUsage(0b0000_0110, unused: 1)
    static let signsDocuments = keyUsage(0b1000_0000, unused: 7)

    func der(signedBy key: PrivateKey, _ algorithm: SignatureAlgorithm? = nil) throws -> [UInt8] {
        let usual: SignatureAlgorithm =
            if case .rsa = key.publicKey.kind { .rsaPKCS1(.sha256) } else { .ecdsa(.sha256) }
        let algorithm = algorithm ?? usual
        let named = claimedAlgorithm ?? algorithm.identifier
        let signed = DERWriter.bytes { writeSigned(to: &$0, named) }
        let signature = try key.sign(signed, algorithm)
        return DERWriter.bytes { writer in
            writer.sequence { certificate in
                certificate.raw(signed)
                Self.write(outerAlgorithm ?? named, to: &certificate)
                certificate.bitString(signature)
            }
        }
    }

    func issue(
        by key: PrivateKey,
        _ algorithm: SignatureAlgorithm? = nil
    ) throws -> Certificate {
        try Certificate(der(signedBy: key, algorithm))
    }

    private func writeSigned(to writer: inout DERWriter, _ algorithm: ASN1ObjectIdentifier) {
        writer.sequence { fields in
            if let version { fields.explicit(0) { $0.integer(version) } }
            fields.integer(serialNumber)
            Self.write(algorithm, to: &fields)
            Self.write(name: issuer, to: &fields)
            fields.sequence { validity in
                validity.time(notBefore)
                validity.time(notAfter)
            }
            Self.write(name: subject, to: &fields)
            fields.raw(publicKey)
            guard !extensions.isEmpty else { return }
            fields.explicit(3) { wrapper in
                wrapper.sequence { list in
                    for item in extensions {
                        list.sequence { fields in
                            fields.objectIdentifier(item.identifier)
                            if item.isCritical { fields.boolean(true) }
                            fields.octetString(item.value)
                        }
                    }
                }
            }
        }
    }

    private static func write(_ algorithm: ASN1ObjectIdentifier, to writer: inout DERWriter) {
        let isECDSA = algorithm.description.hasPrefix("1.2.840.10045")
        writer.sequence { fields in
            fields.objectIdentifier(algorithm)
            if !isECDSA { fields.null() }
        }
    }

    private static func write(name: String, to writer: inout DERWriter) {
        writer.sequence { parts in
            parts.set { part in
                part.sequence { attribute in
                    attribute.objectIdentifier(.commonName)
                    attribute.utf8String(name)
                }
            }
        }
    }
}

/// A root, an intermediate and a leaf that make a good path, and the drafts to spoil.
struct TestAuthority {
    var rootKey = TestKeys.rsa2048
    var intermediateKey = TestKeys.otherRSA2048
    var leafKey = TestKeys.p256
    var root: CertificateDraft
    var intermediate: CertificateDraft
    var leaf: CertificateDraft

    init(_ name: String = "Test") {
        root = CertificateDraft("\(name) Root", by: "\(name) Root", key: rootKey)
        root.extensions = [
            CertificateDraft.basicConstraints(isAuthority: true),
            CertificateDraft.signsCertificates,
        ]
        intermediate = CertificateDraft("\(name) CA", by: "\(name) Root", key: intermediateKey)
        intermediate.extensions = [
            CertificateDraft.basicConstraints(isAuthority: true, pathLength: 0),
            CertificateDraft.signsCertificates,
        ]
        leaf = CertificateDraft("\(name) Leaf", by: "\(name) CA", key: leafKey)
        leaf.extensions = [
            CertificateDraft.basicConstraints(isAuthority: false),
            CertificateDraft.signsDocuments,
        ]
    }

    func issued() throws -> (root: Certificate, intermediate: Certificate, leaf: Certificate) {
        (
            try root.issue(by: rootKey), try intermediate.issue(by: rootKey),
            try leaf.issue(by: intermediateKey)
        )
    }
}
