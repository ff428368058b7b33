import CommandLineInterface
import CounterfoilBasics
import Journal

/// `counterfoil ledger stats`: how much is in the record.
enum LedgerStatsCommand {
    static let command = Command(
        "stats",
        "count what is in it",
        discussion: ["Counts the rows and bytes of each table, and the events of each type."],
        options: LedgerOptions.all,
        examples: [
            Command.Example("counterfoil ledger stats --database counterfoil.db", "all of it")
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation)
        let statistics = try await JournalStatistics(journal)
        let output = streams.output
        let head = statistics.head
        try output.line(
            "\(Figure.count(Int(clamping: head.position.rawValue))) entries, the last of \(head.recordedAt)"
        )
        var tables = Table([
            .init("Table"), .init("Rows", .trailing), .init("Bytes", .trailing),
            .init("A row", .trailing),
        ])
        for table in statistics.tables {
            let average = table.rows == 0 ? 0 : table.bytes / table.rows
            tables.append([
                "\(table.table.rawValue)", StyledText(Figure.count(table.rows)),
                StyledText(Figure.count(table.bytes)), StyledText(Figure.count(average)),
            ])
        }
        try output.line("")
        try output.lines(tables.lines(width: output.terminal.lineLimit))
        var events = Table([.init("Event"), .init("Told", .trailing)])
        for (type, count) in statistics.events.sorted(by: { $0.key < $1.key }) {
            events.append([StyledText(type), StyledText(Figure.count(count))])
        }
        guard !statistics.events.isEmpty else { return .success }
        try output.line("")
        try output.lines(events.lines(width: output.terminal.lineLimit))
        return .success
    }
}
