package import AppStoreVerification
package import CounterfoilBasics
package import Ledger

/// Something that was told: a difference between two answers, or an occurrence.
///
/// It is stored as it was told and never derived again.
package struct Event: Hashable, Sendable {
    /// Its name, and its place in the order of all.
    package let id: EventID
    /// When it was told.
    package let recordedAt: Instant
    /// When it took effect; in the past for news that came late.
    package let occurredAt: Instant
    /// The app, the environment and the realm.
    package let scope: Scope
    /// The purchase that it is about; nil for an occurrence that is about none.
    package let lineage: LineageID?
    /// Why it was told.
    package let cause: Cause
    /// What it tells.
    package let content: Content

    /// What it tells.
    package enum Content: Hashable, Sendable {
        /// An answer changed.
        case change(Change)
        /// Something happened that no answer shows.
        case occurrence(Occurrence)
    }

    /// Why it was told.
    package enum Cause: Hashable, Sendable {
        /// Documents came in; the one that came first.
        case learned(SHA256Digest)
        /// Time passed.
        case clock
        /// The app's rules changed, with this entry.
        case rules(Position)
    }

    /// Its type, as docs/EVENTS.md lists them.
    package var type: String {
        switch content {
        case .change(let change): change.kind.rawValue
        case .occurrence(let occurrence): occurrence.kind.rawValue
        }
    }
}
