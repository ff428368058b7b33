import CSQLite
import CounterfoilBasics
import Glibc
import Journal

/// One connection to a database; used by one thread at a time.
@safe
final class Connection {
    private let database: OpaquePointer

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; for writing it is made where there is none.
    ///   - access: What for.
    ///   - options: How.
    /// - Throws: ``StorageError``.
    init(
        _ path: String,
        _ access: SQLiteEngine.Access,
        _ options: SQLiteEngine.Options
    ) throws(StorageError) {
        let flags =
            access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        if access == .writing { Self.makeForOwnerAlone(path) }
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(
            path,
            &opened,
            flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            options.fileSystem
        )
        guard result == SQLITE_OK, let database = unsafe opened else {
            let error = unsafe Self.error(result, opened)
            unsafe sqlite3_close_v2(opened)
            throw StorageError(error.code, "the database \(path) cannot be opened: \(error.reason)")
        }
        unsafe self.database = database
        let wait = Int32(clamping: options.patience.milliseconds)
        unsafe sqlite3_busy_timeout(database, wait)
        // SQLite falls back to reading where it may not write.
        if access == .writing, unsafe sqlite3_db_readonly(database, "main") == 1 {
            throw StorageError(
                StorageError.readOnly,
                "the database \(path) may be read and not written"
            )
        }
    }

    deinit { unsafe sqlite3_close_v2(database) }

    /// Makes the file where there is none, for its owner alone, because account tokens stand in it.
    ///
    /// SQLite gives the files beside it the same mode, and says what is wrong where this fails.
    private static func makeForOwnerAlone(_ path: String) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The file, with links followed; nil for a database that is kept in none.
    var file: String? {
        guard let name = unsafe sqlite3_db_filename(database, "main") else { return nil }
        let file = unsafe String(cString: name)
        return file.isEmpty ? nil : file
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(StorageError) {
        let result = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result) }
    }

    /// Takes back what the open transaction did, if one is open: after some failures SQLite did so
    /// by itself.
    func rollBack() {
        guard unsafe sqlite3_get_autocommit(database) == 0 else { return }
        // The error that led here is told; what could not be taken back now is not committed
        // either.
        try? execute("ROLLBACK")
    }

    /// Prepares a statement, to be used again and again.
    func prepare(_ sql: String) throws(StorageError) -> PreparedStatement {
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
        return unsafe PreparedStatement(statement, of: self)
    }

    /// Runs a statement without values once and gives its rows.
    func query<Row>(
        _ sql: String,
        _ row: (PreparedStatement.Columns) -> Row
    ) throws(StorageError) -> [Row] {
        try prepare(sql).rows(limit: .max, row)
    }

    /// What a statement without values says in its first row; 0 where it gives none.
    func number(_ sql: String) throws(StorageError) -> Int64 {
        try query(sql) { $0.integer(0) }.first ?? 0
    }

    /// Lends two databases to what needs SQLite itself, which gives a result of SQLite's.
    func withDatabases(
        _ other: Connection,
        _ body: (OpaquePointer, OpaquePointer) -> Int32
    ) -> Int32 { unsafe body(database, other.database) }

    /// Whether the statement that ran last added, replaced or took out a row.
    var lastRunChangedRows: Bool { unsafe sqlite3_changes(database) > 0 }

    // MARK: - Errors

    /// The error of a call that gave a result other than "ok", directly after it.
    func error(_ result: Int32) -> StorageError { unsafe Self.error(result, database) }

    private static func error(_ result: Int32, _ database: OpaquePointer?) -> StorageError {
        var reason = unsafe "\(String(cString: sqlite3_errstr(result))) (SQLite's code \(result))"
        guard let database = unsafe database else {
            return StorageError(code(of: result, system: 0), reason)
        }
        if let text = unsafe sqlite3_errmsg(database) {
            reason = unsafe "\(String(cString: text)) (SQLite's code \(result))"
        }
        // SQLite keeps the system's error with these two alone.
        let hasSystemError = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(result & 0xFF)
        let system = hasSystemError ? unsafe sqlite3_system_errno(database) : 0
        if system != 0 { reason += "; the system says: \(StorageError.words(ofSystem: system))" }
        return StorageError(code(of: result, system: system), reason)
    }

    /// What SQLite's primary code, and the system's, mean for whoever waits.
    private static func code(of result: Int32, system: Int32) -> ErrorCode {
        // A log that cannot grow is told as a failure to write or to open.
        if StorageError.code(ofSystem: system) == StorageError.full { return StorageError.full }
        return switch result & 0xFF {
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
