/// How much is in a journal.
package struct JournalStatistics: Sendable {
    /// Where it ends.
    package let head: JournalHead
    /// The tables, in the order in which they are listed.
    package let tables: [TableSize]
    /// How many events were told, by type.
    package let events: [String: Int]

    /// How much is in a table.
    package struct TableSize: Hashable, Sendable {
        package let table: StorageTable
        package fileprivate(set) var rows = 0
        /// Of keys and values together; what the storage needs beside them is not counted.
        package fileprivate(set) var bytes = 0
    }

    /// Counts everything.
    ///
    /// - Throws: ``StorageError``.
    package init(_ journal: OpenJournal) async throws(StorageError) {
        self = try await journal.engine.read { rows throws(StorageError) in
            try JournalStatistics(in: rows)
        }
    }

    private init(in rows: any StorageReader) throws(StorageError) {
        head = try JournalHead(in: rows)
        var tables: [TableSize] = []
        var events: [String: Int] = [:]
        for table in StorageTable.allCases {
            var size = TableSize(table: table)
            for page in StoragePages(table, in: rows) {
                for row in try page.get() {
                    size.rows += 1
                    size.bytes += row.key.count + row.value.count
                    guard table == .events else { continue }
                    guard let id = EventID(key: row.key), let event = Event(id, row: row.value)
                    else { throw .damagedRow(.events, of: "an event") }
                    events[event.type, default: 0] += 1
                }
            }
            tables.append(size)
        }
        self.tables = tables
        self.events = events
    }
}
