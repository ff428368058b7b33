package import CounterfoilBasics

/// A path of certificates that was verified: each signed by the next, the last one an anchor.
///
/// Only ``TrustAnchors`` makes one.
package struct CertificatePath: Hashable, Sendable {
    /// The certificates from the leaf to the anchor, which are the same one where the leaf itself
    /// is an anchor.
    package let certificates: [Certificate]

    /// The first certificate.
    package let leaf: Certificate

    /// The last certificate: the anchor as it was given, never as the document brought it.
    package let anchor: Certificate

    /// The instant at which the path was judged.
    package let judgedAt: Instant

    init?(_ certificates: [Certificate], judgedAt: Instant) {
        guard let leaf = certificates.first, let anchor = certificates.last else { return nil }
        self.certificates = certificates
        self.leaf = leaf
        self.anchor = anchor
        self.judgedAt = judgedAt
    }

    /// The certificates between leaf and anchor.
    package var intermediates: ArraySlice<Certificate> {
        certificates.dropFirst().dropLast()
    }

    /// The time for which every certificate is valid, the anchor included.
    package var validity: CertificateValidity {
        certificates.reduce(leaf.validity) { $0.intersection($1.validity) }
    }
}
