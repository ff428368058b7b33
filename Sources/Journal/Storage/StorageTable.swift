/// A table of rows: each a key and a value, both bytes, in the order of the keys.
///
/// Engines know these names and no others, and nothing of what is in the rows.
package enum StorageTable: String, Hashable, Sendable, CaseIterable {
    /// The numbered lines of the journal.
    case journal
    /// What is known of each document, by its digest.
    case evidence
    /// The bytes of documents, which may be pruned.
    case evidenceBytes = "evidence_bytes"
    /// Bytes that many documents share, such as certificates, by their digest.
    case sharedBytes = "shared_bytes"
    /// Personal values behind references, which may be forgotten.
    case persons
    /// What statements claim, each once.
    case claims
    /// What each lineage went through, entry by entry.
    case statements
    /// Happenings without state.
    case occurrences
    /// The notifications, each once, however often it was posted.
    case inbox
    /// Notifications that could not be taken in yet.
    case quarantine
    /// The rules of apps, by revision.
    case rules
    /// The differences that were told.
    case events
    /// The lineages as they stand; made anew from the rest.
    case lineages
    /// Where each number of a purchase leads; made anew from the rest.
    case aliases
    /// When lineages change by themselves; made anew from the rest.
    case agenda
    /// How far readers have come.
    case readers
    /// What is said of the whole.
    case properties
}
