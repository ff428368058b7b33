package import AppStoreVerification
package import CounterfoilBasics

/// One line of the journal: an input that can change an answer.
package struct Entry: Hashable, Sendable {
    /// Its place.
    package let position: Position
    /// When it was written; never earlier than that of the entry before.
    package let recordedAt: Instant
    /// What came in.
    package let input: Input
    /// How many lineages it concerns.
    package let lineages: Int
    /// How many events were told with it.
    package let events: Int

    /// What came in.
    package enum Input: Hashable, Sendable {
        /// Documents, by their digests; the one that came in first.
        case learned([SHA256Digest])
        /// The clock was read for some lineages.
        case clock
        /// An app's rules changed.
        case rules(Scope)
    }
}
