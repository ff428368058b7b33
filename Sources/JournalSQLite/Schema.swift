import CounterfoilBasics
import Journal

/// The database's layout, by numbered steps that go forward only.
///
/// A step that was ever released is never changed. Each runs in a transaction of its own with the
/// new number, so one that was interrupted is as if it had not begun.
enum Schema {
    /// Marks a database as ours: "Cntf".
    static let applicationId: Int64 = 0x436E_7466

    /// The steps; the first makes the tables.
    static let steps: [String] = [
        StorageTable.allCases.map { table in
            "CREATE TABLE \(table.rawValue) (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL)"
                + " WITHOUT ROWID;"
        }.joined(separator: "\n")
    ]

    /// The number of a database's layout, 0 for an empty one; nothing is written.
    ///
    /// - Throws: `storage.damaged` for a database of another program, `storage.too_new` for a layout
    ///   that is not known.
    static func version(of connection: Connection) throws(StorageError) -> Int {
        let found = try number("application_id", connection)
        let version = try number("user_version", connection)
        let tables = try connection.query("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        let isEmpty = found == 0 && version == 0 && tables == [0]
        guard found == applicationId || isEmpty else {
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

    /// Brings a database from a layout to the newest one.
    static func migrate(_ connection: Connection, from version: Int) throws(StorageError) {
        for step in version..<steps.count {
            try connection.execute(
                "BEGIN IMMEDIATE; \(steps[step]) PRAGMA application_id = \(applicationId); "
                    + "PRAGMA user_version = \(step + 1); COMMIT"
            )
        }
    }

    /// Refuses a database whose pages are damaged.
    static func check(_ connection: Connection) throws(StorageError) {
        let found = try connection.query("PRAGMA quick_check(1)") { $0.text(0) }
        guard found == ["ok"] else {
            throw StorageError(
                StorageError.damaged,
                "the database is damaged: \(found.first ?? "it says nothing")"
            )
        }
    }

    private static func number(
        _ pragma: String,
        _ connection: Connection
    ) throws(StorageError) -> Int64 {
        try connection.query("PRAGMA \(pragma)") { $0.integer(0) }.first ?? 0
    }
}
