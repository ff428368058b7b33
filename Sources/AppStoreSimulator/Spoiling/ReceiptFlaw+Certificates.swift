import CounterfoilASN1

// The certificates lead to the root, and say what those of receipts must not say.
extension ReceiptFlaw {
    static let ofIssuers: [ReceiptFlaw] = [
        changed("leafMarkerMissing", .receiptSigner, "the signer's marker is missing") {
            $0.remove(OID.receiptSignerMarker)
        },
        changed("leafOfDeveloper", .receiptSigner, "the signer's marker is of a developer") {
            $0.remove(OID.receiptSignerMarker)
            $0.extensions.append(.marker(OID.developerMarker))
        },
        changed("leafOfTransactions", .receiptSigner, "its marker is that of iOS 6 receipts") {
            $0.remove(OID.receiptSignerMarker)
            $0.extensions.append(.marker(OID.transactionReceiptSignerMarker))
        },
        changed("leafIsAuthority", .receiptSigner, "the signer may issue certificates") {
            $0.setExtension(.basicConstraints(isAuthority: true))
        },
        changed("leafMayNotSign", .receiptSigner, "the signer's key is not for signatures") {
            $0.setExtension(.keyUsage([.keyEncipherment]))
        },
        changed("leafExtensionUnknown", .receiptSigner, "a critical extension is unknown") {
            $0.extensions.append(.encoded(unknownExtension, isCritical: true) { $0.null() })
        },
        changed("leafExtensionTwice", .receiptSigner, "the signer has an extension twice") {
            $0.extensions.append(.keyUsage([.digitalSignature]))
        },
        changed("leafAlgorithmsDiffer", .receiptSigner, "it names two signature algorithms") {
            $0.flaws.statedDigest = $0.digest.other
        },
        changed("intermediateMarkerMissing", .intermediate, "the issuer's marker is missing") {
            $0.remove(OID.wwdrIntermediateMarker)
        },
        changed("intermediateOfTransactions", .intermediate, "its marker is of iOS 6 issuers") {
            $0.remove(OID.wwdrIntermediateMarker)
            $0.extensions.append(.marker(OID.iTunesStoreIssuerMarker))
        },
        changed("intermediateIsNoAuthority", .intermediate, "the issuer may not issue any") {
            $0.setExtension(.basicConstraints(isAuthority: false))
        },
        changed("intermediateUnconstrained", .intermediate, "the issuer does not say it may") {
            $0.remove(OID.basicConstraints)
        },
        changed("intermediateMayNotIssue", .intermediate, "its key is not for certificates") {
            $0.setExtension(.keyUsage([.digitalSignature]))
        },
        changed("intermediateExtensionUnknown", .intermediate, "its critical one is unknown") {
            $0.extensions.append(.encoded(unknownExtension, isCritical: true) { $0.null() })
        },
    ]
}

extension CertificateProfile {
    fileprivate mutating func remove(_ identifier: ASN1ObjectIdentifier) {
        extensions.removeAll { $0.objectIdentifier == identifier }
    }
}
