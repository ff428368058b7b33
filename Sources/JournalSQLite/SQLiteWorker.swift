import CounterfoilBasics
import Journal

/// A connection on a thread of its own.
actor SQLiteWorker {
    private let executor: ThreadExecutor
    private var session: Session?

    /// An open connection.
    private struct Session {
        let rows: SQLiteRows
        let begin: PreparedStatement
        let commit: PreparedStatement
        /// Held as long as the connection writes.
        let lock: WriterLock?
    }

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

    /// Opens a database; what is written into one that is made, or has an older layout, is durable
    /// when this returns.
    func open(
        _ path: String,
        _ access: SQLiteEngine.Access,
        _ options: SQLiteEngine.Options
    ) throws(StorageError) {
        let connection = try Connection(path, access, options)
        let layout = options.layout
        // A database of another program is left as it is.
        let found = try layout.version(of: connection)
        var lock: WriterLock?
        if access == .writing {
            lock = try WriterLock(connection, path, patience: options.patience)
            try connection.keepWriteAheadLog()
            try layout.migrate(connection)
            try connection.requireWholePages()
        } else {
            try layout.requireNewest(found)
        }
        session = Session(
            rows: SQLiteRows(connection),
            begin: try connection.prepare(access == .writing ? "BEGIN IMMEDIATE" : "BEGIN"),
            commit: try connection.prepare("COMMIT"),
            lock: lock
        )
    }

    /// Runs a body between the beginning and the end of a transaction.
    func transaction<Result: Sendable>(
        _ body: @Sendable (SQLiteRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard let session else {
            throw StorageError(StorageError.closed, "the storage was closed")
        }
        do throws(StorageError) {
            try session.begin.run()
            let result = try body(session.rows)
            try session.commit.run()
            return result
        } catch {
            session.rows.connection.rollBack()
            throw error
        }
    }

    func close() { session = nil }
}
