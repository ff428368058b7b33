import CommandLineInterface
import CounterfoilBasics
import Journal
import JournalSQLite

/// `counterfoil ledger check`: whether everything that is stored agrees.
enum LedgerCheckCommand {
    static let command = Command(
        "check",
        "look whether everything in it agrees",
        discussion: [
            "Looks through every entry and every document, whose bytes must have the digest that"
                + " they are kept under, and makes each lineage and its events anew from what"
                + " documents said: all must come to the bytes that are stored. Changes nothing."
        ],
        options: LedgerOptions.all,
        examples: [
            Command.Example("counterfoil ledger check --database counterfoil.db", "all of it")
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation)
        let check = try await JournalCheck(journal)
        try streams.output.lines(lines(of: check, width: streams.output.terminal.lineLimit))
        return check.findingCount == 0 ? .success : .refused
    }

    private static func lines(of check: JournalCheck, width: Int?) -> [StyledText] {
        let looked = [
            Figure.count(Int(clamping: check.entries), "entry", "entries"),
            Figure.count(check.documents, "document", "documents"),
            Figure.count(check.lineages, "lineage", "lineages"),
            Figure.count(check.events, "event", "events"),
        ].joined(separator: ", ")
        let verdict: StyledText =
            check.findingCount == 0
            ? "\("All agrees", [.bold, .green])" : "\("Not all agrees", [.bold, .red])"
        var lines: [StyledText] = ["\(verdict): \(looked)."]
        if check.pruned > 0 {
            lines.append(
                "The bytes of \(Figure.count(check.pruned)) of the documents are not kept."
            )
        }
        return findings(of: check, width: width)
            + (lines + advice(for: check)).flatMap { $0.wrapped(to: width ?? .max) }
    }

    private static func findings(of check: JournalCheck, width: Int?) -> [StyledText] {
        guard check.findingCount > 0 else { return [] }
        var table = Table([.init(""), .init(""), .init("", .leading, .wrap)])
        for finding in check.findings {
            table.append(["\("wrong", .red)", "\(finding.table.rawValue)", "\(finding.text)"])
        }
        let more = check.findingCount - check.findings.count
        let rest: [StyledText] = more > 0 ? ["and \(Figure.count(more)) more"] : []
        return table.lines(width: width) + rest + [""]
    }

    /// What to do about what was found.
    private static func advice(for check: JournalCheck) -> [StyledText] {
        let tables = Set(check.findings.map(\.table))
        guard !tables.isEmpty else { return [] }
        let isMendable = tables.isSubset(of: madeAnew)
        return isMendable
            ? ["It all follows from the rest: 'counterfoil ledger replay' makes it anew."]
            : [
                """
                The book itself is damaged. Go back to a copy of the database that agrees, or \
                learn the documents that are saved elsewhere into a new one.
                """
            ]
    }

    /// The tables that follow from others.
    private static let madeAnew: Set<StorageTable> = [.lineages, .aliases, .agenda]
}

/// `counterfoil ledger replay`: makes anew what follows from the book.
enum LedgerReplayCommand {
    static let command = Command(
        "replay",
        "make lineages anew from what documents said",
        discussion: [
            "Makes every lineage, the numbers by which it is found and its place in the clock's"
                + " agenda anew from the book, and mends what is stored. Events stay as they were"
                + " told. No other process may write meanwhile."
        ],
        options: LedgerOptions.all,
        examples: [
            Command.Example("counterfoil ledger replay --database counterfoil.db", "all of it")
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation, .writing)
        let replay = try await JournalReplay(journal)
        let lineages = Figure.count(replay.lineages, "lineage was", "lineages were")
        let rows =
            replay.mended == 0
            ? "every row was right"
            : Figure.count(replay.mended, "row was mended", "rows were mended")
        try streams.output.line("\(lineages) made anew; \(rows).")
        return .success
    }
}
