import CounterfoilASN1
import CounterfoilCryptography

extension ReceiptFlaw {
    /// What is wrong with the algorithms that the signer names.
    static let ofAlgorithms: [ReceiptFlaw] = [
        ReceiptFlaw(
            "digestMD5",
            .algorithm,
            "the signer names MD5 as its digest",
            .signed { draft, _ in draft.nameDigest(OID.md5) }
        ),
        ReceiptFlaw(
            "digestUnknown",
            .algorithm,
            "the signer names a digest that nobody knows",
            .signed { draft, _ in draft.nameDigest(unknownExtension) }
        ),
        ReceiptFlaw(
            "digestSHA512",
            .algorithm,
            "the signer uses SHA-512, and receipts use SHA-1 or SHA-256",
            needs: .noSignedAttributes,
            .unsigned { draft, _ in
                draft.signers[0].digest = .sha512
                draft.signers[0].signatureAlgorithm = OID.rsaEncryption
                draft.nameDigest(SigningDigest.sha512.algorithm.identifier)
            }
        ),
        ReceiptFlaw(
            "signatureAlgorithmPSS",
            .algorithm,
            "the signer names RSASSA-PSS, and receipts are signed with PKCS #1",
            .signed { draft, _ in draft.signers[0].signatureAlgorithm = OID.rsaPSS }
        ),
        ReceiptFlaw(
            "signatureAlgorithmECDSA",
            .algorithm,
            "the signer names ECDSA, and its key is of RSA",
            .signed { draft, _ in
                let digest = draft.signers[0].digest.algorithm
                draft.signers[0].signatureAlgorithm = SignatureAlgorithm.ecdsa(digest).identifier
            }
        ),
        ReceiptFlaw(
            "signatureAlgorithmOfOtherDigest",
            .algorithm,
            "the signer names one digest by itself and another with the signature",
            .signed { draft, _ in
                let other = draft.signers[0].digest.other.algorithm
                draft.signers[0].signatureAlgorithm = SignatureAlgorithm.rsaPKCS1(other).identifier
            }
        ),
    ]
}

extension SignedDataDraft {
    fileprivate mutating func nameDigest(_ identifier: ASN1ObjectIdentifier) {
        digestAlgorithms = [identifier]
        signers[0].digestAlgorithm = identifier
    }
}

extension SigningDigest {
    /// SHA-1 for SHA-256, and SHA-256 for all others.
    var other: SigningDigest { self == .sha256 ? .sha1 : .sha256 }
}
