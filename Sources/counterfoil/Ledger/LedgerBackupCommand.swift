import CommandLineInterface
import Journal
import JournalSQLite

/// `counterfoil ledger backup`: a copy of the record, while a server goes on writing it.
enum LedgerBackupCommand {
    static let command = Command(
        "backup",
        "copy it while it is written",
        discussion: [
            "Copies the database as it is at one moment, whoever writes it meanwhile. When it ends,"
                + " the copy is whole, looked through, and on the disk; before that nothing has its"
                + " name. It never writes over a file."
        ],
        options: LedgerOptions.all,
        arguments: [target],
        examples: [
            Command.Example(
                "counterfoil ledger backup --database counterfoil.db copy.db",
                "into the file copy.db"
            )
        ],
        action: run
    )

    private static let target = Argument.required(
        "TARGET",
        .file,
        "the file of the copy; there must be none yet"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let configuration = try LedgerOptions.configuration(invocation)
        let file = try LedgerOptions.file(invocation, configuration)
        guard FileIdentity(ofFile: file) != nil else {
            throw StorageError(
                StorageError.cannotOpen,
                "there is no database \(FileName.shown(file))"
            )
        }
        let engine = try await LedgerOptions.engine(file, .reading)
        try await engine.backUp(to: invocation[target])
        await engine.close()
        try streams.output.line("The copy is \(FileName.shown(invocation[target])).")
        return .success
    }
}
