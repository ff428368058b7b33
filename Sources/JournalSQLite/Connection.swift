import CSQLite
import CounterfoilBasics
import Journal

/// One connection to a database; used by one thread at a time.
@safe
final class Connection {
    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = unsafe [:]

    /// How a database is opened.
    enum Mode {
        case reading
        case writing
    }

    /// Opens a database; for writing it is made where there is none.
    init(_ path: String, _ mode: Mode) throws(StorageError) {
        let flags =
            mode == .writing
            ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let database = unsafe opened else {
            let reason = unsafe opened.map { unsafe Self.message(of: $0) } ?? "no memory"
            unsafe sqlite3_close_v2(opened)
            throw StorageError(
                result == SQLITE_READONLY ? StorageError.readOnly : StorageError.cannotOpen,
                "the database \(path) cannot be opened: \(reason)"
            )
        }
        unsafe self.database = database
        unsafe sqlite3_extended_result_codes(database, 1)
        unsafe sqlite3_busy_timeout(database, 5_000)
    }

    deinit {
        for unsafe(_, statement) in unsafe statements { unsafe sqlite3_finalize(statement) }
        unsafe sqlite3_close_v2(database)
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(StorageError) {
        let result = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result) }
    }

    /// Keeps changes in a log that is on the disk before a commit is told, so that readers and a
    /// writer never wait for each other.
    func keepWriteAheadLog() throws(StorageError) {
        let mode = try query("PRAGMA journal_mode = WAL") { $0.text(0) }
        guard mode == ["wal"] else {
            throw StorageError(
                StorageError.cannotOpen,
                "the database keeps no write-ahead log here; it says \(mode.first ?? "nothing")"
            )
        }
        try execute("PRAGMA synchronous = FULL")
    }

    /// Runs a statement and gives its rows.
    ///
    /// - Parameters:
    ///   - sql: The statement, with a `?` for each value.
    ///   - values: The values, in their order.
    ///   - limit: How many rows are wanted at most.
    ///   - row: Reads a row.
    /// - Returns: The rows.
    /// - Throws: ``StorageError``.
    func query<Row>(
        _ sql: String,
        _ values: [Value] = [],
        limit: Int = .max,
        _ row: (Columns) -> Row
    ) throws(StorageError) -> [Row] {
        let statement = unsafe try prepared(sql)
        defer {
            _ = unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try unsafe bind(value, to: statement, at: Int32(index + 1))
        }
        var rows: [Row] = []
        while rows.count < limit {
            let result = unsafe sqlite3_step(statement)
            guard result != SQLITE_DONE else { break }
            guard result == SQLITE_ROW else { throw error(result) }
            rows.append(row(unsafe Columns(statement)))
        }
        return rows
    }

    /// A value in the place of a `?`.
    enum Value {
        case bytes([UInt8])
        case integer(Int64)
    }

    /// The columns of a row, while it is looked at.
    @safe
    struct Columns {
        private let statement: OpaquePointer

        fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

        func bytes(_ column: Int32) -> [UInt8] {
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            guard count > 0, let start = unsafe sqlite3_column_blob(statement, column) else {
                return []
            }
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    }

    private func prepared(_ sql: String) throws(StorageError) -> OpaquePointer {
        if let statement = unsafe statements[sql] { return unsafe statement }
        var made: OpaquePointer?
        let result = unsafe sqlite3_prepare_v3(
            database,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &made,
            nil
        )
        guard result == SQLITE_OK, let statement = unsafe made else { throw error(result) }
        unsafe statements[sql] = statement
        return unsafe statement
    }

    private func bind(
        _ value: Value,
        to statement: OpaquePointer,
        at position: Int32
    ) throws(StorageError) {
        let result =
            switch value {
            case .bytes(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe counterfoil_sqlite_bind_copy(
                        statement,
                        position,
                        $0.baseAddress,
                        UInt64($0.count)
                    )
                }
            case .integer(let number): unsafe sqlite3_bind_int64(statement, position, number)
            }
        guard result == SQLITE_OK else { throw error(result) }
    }

    // MARK: - Errors

    private func error(_ result: Int32) -> StorageError {
        StorageError(Self.code(of: result), unsafe Self.message(of: database))
    }

    private static func message(of database: OpaquePointer) -> String {
        guard let text = unsafe sqlite3_errmsg(database) else { return "no reason was given" }
        return
            unsafe "\(String(cString: text)) (SQLite's code \(sqlite3_extended_errcode(database)))"
    }

    /// What SQLite's primary code means for whoever waits.
    private static func code(of result: Int32) -> ErrorCode {
        switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: StorageError.busy
        case SQLITE_FULL: StorageError.full
        case SQLITE_READONLY, SQLITE_PERM: StorageError.readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: StorageError.damaged
        case SQLITE_CANTOPEN: StorageError.cannotOpen
        case SQLITE_TOOBIG: StorageError.tooLarge
        default: StorageError.inputOutput
        }
    }
}
