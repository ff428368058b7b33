extension Trust {
    /// The certificates that answer for documents: the anchors first, then the pinned ones.
    package var authorities: [CertificateSummary] {
        (anchors.map(\.certificate) + pinned).map(\.summary)
    }
}
