extension Trust {
    /// The certificates that answer for documents: the anchors first, then the pinned ones.
    package var authorities: [CertificateSummary] {
        (anchors.map(\.certificate) + pinned).map(\.summary)
    }

    /// The certificates that documents need not bring along: anchors, pinned ones and issuers of
    /// iOS 6-style receipts.
    package var certificates: [EmbeddedCertificate] {
        (anchors.map(\.certificate) + pinned + receiptIssuers.compactMap(\.certificate))
            .map { EmbeddedCertificate($0) }
    }
}
