import CSQLite
import CounterfoilBasics
import Glibc
package import Journal

extension SQLiteEngine {
    /// Copies the database as it is at one moment, while it is written on, by this process or by
    /// another one.
    ///
    /// When it returns, the copy is whole, looked through page by page, and on the disk. Before
    /// that nothing has the target's name. Only the user who runs the process may read the copy.
    /// What is written meanwhile stays in the log, which grows as long as this takes.
    ///
    /// - Parameter target: The file of the copy; there must be none yet, but its folder must be there.
    /// - Throws: ``StorageError``: `storage.target_exists` where there is a file already,
    ///   `storage.full` where there is no room for the copy. Nothing is left of it then.
    package func backUp(to target: String) async throws(StorageError) {
        let options = options
        try await withReader { connection throws(StorageError) in
            let copy = try UnfinishedCopy(of: target)
            try copy.fill(from: connection, options)
            try copy.publish()
        }
    }
}

/// A copy in the making, which goes away unless it is published.
@safe
private final class UnfinishedCopy {
    private let target: String
    /// Where it is until then, beside the target.
    private let path: String

    init(of target: String) throws(StorageError) {
        self.target = target
        // Looked at now so that nothing is copied in vain; publishing refuses by itself.
        guard unsafe access(target, F_OK) != 0 else { throw Self.exists(target) }
        var template = Array("\(target).partial-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw Self.refusal("made", target, errno) }
        _ = Glibc.close(descriptor)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
    }

    /// Copies what the transaction of a connection sees, and looks through it.
    func fill(
        from source: Connection,
        _ options: SQLiteEngine.Options
    ) throws(StorageError) {
        let copy = try Connection(path, .writing, options)
        // It is put on the disk as a whole, below.
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        // From now on the transaction sees one moment, so that nothing that is written meanwhile
        // makes SQLite begin anew.
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        try Self.copyPages(of: source, to: copy)
        try copy.requireWholePages()
    }

    private static func copyPages(
        of source: Connection,
        to copy: Connection
    ) throws(StorageError) {
        let result = unsafe source.withDatabases(copy) { source, copy in
            guard let backup = unsafe sqlite3_backup_init(copy, "main", source, "main") else {
                return unsafe sqlite3_extended_errcode(copy)
            }
            while unsafe sqlite3_backup_step(backup, pagesAtOnce) == SQLITE_OK {}
            // It says what a step failed with.
            return unsafe sqlite3_backup_finish(backup)
        }
        guard result == SQLITE_OK else { throw copy.error(result) }
    }

    /// How many pages are copied in one step: 16 MiB.
    private static let pagesAtOnce: Int32 = 4_096

    /// Puts it on the disk, and only then gives it its name.
    func publish() throws(StorageError) {
        try Self.synchronize(path)
        // Unlike a renaming, a link takes no other file's place.
        guard unsafe link(path, target) == 0 else {
            let number = errno
            throw number == EEXIST ? Self.exists(target) : Self.refusal("named", target, number)
        }
        _ = unsafe unlink(path)
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        try Self.synchronize(folder)
    }

    private static func synchronize(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal("opened", path, errno) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw refusal("put on the disk", path, errno) }
    }

    // MARK: - Errors

    private static func exists(_ target: String) -> StorageError {
        StorageError(StorageError.targetExists, "there is a file \(target) already")
    }

    private static func refusal(_ verb: String, _ path: String, _ number: Int32) -> StorageError {
        StorageError(system: number, "\(path) cannot be \(verb)")
    }
}
