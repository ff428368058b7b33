import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

extension IssuedCertificate {
    /// Reads a certificate back, so that it can be changed and signed anew.
    ///
    /// What was computed when it was signed, the key identifiers, is computed again when it is
    /// signed again.
    ///
    /// - Throws: `issue.certificate_unreadable` for anything but one certificate in DER with a
    ///   supported signature algorithm.
    public init(der: [UInt8]) throws(SimulatorError) {
        let certificate: Certificate
        do {
            certificate = try Certificate(der)
        } catch {
            throw SimulatorError(SimulatorError.certificateUnreadable, "\(error)")
        }
        guard let digest = certificate.signatureAlgorithm.flatMap(SigningDigest.init) else {
            throw SimulatorError(
                SimulatorError.certificateUnreadable,
                "found the signature algorithm \(certificate.signatureAlgorithmIdentifier) in a "
                    + "certificate, expected RSA or ECDSA with SHA-1 or SHA-2"
            )
        }
        let key = CertifiedKey(certificate.subjectPublicKeyInfo)
        self.init(
            der: der,
            profile: CertificateProfile(
                subject: CertificateProfile.Name(der: certificate.subject.der),
                serialNumber: certificate.serialNumber,
                notBefore: certificate.validity.notBefore,
                notAfter: certificate.validity.notAfter,
                extensions: certificate.extensions.map {
                    CertificateProfile.Extension($0, certifying: key)
                },
                digest: digest
            ),
            issuer: CertificateProfile.Name(der: certificate.issuer.der),
            publicKey: key
        )
    }
}

extension SigningDigest {
    fileprivate init?(_ algorithm: SignatureAlgorithm) {
        guard let digest = Self.allCases.first(where: { $0.algorithm == algorithm.digest }) else {
            return nil
        }
        self = digest
    }
}

extension CertificateProfile.Extension {
    /// The extension, with key identifiers taken for computed ones where they have their form.
    fileprivate init(_ read: CertificateExtension, certifying key: CertifiedKey) {
        let value: Value =
            switch read.identifier {
            case OID.subjectKeyIdentifier where read.value == Self.octets(key.identifier):
                .subjectKeyIdentifier
            case OID.authorityKeyIdentifier where Self.isPlainAuthority(read.value):
                .authorityKeyIdentifier
            default: .octets(read.value)
            }
        self.init(read.identifier, isCritical: read.isCritical, value)
    }

    private static func octets(_ identifier: [UInt8]) -> [UInt8] {
        DERWriter.bytes { $0.octetString(identifier) }
    }

    /// Whether an authority key identifier is a SHA-1 digest and nothing more.
    private static func isPlainAuthority(_ value: [UInt8]) -> Bool {
        value.count == 24 && value.starts(with: [0x30, 0x16, 0x80, 0x14])
    }
}
