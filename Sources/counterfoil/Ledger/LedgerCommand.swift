import CommandLineInterface
import CounterfoilBasics
import Journal
import JournalSQLite
import PurchaseService

/// `counterfoil ledger`: the record of every purchase, looked at and looked after.
enum LedgerCommand {
    static let command = Command(
        "ledger",
        "look at the record of purchases, and after it",
        discussion: [
            "--database names the file of the ledger, or --config the configuration that names it."
                + " Another process may use it meanwhile, but 'learn' and 'replay' write, and one"
                + " process writes at a time."
        ],
        commands: [
            LedgerLearnCommand.command, LedgerShowCommand.command, LedgerEventsCommand.command,
            LedgerCheckCommand.command, LedgerReplayCommand.command, LedgerStatsCommand.command,
            LedgerBackupCommand.command, LedgerQuarantineCommand.command,
        ]
    )
}

/// Where the record is, as the options say.
enum LedgerOptions {
    static let config = Option.value(
        "config",
        .file,
        "the configuration that names the database"
    )
    static let database = Option.value(
        "database",
        .file,
        "the SQLite database"
    )
    static let format = Option.value(
        "format",
        .choice(of: Format.self),
        default: .human,
        "how to print it"
    )

    /// How an answer is written.
    enum Format: String, CaseIterable, Sendable {
        case human, json
    }

    static let all: [any Declared] = [database, config]

    /// The configuration that was named; the usual one where none was.
    ///
    /// - Throws: `ConfigurationError`.
    static func configuration(_ invocation: Invocation) throws -> Configuration {
        guard let file = invocation[config] else { return Configuration() }
        return try Configuration(file: file, reading: ServeCommand.read)
    }

    /// The file of the database.
    ///
    /// - Throws: `UsageError` where nothing names one.
    static func file(
        _ invocation: Invocation,
        _ configuration: Configuration
    ) throws(UsageError) -> String {
        if let file = invocation[database] { return file }
        switch configuration.database {
        case .sqlite(let path): return path
        case .memory:
            throw UsageError(
                "the configuration keeps its ledger in memory, where nothing stays",
                hints: [
                    "give --database FILE, or write \"database\": \"sqlite:counterfoil.db\" there"
                ]
            )
        case nil where invocation[config] == nil:
            throw UsageError(
                "no database is named",
                hints: ["give --database FILE, or --config FILE with a \"database\" in it"]
            )
        case nil:
            throw UsageError(
                "the configuration names no database",
                hints: [
                    "give --database FILE, or write \"database\": \"sqlite:counterfoil.db\" there"
                ]
            )
        }
    }

    /// The journal in the database, which must be there.
    ///
    /// - Throws: `StorageError`, `ConfigurationError`, `UsageError`.
    static func journal(
        _ invocation: Invocation,
        _ access: SQLiteEngine.Access = .reading
    ) async throws -> OpenJournal {
        let file = try file(invocation, configuration(invocation))
        let name = FileName.shown(file)
        guard FileIdentity(ofFile: file) != nil else {
            throw StorageError(StorageError.cannotOpen, "there is no database \(name)")
        }
        let engine = try await engine(file, access)
        guard let journal = try await OpenJournal(existingIn: engine) else {
            throw StorageError(StorageError.cannotOpen, "nothing was ever recorded in \(name)")
        }
        return journal
    }

    /// The rows of a database; for writing it is made where there is none.
    ///
    /// - Throws: `StorageError`, which names the file.
    static func engine(
        _ file: String,
        _ access: SQLiteEngine.Access
    ) async throws(StorageError) -> SQLiteEngine {
        do throws(StorageError) {
            return try await SQLiteEngine(path: file, access)
        } catch {
            throw error.naming(file)
        }
    }
}

extension StorageError {
    /// The same of a database, whose file it names where it does not yet.
    func naming(_ file: String) -> StorageError {
        let name = FileName.shown(file)
        return reason.contains(name) ? self : StorageError(code, "\(name): \(reason)")
    }
}
