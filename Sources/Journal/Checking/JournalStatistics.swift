/// How much is in a journal.
package struct JournalStatistics: Sendable {
    /// Where it ends.
    package let head: JournalHead
    /// How many events were told, by type.
    package let events: [String: Int]
    /// How much is stored; where a journal is written meanwhile, perhaps of some entries more.
    package let storage: StorageStatistics

    /// Counts everything.
    ///
    /// - Throws: ``StorageError``.
    package init(_ journal: OpenJournal) async throws(StorageError) {
        (head, events) = try await journal.engine.read { rows throws(StorageError) in
            (try JournalHead(in: rows), try Self.events(in: rows))
        }
        storage = try await journal.engine.statistics()
    }

    private static func events(in rows: any StorageReader) throws(StorageError) -> [String: Int] {
        var events: [String: Int] = [:]
        for page in StoragePages(.events, in: rows) {
            for row in try page.get() {
                guard let id = EventID(key: row.key), let event = Event(id, row: row.value)
                else { throw .damagedRow(.events, of: "an event") }
                events[event.type, default: 0] += 1
            }
        }
        return events
    }
}
