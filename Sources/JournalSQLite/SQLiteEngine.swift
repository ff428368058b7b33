import CounterfoilBasics
package import Journal

/// Keeps rows in an SQLite database: write-ahead log, every commit on the disk before it is told.
///
/// One connection writes and some others read, each on a thread of its own, so what is read never
/// waits for the disk that a writer waits for, nor for somebody who reads for long. One process
/// writes a database at a time; others may read it meanwhile.
package final class SQLiteEngine: StorageEngine {
    /// What a database is opened for.
    package enum Access: Hashable, Sendable {
        /// To read it, beside a process that writes it perhaps; it must be there.
        case reading
        /// To read and write it; it is made where there is none.
        case writing
    }

    /// How a database is opened.
    package struct Options: Hashable, Sendable {
        /// How long to wait for another process before it is an error.
        package var patience = Duration.seconds(5)
        /// How many may read at once.
        package var readers = 4
        /// The name of the SQLite VFS that reaches the disk; nil for the system's own.
        package var fileSystem: String?
        /// What the database is brought to.
        package var layout = Layout.current

        package init() {}
    }

    private let writer: SQLiteWorker?
    private let readers: ReaderPool
    let path: String
    let options: Options

    /// Opens a database; for writing it is also made, brought to the newest layout and looked at
    /// whether it is whole.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: What it is opened for.
    ///   - options: How.
    /// - Throws: ``StorageError``; `storage.busy` where another process writes it already.
    package init(
        path: String,
        _ access: Access = .writing,
        options: Options = Options()
    ) async throws(StorageError) {
        self.path = path
        self.options = options
        writer = access == .writing ? try SQLiteWorker() : nil
        readers = try ReaderPool(count: options.readers)
        do throws(StorageError) {
            try await writer?.open(path, .writing, options)
            try await readers.open(path, options)
        } catch {
            await close()
            throw error
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await readers.lend { reader throws(StorageError) in
            try await reader.transaction(body)
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        guard let writer else {
            throw StorageError(
                StorageError.readOnly,
                "the database \(path) was opened to be read only"
            )
        }
        return try await writer.transaction(body)
    }

    package func close() async {
        await readers.close()
        await writer?.close()
    }

    /// Lends a connection that reads, for what goes beyond rows.
    func withReader<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await readers.lend { reader throws(StorageError) in
            try await reader.transaction { rows throws(StorageError) in
                try body(rows.connection)
            }
        }
    }
}
