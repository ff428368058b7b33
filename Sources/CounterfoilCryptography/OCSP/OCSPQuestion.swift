import CounterfoilASN1
import CounterfoilBasics

/// Whether one certificate was revoked, to be asked of a responder of its issuer (RFC 6960).
package struct OCSPQuestion: Hashable, Sendable {
    /// The certificate that is asked about.
    package let certificate: Certificate

    /// The certificate of its issuer, who answers or names who does.
    package let issuer: Certificate

    /// Asks about a certificate that is known to be issued by the other.
    package init(about certificate: Certificate, issuedBy issuer: Certificate) {
        self.certificate = certificate
        self.issuer = issuer
    }

    /// The request in DER (RFC 6960 §4.1.1).
    ///
    /// The certificate is named with SHA-1: responders that have their answers ready for anybody
    /// (RFC 5019 §2.1.1) know no other name, and an answer is compared by the digest of its own.
    ///
    /// - Parameter nonce: What an answer made for this request alone would repeat; nil for none.
    /// - Returns: The request, without a signature.
    package func request(nonce: [UInt8]? = nil) -> [UInt8] {
        DERWriter.bytes { writer in
            writer.sequence { request in
                request.sequence { signed in
                    signed.sequence { list in
                        list.sequence { single in write(to: &single, .sha1) }
                    }
                    if let nonce { Self.write(nonce: nonce, to: &signed) }
                }
            }
        }
    }

    /// CertID ::= SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }.
    private func write(to writer: inout DERWriter, _ digest: DigestAlgorithm) {
        writer.sequence { identifier in
            identifier.sequence { algorithm in
                algorithm.objectIdentifier(digest.identifier)
                algorithm.null()
            }
            identifier.octetString(MessageDigest(of: issuer.subject.der.span, digest).bytes)
            identifier.octetString(issuer.subjectPublicKeyInfo.keyDigest(digest).bytes)
            identifier.primitive(.integer, certificate.serialNumber)
        }
    }

    private static func write(nonce: [UInt8], to writer: inout DERWriter) {
        writer.explicit(2) { explicit in
            explicit.sequence { extensions in
                extensions.sequence { fields in
                    fields.objectIdentifier(.ocspNonce)
                    fields.octetString { $0.octetString(nonce) }
                }
            }
        }
    }
}

extension OCSPQuestion {
    /// The addresses of the responders that the certificate states.
    package var responders: [String] { certificate.ocspResponders }

    /// Whether an identifier in an answer means the certificate, by whatever digest it was made.
    func isMeant(by identifier: OCSPCertificateID, in bytes: Span<UInt8>) -> Bool {
        guard let digest = identifier.digest else { return false }
        let issuerName = MessageDigest(of: issuer.subject.der.span, digest)
        let issuerKey = issuer.subjectPublicKeyInfo.keyDigest(digest)
        return certificate.serialNumber == bytes.copy(identifier.serialNumber)
            && issuerName.equals(bytes.extracting(identifier.issuerNameHash))
            && issuerKey.equals(bytes.extracting(identifier.issuerKeyHash))
    }
}

extension Certificate {
    /// The addresses of OCSP responders in the authorityInfoAccess extension (RFC 5280 §4.2.2.1),
    /// in their order; none where there is no such extension, or none that can be read.
    package var ocspResponders: [String] {
        guard let access = self[.authorityInfoAccess] else { return [] }
        do {
            return try Self.ocspResponders(in: access.value.span)
        } catch {
            return []
        }
    }

    /// AuthorityInfoAccessSyntax ::= SEQUENCE OF SEQUENCE { accessMethod, accessLocation }.
    private static func ocspResponders(in bytes: Span<UInt8>) throws(ASN1Error) -> [String] {
        var document = try ASN1Reader(bytes, rules: .der)
        var descriptions = try document.nextContents(of: .sequence, in: bytes)
        try document.requireEnd()
        var addresses: [String] = []
        while !descriptions.isAtEnd {
            var description = try descriptions.nextContents(of: .sequence, in: bytes)
            let method = try description.nextObjectIdentifier(in: bytes)
            // Any GeneralName may stand here; only a uniformResourceIdentifier is an address.
            guard let location = try description.next(in: bytes), method == .ocsp,
                location.tag == .contextSpecific(6)
            else { continue }
            addresses.append(try location.text(in: bytes, as: .ia5String))
        }
        return addresses
    }

    /// Whether the extendedKeyUsage extension (RFC 5280 §4.2.1.12) names a purpose.
    func isFor(_ purpose: ASN1ObjectIdentifier) throws(ASN1Error) -> Bool {
        guard let usage = self[.extendedKeyUsage] else { return false }
        let bytes = usage.value.span
        var document = try ASN1Reader(bytes, rules: .der)
        var purposes = try document.nextContents(of: .sequence, in: bytes)
        try document.requireEnd()
        var isNamed = false
        while !purposes.isAtEnd {
            let named = try purposes.nextObjectIdentifier(in: bytes)
            isNamed = isNamed || named == purpose
        }
        return isNamed
    }
}
