import CSQLite
import Journal

/// Rows that one commit put, and those that it took out.
struct RecordedRow: Sendable {
    let table: StorageTable
    let key: [UInt8]
    /// Nil where the row was taken out.
    let value: [UInt8]?
}

/// Writes rows into SQLite with nothing of ours in between: prepared statements, one transaction a
/// batch, every commit on the disk before it is told.
final class BareSQLite {
    private var database: OpaquePointer?
    private var puts: [StorageTable: OpaquePointer] = [:]
    private var removals: [StorageTable: OpaquePointer] = [:]

    init(_ path: String) throws {
        guard sqlite3_open(path, &database) == SQLITE_OK else {
            throw StorageError(StorageError.cannotOpen, path)
        }
        sqlite3_exec(database, "PRAGMA journal_mode = WAL", nil, nil, nil)
        sqlite3_exec(database, "PRAGMA synchronous = FULL", nil, nil, nil)
        for table in StorageTable.allCases {
            puts[table] = prepare(
                "INSERT INTO \(table.rawValue) (k, v) VALUES (?, ?)"
                    + " ON CONFLICT (k) DO UPDATE SET v = excluded.v"
            )
            removals[table] = prepare("DELETE FROM \(table.rawValue) WHERE k = ?")
        }
    }

    deinit {
        for statement in Array(puts.values) + Array(removals.values) { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// Commits some entries' rows together.
    func insert(_ entries: ArraySlice<[RecordedRow]>) {
        sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        for entry in entries {
            for row in entry {
                let statement = row.value == nil ? removals[row.table] : puts[row.table]
                bind(row.key, to: statement, at: 1)
                if let value = row.value { bind(value, to: statement, at: 2) }
                precondition(sqlite3_step(statement) == SQLITE_DONE, "SQLite takes rows")
                sqlite3_reset(statement)
            }
        }
        precondition(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK, "it commits")
    }

    /// The bytes of the file, once everything of the log is in it.
    func bytesOfFile() throws -> Int {
        sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
        func number(_ pragma: String) -> Int {
            let statement = prepare("PRAGMA \(pragma)")
            defer { sqlite3_finalize(statement) }
            sqlite3_step(statement)
            return Int(sqlite3_column_int64(statement, 0))
        }
        return number("page_count") * number("page_size")
    }

    private func prepare(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        precondition(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sql)
        return statement
    }

    private func bind(_ bytes: [UInt8], to statement: OpaquePointer?, at position: Int32) {
        bytes.withUnsafeBytes {
            _ = counterfoil_sqlite_bind_copy(
                statement,
                position,
                $0.baseAddress,
                UInt64($0.count)
            )
        }
    }
}

/// Keeps rows in another engine, and remembers which.
actor RecordingEngine: StorageEngine {
    private let engine: any StorageEngine
    private var rows: [RecordedRow] = []

    init(beside engine: any StorageEngine) { self.engine = engine }

    /// What was written since it was asked last.
    func take() -> [RecordedRow] {
        defer { rows = [] }
        return rows
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result { try await engine.read(body) }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let (result, written) = try await engine.write { writer throws(StorageError) in
            let recorder = Recorder(writer)
            return (try body(recorder), recorder.rows)
        }
        rows += written
        return result
    }

    func statistics() async throws(StorageError) -> StorageStatistics {
        try await engine.statistics()
    }

    func close() async { await engine.close() }

    private final class Recorder: StorageWriter {
        private let writer: any StorageWriter
        private(set) var rows: [RecordedRow] = []

        init(_ writer: any StorageWriter) { self.writer = writer }

        func value(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
            try writer.value(table, key)
        }

        func rows(
            _ table: StorageTable,
            _ range: StorageRange
        ) throws(StorageError) -> [StorageRow] { try writer.rows(table, range) }

        func put(
            _ table: StorageTable,
            _ key: [UInt8],
            _ value: [UInt8]
        ) throws(StorageError) {
            rows.append(RecordedRow(table: table, key: key, value: value))
            try writer.put(table, key, value)
        }

        func putIfAbsent(
            _ table: StorageTable,
            _ key: [UInt8],
            _ value: [UInt8]
        ) throws(StorageError) -> Bool {
            let isAdded = try writer.putIfAbsent(table, key, value)
            if isAdded { rows.append(RecordedRow(table: table, key: key, value: value)) }
            return isAdded
        }

        func remove(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) {
            rows.append(RecordedRow(table: table, key: key, value: nil))
            try writer.remove(table, key)
        }
    }
}
