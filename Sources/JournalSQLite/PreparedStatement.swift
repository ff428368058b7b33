import CSQLite
import Journal

/// A statement that SQLite compiled once, with blobs for its `?`s.
@safe
final class PreparedStatement {
    private let statement: OpaquePointer
    private let connection: Connection

    /// Takes a statement of a connection over.
    init(_ statement: OpaquePointer, of connection: Connection) {
        unsafe self.statement = statement
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Runs it and reads its first row; nil where there is none.
    func first<Row>(
        _ value: [UInt8],
        _ row: (Columns) -> Row
    ) throws(StorageError) -> Row? {
        var found: Row?
        let result = lending(value, at: 1) {
            let result = unsafe sqlite3_step(statement)
            if result == SQLITE_ROW { found = row(unsafe Columns(statement)) }
            return result
        }
        guard result == SQLITE_ROW || result == SQLITE_DONE else { throw connection.error(result) }
        return found
    }

    /// Runs it for what it does.
    func run() throws(StorageError) {
        try require(unsafe sqlite3_step(statement))
        rewind()
    }

    /// Runs it for what it does, with a value.
    func run(_ value: [UInt8]) throws(StorageError) {
        try require(lending(value, at: 1) { unsafe sqlite3_step(statement) })
    }

    /// Runs it for what it does, with two values.
    func run(_ first: [UInt8], _ second: [UInt8]) throws(StorageError) {
        try require(
            lending(first, at: 1) { lending(second, at: 2) { unsafe sqlite3_step(statement) } }
        )
    }

    /// Runs it and gives its rows.
    ///
    /// - Parameters:
    ///   - values: The values, in their order.
    ///   - limit: How many rows are wanted at most.
    ///   - row: Reads a row.
    /// - Returns: The rows.
    /// - Throws: ``StorageError``.
    func rows<Row>(
        _ values: [[UInt8]] = [],
        limit: Int,
        _ row: (Columns) -> Row
    ) throws(StorageError) -> [Row] {
        defer { rewind() }
        for (index, value) in values.enumerated() {
            let result = unsafe value.withUnsafeBytes {
                unsafe counterfoil_sqlite_bind_copy(
                    statement,
                    Int32(index + 1),
                    $0.baseAddress,
                    UInt64($0.count)
                )
            }
            guard result == SQLITE_OK else { throw connection.error(result) }
        }
        var rows: [Row] = []
        while rows.count < limit {
            let result = unsafe sqlite3_step(statement)
            guard result != SQLITE_DONE else { break }
            guard result == SQLITE_ROW else { throw connection.error(result) }
            rows.append(row(unsafe Columns(statement)))
        }
        return rows
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

    // MARK: - Steps

    /// Runs a step while SQLite may read a value where it is; a value is not copied.
    private func lending(_ value: [UInt8], at position: Int32, step: () -> Int32) -> Int32 {
        unsafe value.withUnsafeBytes { bytes in
            let bound = unsafe counterfoil_sqlite_bind_lent(
                statement,
                position,
                bytes.baseAddress,
                UInt64(bytes.count)
            )
            guard bound == SQLITE_OK else { return bound }
            defer { rewind() }
            return step()
        }
    }

    private func require(_ result: Int32) throws(StorageError) {
        guard result != SQLITE_DONE else { return }
        let error = connection.error(result)
        rewind()
        throw error
    }

    /// Ends the present run; an error that it ended with was told already.
    private func rewind() {
        _ = unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
    }
}
