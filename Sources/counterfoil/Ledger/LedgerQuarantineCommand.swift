import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import Journal
import JournalSQLite
import PurchaseService

/// `counterfoil ledger quarantine`: notifications that could not be taken in yet.
enum LedgerQuarantineCommand {
    static let command = Command(
        "quarantine",
        "show the notifications that wait, or judge them again",
        discussion: [
            "Shows what was posted and could not be taken in. With --retry it is judged again under"
                + " the configuration, as a server does when it starts; what can be taken in is"
                + " learned, and what is forged goes."
        ],
        options: LedgerOptions.all + [retry],
        examples: [
            Command.Example(
                "counterfoil ledger quarantine --config counterfoil.json --retry",
                "after an app or a secret was added"
            )
        ],
        action: run
    )

    private static let retry = Option.flag("retry", "judge it again; no server may run meanwhile")

    /// How many are read at once.
    private static let atOnce = 256

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        if invocation[retry] { return try await judgeAgain(invocation, streams) }
        let reader = try await LedgerOptions.journal(invocation).reader
        var table = Table([
            .init("posted"), .init("app", .leading, .cut), .init("kind"), .init("code"),
            .init("why", .leading, .wrap),
        ])
        var count = 0
        var last: QuarantinedBody.ID?
        while true {
            let page = try await reader.quarantine(after: last, limit: atOnce)
            for body in page {
                table.append([
                    "\(body.id.postedAt.description)", "\(body.id.shelf.bundleId)",
                    "\(body.id.shelf.kind.rawValue)", "\(body.code.rawValue)", "\(body.reason)",
                ])
            }
            count += page.count
            guard let end = page.last else { break }
            last = end.id
        }
        if count == 0 {
            try streams.output.line("Nothing waits.")
        } else {
            try streams.output.lines(table.lines(width: streams.output.terminal.lineLimit))
        }
        return .success
    }

    private static func judgeAgain(
        _ invocation: Invocation,
        _ streams: Streams
    ) async throws -> ExitCode {
        let configuration = try LedgerOptions.configuration(invocation)
        let file = try LedgerOptions.file(invocation, configuration)
        guard FileIdentity(ofFile: file) != nil else {
            throw StorageError(
                StorageError.cannotOpen,
                "there is no database \(FileName.shown(file))"
            )
        }
        let engine = try await LedgerOptions.engine(file, .writing)
        let record = try await PurchaseRecord(
            in: engine,
            configuration,
            ConfiguredApps(
                configuration,
                now: SystemClock().now,
                reading: ServeCommand.read
            ),
            secrets: configuration.secrets(
                reading: ServeCommand.read,
                variable: Terminal.variable
            )
        )
        let retry = try await NotificationInbox(record.intake, record.journal).retryQuarantine()
        await engine.close()
        try streams.output.line(
            "\(retry.accepted) taken in, \(retry.kept) still wait, \(retry.refused) refused."
        )
        return .success
    }
}
