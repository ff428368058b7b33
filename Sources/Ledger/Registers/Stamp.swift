package import CounterfoilBasics

/// How well a document is proved; no conversion goes upward.
package enum Grade: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// A file that an operator handed in.
    case operatorFile = 1
    /// A shared secret vouches for it.
    case sharedSecret = 2
    /// Apple's own server said so over a channel of its own.
    case appleChannel = 3
    /// A signature proved it.
    case signature = 4

    package static func < (weaker: Grade, stronger: Grade) -> Bool {
        weaker.rawValue < stronger.rawValue
    }
}

/// How far a subscription's renewal has gone in what a document says: of two words of one instant
/// the later in a life counts.
package enum LifeCycleRank: UInt8, Hashable, Comparable, Sendable {
    /// Paid, or not about renewal.
    case paid
    /// A payment fails.
    case retrying
    /// Over.
    case expired

    package static func < (earlier: LifeCycleRank, later: LifeCycleRank) -> Bool {
        earlier.rawValue < later.rawValue
    }
}

/// When something was said, how well it is proved, and by which document: of two values the one
/// with the greater stamp counts, whatever arrived first.
package struct Stamp: Hashable, Comparable, Sendable {
    /// When it was said; from the document's bytes, never from its arrival.
    package let attestedAt: Instant
    /// How well the document is proved.
    package let grade: Grade
    /// How far the life had gone.
    package let rank: LifeCycleRank
    /// The document.
    package let digest: SHA256Digest

    package init(
        attestedAt: Instant,
        grade: Grade,
        rank: LifeCycleRank = .paid,
        digest: SHA256Digest
    ) {
        self.attestedAt = attestedAt
        self.grade = grade
        self.rank = rank
        self.digest = digest
    }

    package static func < (earlier: Stamp, later: Stamp) -> Bool {
        if earlier.attestedAt != later.attestedAt { return earlier.attestedAt < later.attestedAt }
        if earlier.grade != later.grade { return earlier.grade < later.grade }
        if earlier.rank != later.rank { return earlier.rank < later.rank }
        return earlier.digest < later.digest
    }
}
