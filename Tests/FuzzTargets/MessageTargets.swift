import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

extension FuzzTarget {
    /// One certificate in DER, or any number in PEM, with its key and all its words.
    static func checkCertificate(_ bytes: [UInt8]) throws(Contradiction) {
        for certificate in attempt({ try Certificate.all(in: bytes) }) ?? [] {
            try check(certificate)
        }
    }

    private static func check(_ certificate: Certificate) throws(Contradiction) {
        let again = try Contradiction.unlessSucceeds("PEM of a certificate is not read") {
            try Certificate.all(in: Array(certificate.pem.utf8))
        }
        try Contradiction.unless(again == [certificate], "PEM holds another certificate")
        _ = certificate.description + certificate.issuer.description + certificate.serialNumberText
        _ = (certificate.validity.description, certificate.ocspResponders)
        _ = (certificate.subject.commonName, certificate.keyUsage, certificate.basicConstraints)
        for held in certificate.extensions {
            try Contradiction.unless(
                certificate.hasExtension(held.identifier),
                "an extension is there and is not"
            )
        }
        guard let key = attempt({ try PublicKey(certificate.subjectPublicKeyInfo) }) else { return }
        _ = attempt { try certificate.verifySignature(by: key) }
        _ = attempt { try TrustAnchors([certificate]) }
    }

    /// A signed message: every range of it lies within its bytes, and it may not prove itself.
    static func checkCMS(_ bytes: [UInt8]) throws(Contradiction) {
        guard let message = attempt({ try CMSSignedData(bytes, certificateLimit: 3) }) else {
            return
        }
        _ = bytes[message.certificateBag]
        let keys = message.certificates.compactMap { range in
            attempt {
                try PublicKey(Certificate(Array(bytes[range])).subjectPublicKeyInfo)
            }
        }
        for signer in message.signers {
            _ = (bytes[signer.identifierEncoding], bytes[signer.signature])
            if let attributes = signer.signedAttributes {
                _ = (bytes[attributes.encoding], bytes[attributes.messageDigest])
            }
            for key in keys {
                let isGenuine = attempt { try message.isSignature(of: signer, by: key) }
                try Contradiction.unless(
                    isGenuine != true || message.content != nil,
                    "a signature over nothing is genuine"
                )
                _ = key.recoverDigestAlgorithm(of: bytes.span.extracting(signer.signature))
            }
        }
        _ = attempt { try message.onlySigner() }
    }
}
