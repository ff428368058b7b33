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
            "Works on the database of a server, running or not: --database names its file, or"
                + " --config the configuration that names it."
        ],
        commands: [
            LedgerLearnCommand.command, LedgerShowCommand.command, LedgerEventsCommand.command,
            LedgerCheckCommand.command, LedgerReplayCommand.command, LedgerStatsCommand.command,
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
            throw UsageError("the configuration keeps its record in memory, where nothing stays")
        case nil:
            throw UsageError(
                "no database is named: give --database FILE, or --config FILE with one"
            )
        }
    }

    /// The journal in the database, which must be there.
    ///
    /// - Throws: `StorageError`, `ConfigurationError`, `UsageError`.
    static func journal(_ invocation: Invocation) async throws -> OpenJournal {
        let file = try file(invocation, configuration(invocation))
        guard FileIdentity(ofFile: file) != nil else {
            throw UsageError("there is no database \(FileName.shown(file))")
        }
        let engine = try await SQLiteEngine(path: file, .reading)
        guard let journal = try await OpenJournal(existingIn: engine) else {
            throw UsageError("nothing was ever recorded in \(FileName.shown(file))")
        }
        return journal
    }
}
