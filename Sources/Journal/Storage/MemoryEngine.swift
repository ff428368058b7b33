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
        let transaction = Transaction(tables)
        let result = try body(transaction)
        tables = transaction.tables
        return result
    }

    package func close() { isOpen = false }

    private func requireOpen() throws(StorageError) {
        guard isOpen else { throw StorageError(StorageError.closed, "the storage was closed") }
    }

    /// Rows in the order of their keys.
    private struct Tables: StorageReader {
        var rows: [StorageTable: [StorageRow]] = [:]

        func value(_ table: StorageTable, _ key: [UInt8]) -> [UInt8]? {
            let found = rows[table] ?? []
            let index = Self.index(of: key, in: found)
            return index < found.count && found[index].key == key ? found[index].value : nil
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
            let index = Self.index(of: row.key, in: rows[table] ?? [])
            if let found = rows[table], index < found.count, found[index].key == row.key {
                rows[table]?[index] = row
            } else {
                rows[table, default: []].insert(row, at: index)
            }
        }

        mutating func remove(_ table: StorageTable, _ key: [UInt8]) {
            let index = Self.index(of: key, in: rows[table] ?? [])
            guard let found = rows[table], index < found.count, found[index].key == key else {
                return
            }
            rows[table]?.remove(at: index)
        }

        /// Where a key is, or would be.
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

    /// Changes that are not kept yet.
    private final class Transaction: StorageWriter {
        var tables: Tables

        init(_ tables: Tables) { self.tables = tables }

        func value(_ table: StorageTable, _ key: [UInt8]) -> [UInt8]? { tables.value(table, key) }

        func rows(_ table: StorageTable, _ range: StorageRange) -> [StorageRow] {
            tables.rows(table, range)
        }

        func put(_ table: StorageTable, _ key: [UInt8], _ value: [UInt8]) {
            tables.put(table, StorageRow(key: key, value: value))
        }

        func remove(_ table: StorageTable, _ key: [UInt8]) { tables.remove(table, key) }
    }
}
