import CounterfoilBasics
package import Journal

/// Keeps rows in an SQLite database: write-ahead log, every commit on the disk before it is told.
///
/// One connection writes and another reads, each on a thread of its own, so what is read never waits
/// for the disk that a writer waits for.
package final class SQLiteEngine: StorageEngine {
    private let writer: Worker
    private let reader: Worker

    /// Opens a database, or makes it; brings it to the newest layout and looks whether it is whole.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``StorageError``.
    package init(path: String) async throws(StorageError) {
        writer = try Worker()
        reader = try Worker()
        do {
            try await writer.open(path, .writing)
            try await reader.open(path, .reading)
        } catch {
            await writer.close()
            await reader.close()
            throw error
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await reader.transaction("BEGIN", body)
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await writer.transaction("BEGIN IMMEDIATE", body)
    }

    package func close() async {
        await reader.close()
        await writer.close()
    }
}

/// A connection on a thread of its own.
private actor Worker {
    private let executor: ThreadExecutor
    private var rows: Rows?

    init() throws(StorageError) {
        do throws(ThreadRefusal) {
            executor = try ThreadExecutor()
        } catch {
            throw StorageError(StorageError.cannotOpen, error.description)
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    func open(_ path: String, _ mode: Connection.Mode) throws(StorageError) {
        let connection = try Connection(path, mode)
        if mode == .writing {
            // A database of another program is left as it is.
            let version = try Schema.version(of: connection)
            try connection.keepWriteAheadLog()
            try Schema.migrate(connection, from: version)
            try Schema.check(connection)
        }
        rows = Rows(connection)
    }

    func transaction<Result: Sendable>(
        _ begin: String,
        _ body: @Sendable (Rows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard let rows else {
            throw StorageError(StorageError.closed, "the storage was closed")
        }
        try rows.connection.execute(begin)
        do throws(StorageError) {
            let result = try body(rows)
            try rows.connection.execute("COMMIT")
            return result
        } catch {
            // Where SQLite rolled back by itself there is nothing left to roll back.
            try? rows.connection.execute("ROLLBACK")
            throw error
        }
    }

    func close() { rows = nil }
}

/// The rows of a database within a transaction.
private struct Rows: StorageWriter {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func value(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
        try connection.query(
            "SELECT v FROM \(table.rawValue) WHERE k = ?",
            [.bytes(key)],
            limit: 1
        ) { $0.bytes(0) }.first
    }

    func rows(_ table: StorageTable, _ range: StorageRange) throws(StorageError) -> [StorageRow] {
        var conditions: [String] = []
        var values: [Connection.Value] = []
        if let from = range.from {
            conditions.append("k >= ?")
            values.append(.bytes(from))
        }
        if let upTo = range.upTo {
            conditions.append("k < ?")
            values.append(.bytes(upTo))
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let order = range.isDescending ? "DESC" : "ASC"
        return try connection.query(
            "SELECT k, v FROM \(table.rawValue)\(filter) ORDER BY k \(order)",
            values,
            limit: range.limit
        ) { StorageRow(key: $0.bytes(0), value: $0.bytes(1)) }
    }

    func put(_ table: StorageTable, _ key: [UInt8], _ value: [UInt8]) throws(StorageError) {
        _ = try connection.query(
            "INSERT INTO \(table.rawValue) (k, v) VALUES (?, ?)"
                + " ON CONFLICT (k) DO UPDATE SET v = excluded.v",
            [.bytes(key), .bytes(value)]
        ) { _ in }
    }

    func remove(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) {
        _ = try connection.query(
            "DELETE FROM \(table.rawValue) WHERE k = ?",
            [.bytes(key)]
        ) { _ in }
    }
}
