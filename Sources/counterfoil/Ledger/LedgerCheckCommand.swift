import CommandLineInterface
import CounterfoilBasics
import Journal

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
        let output = streams.output
        for finding in check.findings {
            try output.line("\("wrong", .red)  \(finding.table.rawValue, .dim)  \(finding.text)")
        }
        let more = check.findingCount - check.findings.count
        if more > 0 { try output.line("and \(Figure.count(more)) more") }
        let looked: StyledText = """
            \(Figure.count(Int(clamping: check.entries))) entries, \
            \(Figure.count(check.documents)) documents, \(Figure.count(check.lineages)) lineages, \
            \(Figure.count(check.events)) events
            """
        if check.findingCount == 0 {
            try output.line("\("All agrees", .green): \(looked).")
        } else {
            try output.line("\("Not all agrees", .red): \(looked).")
            try output.line("'counterfoil ledger replay' makes lineages, aliases and agenda anew.")
        }
        if check.pruned > 0 {
            try output.line("The bytes of \(Figure.count(check.pruned)) documents are not kept.")
        }
        return check.findingCount == 0 ? .success : .refused
    }
}

/// `counterfoil ledger replay`: makes anew what follows from the book.
enum LedgerReplayCommand {
    static let command = Command(
        "replay",
        "make lineages anew from what documents said",
        discussion: [
            "Makes every lineage, the numbers by which it is found and its place in the clock's"
                + " agenda anew from the book, and mends what is stored. Events stay as they were"
                + " told. A server may run meanwhile."
        ],
        options: LedgerOptions.all,
        examples: [
            Command.Example("counterfoil ledger replay --database counterfoil.db", "all of it")
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation)
        let replay = try await JournalReplay(journal)
        let lineages = Figure.count(replay.lineages)
        try streams.output.line(
            replay.mended == 0
                ? "\(lineages) lineages were made anew; every row was right."
                : "\(lineages) lineages were made anew; \(Figure.count(replay.mended)) rows were mended."
        )
        return .success
    }
}
