package import CounterfoilBasics
package import Ledger

/// One signed or vouched document that was learned from: what stays of it for ever.
package struct Evidence: Hashable, Sendable {
    /// SHA-256 over its bytes; of a notification of version 1, over the body without its password.
    package let digest: SHA256Digest
    /// What it is.
    package let kind: Kind
    /// How well it is proved.
    package let grade: Grade
    /// When it was said; nil where it states no date.
    package let attestedAt: Instant?
    /// The certificate that signed it; nil where nobody did.
    package let signer: SHA256Digest?
    /// The document that it came in; nil for one that came by itself.
    package let envelope: SHA256Digest?

    /// What a document is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case appReceipt
        case transactionReceipt
        case transaction
        case renewalInfo
        case appTransaction
        case notification
        case notificationV1
    }

    package init(
        digest: SHA256Digest,
        kind: Kind,
        grade: Grade,
        attestedAt: Instant?,
        signer: SHA256Digest?,
        envelope: SHA256Digest? = nil
    ) {
        self.digest = digest
        self.kind = kind
        self.grade = grade
        self.attestedAt = attestedAt
        self.signer = signer
        self.envelope = envelope
    }
}

/// What is kept of a document, and where it came in.
package struct KeptEvidence: Hashable, Sendable {
    /// The document.
    package let evidence: Evidence
    /// The entry that it was learned with.
    package let position: Position
}
