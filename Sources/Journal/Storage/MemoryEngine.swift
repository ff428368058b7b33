/// Keeps rows in memory: for tests, and for servers that shall forget.
package actor MemoryEngine: StorageEngine {
    private var tables = Tables()
    private var isOpen = true

    package init() {}

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try requireOpen()
        return try body(tables)
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try requireOpen()
        // The tables are handed over, so that a change copies none of them.
        let transaction = Transaction(tables)
        tables = Tables()
        defer { tables = transaction.tables }
        do throws(StorageError) {
            return try body(transaction)
        } catch {
            transaction.rollBack()
            throw error
        }
    }

    package func statistics() throws(StorageError) -> StorageStatistics {
        try requireOpen()
        let sizes = StorageTable.allCases.map { table in
            let rows = tables.rows[table] ?? []
            let size = StorageStatistics.Table(
                rows: rows.count,
                keyBytes: rows.reduce(0) { $0 + $1.key.count },
                valueBytes: rows.reduce(0) { $0 + $1.value.count }
            )
            return (table, size)
        }
        return StorageStatistics(tables: Dictionary(uniqueKeysWithValues: sizes))
    }

    package func close() { isOpen = false }

    private func requireOpen() throws(StorageError) {
        guard isOpen else { throw StorageError(StorageError.closed, "the storage was closed") }
    }

    /// Rows in the order of their keys.
    private struct Tables: StorageReader {
        var rows: [StorageTable: [StorageRow]] = [:]

        func value(_ table: StorageTable, _ key: [UInt8]) -> [UInt8]? {
            let (index, isThere) = place(of: key, in: table)
            return isThere ? rows[table]?[index].value : nil
        }

        func rows(_ table: StorageTable, _ range: StorageRange) -> [StorageRow] {
            let all = rows[table] ?? []
            let first = range.from.map { Self.index(of: $0, in: all) } ?? 0
            let last = range.upTo.map { Self.index(of: $0, in: all) } ?? all.count
            guard first < last else { return [] }
            return range.isDescending
                ? Array(all[first..<last].reversed().prefix(range.limit))
                : Array(all[first..<last].prefix(range.limit))
        }

        mutating func put(_ table: StorageTable, _ row: StorageRow) {
            let (index, isThere) = place(of: row.key, in: table)
            if isThere {
                rows[table]?[index] = row
            } else {
                rows[table, default: []].insert(row, at: index)
            }
        }

        mutating func remove(_ table: StorageTable, _ key: [UInt8]) {
            let (index, isThere) = place(of: key, in: table)
            if isThere { rows[table]?.remove(at: index) }
        }

        /// Where a key is, or would be.
        private func place(
            of key: [UInt8],
            in table: StorageTable
        ) -> (index: Int, isThere: Bool) {
            let found = rows[table] ?? []
            let index = Self.index(of: key, in: found)
            return (index, index < found.count && found[index].key == key)
        }

        private static func index(of key: [UInt8], in rows: [StorageRow]) -> Int {
            var range = 0..<rows.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                if rows[middle].key.lexicographicallyPrecedes(key) {
                    range = middle + 1..<range.upperBound
                } else {
                    range = range.lowerBound..<middle
                }
            }
            return range.lowerBound
        }
    }

    /// Changes that can be taken back.
    private final class Transaction: StorageWriter {
        private(set) var tables: Tables
        private var before: [(table: StorageTable, key: [UInt8], value: [UInt8]?)] = []

        init(_ tables: Tables) { self.tables = tables }

        func value(_ table: StorageTable, _ key: [UInt8]) -> [UInt8]? { tables.value(table, key) }

        func rows(_ table: StorageTable, _ range: StorageRange) -> [StorageRow] {
            tables.rows(table, range)
        }

        func put(_ table: StorageTable, _ key: [UInt8], _ value: [UInt8]) {
            before.append((table, key, tables.value(table, key)))
            tables.put(table, StorageRow(key: key, value: value))
        }

        func remove(_ table: StorageTable, _ key: [UInt8]) {
            before.append((table, key, tables.value(table, key)))
            tables.remove(table, key)
        }

        func rollBack() {
            for (table, key, value) in before.reversed() {
                if let value {
                    tables.put(table, StorageRow(key: key, value: value))
                } else {
                    tables.remove(table, key)
                }
            }
        }
    }
}
