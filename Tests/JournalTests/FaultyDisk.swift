import CSQLiteFaults
import JournalSQLite

/// A disk that fails when it is told to; one test at a time uses it.
enum FaultyDisk {
    private static let name = String(cString: counterfoil_faults_register())

    /// What is done to files.
    struct Operations: OptionSet {
        let rawValue: Int32

        static let write = Self(rawValue: Int32(COUNTERFOIL_WRITE))
        static let sync = Self(rawValue: Int32(COUNTERFOIL_SYNC))
        static let truncate = Self(rawValue: Int32(COUNTERFOIL_TRUNCATE))
        static let delete = Self(rawValue: Int32(COUNTERFOIL_DELETE))
        /// A write beyond the end of a file.
        static let grow = Self(rawValue: Int32(COUNTERFOIL_GROW))
        static let read = Self(rawValue: Int32(COUNTERFOIL_READ))
        /// Everything that changes files.
        static let changes: Self = [.write, .sync, .truncate, .delete]
    }

    /// How they fail.
    enum Failure: CaseIterable {
        case fails
        case fallsShort
        case isFull

        fileprivate var number: Int32 {
            switch self {
            case .fails: Int32(COUNTERFOIL_FAILS)
            case .fallsShort: Int32(COUNTERFOIL_FALLS_SHORT)
            case .isFull: Int32(COUNTERFOIL_IS_FULL)
            }
        }
    }

    /// Options for an engine on it.
    static var options: SQLiteEngine.Options {
        var options = SQLiteEngine.Options()
        options.fileSystem = name
        return options
    }

    /// From now on so many operations go well, and so many after them fail.
    static func fail(
        _ operations: Operations,
        _ failure: Failure = .fails,
        after well: Int = 0,
        times: Int = 1
    ) {
        counterfoil_faults_arm(operations.rawValue, failure.number, well, times)
    }

    /// From now on nothing fails.
    static func heal() { counterfoil_faults_disarm() }

    /// Carries the log of a database over into it, as SQLite does when the log has grown.
    static func carryOver(_ path: String) {
        _ = counterfoil_run_sql(path, name, "PRAGMA wal_checkpoint(RESTART)")
    }

    /// How many operations there were since it was told to fail, and how many of them failed.
    static var seen: Int { counterfoil_faults_seen() }
    static var failed: Int { counterfoil_faults_failed() }
}
