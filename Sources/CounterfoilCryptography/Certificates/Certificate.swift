package import CounterfoilASN1
package import CounterfoilBasics

/// An X.509 certificate (RFC 5280 §4.1): read, but neither verified nor trusted.
///
/// Two certificates are equal when all their bytes are.
package struct Certificate: Sendable {
    /// The whole encoding.
    package let der: [UInt8]

    /// Whom the certificate is about.
    package let subject: DistinguishedName

    /// Who signed it.
    package let issuer: DistinguishedName

    /// The serial number: a big-endian number in two's complement.
    package let serialNumber: [UInt8]

    /// From when to when it is valid.
    package let validity: CertificateValidity

    /// The public key.
    package let subjectPublicKeyInfo: SubjectPublicKeyInfo

    /// What the issuer signed with, by its identifier.
    package let signatureAlgorithmIdentifier: ASN1ObjectIdentifier

    /// The extensions, in their order; none of them twice.
    package let extensions: [CertificateExtension]

    /// The basicConstraints extension (RFC 5280 §4.2.1.9), if there is one.
    package let basicConstraints: BasicConstraints?

    /// The keyUsage extension (RFC 5280 §4.2.1.3), if there is one.
    package let keyUsage: KeyUsage?

    /// The subject key identifier (RFC 5280 §4.2.1.2), if there is one.
    package let subjectKeyIdentifier: [UInt8]?

    /// The key identifier of the authority key identifier (RFC 5280 §4.2.1.1), if there is one.
    package let authorityKeyIdentifier: [UInt8]?

    // Where what is signed, and the signature, stand.
    private let signedRange: Range<Int>
    private let signatureRange: Range<Int>

    /// Reads a certificate in DER.
    ///
    /// - Throws: ``CertificateError`` for anything but one certificate in DER: more bytes behind
    ///   it, other encodings, an extension twice.
    package init(
        _ der: [UInt8],
        limits: CertificateLimits = .default
    ) throws(CertificateError) {
        let parts = try CertificateParts(der, limits: limits)
        self.der = der
        subject = parts.subject
        issuer = parts.issuer
        serialNumber = der.span.copy(parts.serialNumber)
        validity = parts.validity
        subjectPublicKeyInfo = parts.subjectPublicKeyInfo
        signatureAlgorithmIdentifier = parts.signatureAlgorithm
        extensions = parts.extensions.all
        basicConstraints = parts.extensions.basicConstraints
        keyUsage = parts.extensions.keyUsage
        subjectKeyIdentifier = parts.extensions.subjectKeyIdentifier
        authorityKeyIdentifier = parts.extensions.authorityKeyIdentifier
        signedRange = parts.signed
        signatureRange = parts.signature
    }
}

extension Certificate {
    /// The SHA-256 digest of the whole encoding, by which certificates are pinned.
    package var fingerprint: SHA256Digest { SHA256Digest(of: der.span) }

    /// The serial number in hexadecimal digits, without the zero byte that keeps it positive.
    package var serialNumberText: String {
        let isPadded = serialNumber.count > 1 && serialNumber[0] == 0
        return Hexadecimal.encode(isPadded ? serialNumber.dropFirst() : serialNumber[...])
    }

    /// What the issuer signed with; nil for an algorithm that is not supported.
    package var signatureAlgorithm: SignatureAlgorithm? {
        SignatureAlgorithm(signatureAlgorithmIdentifier)
    }

    /// Whether subject and issuer are the same; whether it is also self-signed, only its signature
    /// can tell.
    package var isSelfIssued: Bool { subject == issuer }

    /// Whether there is an extension with an identifier, whatever its value.
    package func hasExtension(_ identifier: ASN1ObjectIdentifier) -> Bool {
        self[identifier] != nil
    }

    /// The extension with an identifier.
    package subscript(identifier: ASN1ObjectIdentifier) -> CertificateExtension? {
        extensions.first { $0.identifier == identifier }
    }

    /// Checks that a key, of which nothing more may be known, made this certificate's signature.
    ///
    /// Names, dates and extensions are not looked at.
    ///
    /// - Throws: `chain.bad_signature`, `chain.unsupported_algorithm`, or what
    ///   ``PublicKey`` throws.
    package func verifySignature(by issuerKey: PublicKey) throws(ChainError) {
        guard let algorithm = signatureAlgorithm else {
            throw .unsupportedSignature(of: self)
        }
        guard try isSignature(by: issuerKey, algorithm) else {
            throw ChainError(
                ChainError.badSignature,
                "the signature of the certificate of \(subject.label) was not made by the "
                    + "\(issuerKey.kind) key with the identifier "
                    + Hexadecimal.encode(issuerKey.subjectPublicKeyInfo.keyIdentifier)
            )
        }
    }
}

extension Certificate {
    private func isSignature(
        by issuerKey: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) throws(ChainError) -> Bool {
        guard issuerKey.kind.supports(algorithm.scheme) else { return false }
        do {
            return try issuerKey.verifies(
                der.span.extracting(signatureRange),
                over: der.span.extracting(signedRange),
                algorithm
            )
        } catch {
            throw ChainError(error, of: self)
        }
    }
}

extension Certificate: Hashable {
    package static func == (left: Certificate, right: Certificate) -> Bool {
        left.der == right.der
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension Certificate: CustomStringConvertible {
    /// The subject's label and the serial number.
    package var description: String { "\(subject.label) (serial \(serialNumberText))" }
}

/// The time for which a certificate is valid, both ends included (RFC 5280 §4.1.2.5).
package struct CertificateValidity: Hashable, Sendable {
    /// The first instant.
    package let notBefore: Instant

    /// The beginning of the last second.
    package let notAfter: Instant

    package init(notBefore: Instant, notAfter: Instant) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether an instant lies within; the whole last second does.
    package func contains(_ instant: Instant) -> Bool {
        notBefore <= instant && !hasEnded(at: instant)
    }

    /// Whether the last second is over at an instant.
    package func hasEnded(at instant: Instant) -> Bool {
        notAfter.advanced(by: .seconds(1)) <= instant
    }

    /// The time for which both are valid; it is empty when they never are.
    package func intersection(_ other: CertificateValidity) -> CertificateValidity {
        CertificateValidity(
            notBefore: max(notBefore, other.notBefore),
            notAfter: min(notAfter, other.notAfter)
        )
    }
}

extension CertificateValidity: CustomStringConvertible {
    package var description: String { "\(notBefore) to \(notAfter)" }
}
