import CounterfoilASN1
import CounterfoilCryptography

/// Apple's marker extensions: what a certificate of Apple's was issued for.
///
/// Without them anybody with an Apple developer certificate could sign for the App Store.
enum Marker {
    /// The leaf signs App Store receipts and signed data.
    static let receiptSigning: ASN1ObjectIdentifier = "1.2.840.113635.100.6.11.1"
    /// The leaf signs iOS 6-style receipts (blob version 2).
    static let transactionReceiptSigning: ASN1ObjectIdentifier = "1.2.840.113635.100.6.5.1"
    /// The intermediate is a Worldwide Developer Relations authority.
    static let developerRelations: ASN1ObjectIdentifier = "1.2.840.113635.100.6.2.1"
    /// The intermediate is an iTunes Store authority.
    static let iTunesStore: ASN1ObjectIdentifier = "1.2.840.113635.100.6.2.2"
}

extension Certificate {
    /// Checks that a leaf may sign documents and nothing else.
    func requireLeaf(marker: ASN1ObjectIdentifier) throws(VerificationError) {
        guard hasExtension(marker) else {
            throw VerificationError(
                VerificationError.leafMarkerMissing,
                "the signer's certificate \(self) lacks Apple's marker extension \(marker)"
            )
        }
        guard basicConstraints?.isAuthority != true else {
            throw VerificationError(
                VerificationError.leafIsAuthority,
                "the signer's certificate \(self) is an authority's; expected CA:FALSE"
            )
        }
        guard keyUsage?.contains(.digitalSignature) != false else {
            throw VerificationError(
                VerificationError.leafKeyUsage,
                "the signer's certificate \(self) is not for digital signatures"
            )
        }
    }

    /// Checks that an intermediate was issued to issue signers of the App Store.
    func requireIntermediate(marker: ASN1ObjectIdentifier) throws(VerificationError) {
        guard hasExtension(marker) else {
            throw VerificationError(
                VerificationError.intermediateMarkerMissing,
                "the intermediate certificate \(self) lacks Apple's marker extension \(marker)"
            )
        }
    }

    /// What a person wants to know of it.
    var summary: CertificateSummary {
        CertificateSummary(
            name: subject.commonName ?? subject.description,
            serialNumber: serialNumberText,
            notBefore: validity.notBefore,
            notAfter: validity.notAfter,
            key: subjectPublicKeyInfo.kind.description,
            fingerprint: fingerprint
        )
    }
}
