import Journal

/// A database's layout, by numbered steps that go forward only.
///
/// A step that was ever released is never changed. Each runs in a transaction of its own with the
/// new number, so one that was interrupted is as if it had not begun, and opening again goes on
/// with it.
package struct Layout: Hashable, Sendable {
    /// Marks a database as ours: "Cntf".
    private static let applicationId: Int64 = 0x436E_7466

    /// What each step does, in SQL.
    package let steps: [String]

    package init(steps: [String]) { self.steps = steps }

    /// The layout of this version of the program.
    ///
    /// A table is named in the step that makes it: one that comes later is another step.
    package static let current = Layout(steps: [
        rowsInOrder([
            "journal", "persons", "statements", "occurrences", "rules", "events", "aliases",
            "agenda",
            "readers", "properties",
        ])
            + rowsByIndex([
                "evidence", "evidence_bytes", "shared_bytes", "claims", "lineages",
            ]),
        rowsInOrder(["inbox", "quarantine"]),
    ])

    /// Tables whose rows are kept in the order of their keys, in one tree: for rows that are small,
    /// or come in that order.
    private static func rowsInOrder(_ tables: [String]) -> String {
        tables
            .map {
                "CREATE TABLE \($0) (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID;\n"
            }
            .joined()
    }

    /// Tables whose rows are kept as they come, with an index of their keys: for keys without
    /// order, such as digests, where only the index is written in many places, and for rows that
    /// are large.
    private static func rowsByIndex(_ tables: [String]) -> String {
        tables.map { "CREATE TABLE \($0) (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL);\n" }
            .joined()
    }

    /// The number of a database's layout, 0 for an empty one; nothing is written.
    ///
    /// - Throws: `storage.damaged` for a database of another program, `storage.too_new` for a layout
    ///   that is not known.
    func version(of connection: Connection) throws(StorageError) -> Int {
        let found = try connection.number("PRAGMA application_id")
        let version = try connection.number("PRAGMA user_version")
        let objects = try connection.number("SELECT count(*) FROM sqlite_schema")
        let isEmpty = found == 0 && version == 0 && objects == 0
        guard found == Self.applicationId || isEmpty else {
            throw StorageError(
                StorageError.damaged,
                "the database is of another program (its application id is \(found))"
            )
        }
        guard version <= steps.count else {
            throw StorageError(
                StorageError.tooNew,
                "the database has layout \(version); this version of the program knows "
                    + "\(steps.count)"
            )
        }
        return Int(version)
    }

    /// Refuses a layout that only opening for writing can bring to the newest one.
    func requireNewest(_ version: Int) throws(StorageError) {
        guard version > 0 else {
            throw StorageError(StorageError.damaged, "the database is empty")
        }
        guard version == steps.count else {
            throw StorageError(
                StorageError.readOnly,
                "the database has layout \(version), and must be opened for writing once to get "
                    + "layout \(steps.count)"
            )
        }
    }

    /// Brings a database to the newest layout.
    func migrate(_ connection: Connection) throws(StorageError) {
        for step in try version(of: connection)..<steps.count {
            do throws(StorageError) {
                try connection.execute(
                    "BEGIN IMMEDIATE; \(steps[step]) PRAGMA application_id = "
                        + "\(Self.applicationId); PRAGMA user_version = \(step + 1); COMMIT"
                )
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }
}

extension Connection {
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
        // 32 MiB are written before they are carried over into the database, each page once. After
        // a long reader held that up, the log is cut to twice as much.
        try execute("PRAGMA wal_autocheckpoint = 8192")
        try execute("PRAGMA journal_size_limit = 67108864")
        // Keys without order touch pages everywhere.
        try execute("PRAGMA cache_size = -65536")
    }

    /// Refuses a database whose pages are damaged.
    func requireWholePages() throws(StorageError) {
        let found = try query("PRAGMA quick_check(1)") { $0.text(0) }
        guard found == ["ok"] else {
            throw StorageError(
                StorageError.damaged,
                "the database is damaged: \(found.first ?? "it says nothing")"
            )
        }
    }
}
