import CommandLineInterface
import CounterfoilBasics
import DocumentInspection
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
        let entries = Figure.count(Int(clamping: head.position.rawValue), "entry", "entries")
        let last = head.recordedAt.inWords(at: SystemClock().now)
        let line: StyledText = "\(entries, .bold), the last one of \(last)."
        let width = output.terminal.lineLimit
        try output.lines(line.wrapped(to: width ?? .max))
        for table in [tables(statistics), events(statistics)].compactMap(\.self) {
            try output.line("")
            try output.lines(table.lines(width: width))
        }
        return .success
    }

    private static func tables(_ statistics: JournalStatistics) -> Table? {
        var table = Table([
            .init("table"), .init("rows", .trailing), .init("bytes", .trailing),
            .init("a row", .trailing), .init("what is in it", .leading, .wrap),
        ])
        func append(_ name: StyledText, _ rows: Int, _ bytes: Int, _ meaning: StyledText) {
            let average = rows == 0 ? "" : Figure.count(bytes / rows)
            table.append([
                name, "\(Figure.count(rows))", "\(Figure.count(bytes))", "\(average)", meaning,
            ])
        }
        let sizes = statistics.storage.tables
        for counted in StorageTable.allCases {
            append(
                "\(counted.rawValue)",
                sizes[counted]?.rows ?? 0,
                sizes[counted]?.bytes ?? 0,
                "\(counted.words, .dim)"
            )
        }
        append(
            "\("all", .bold)",
            sizes.values.reduce(0) { $0 + $1.rows },
            sizes.values.reduce(0) { $0 + $1.bytes },
            ""
        )
        return table
    }

    private static func events(_ statistics: JournalStatistics) -> Table? {
        guard !statistics.events.isEmpty else { return nil }
        var table = Table([.init("event"), .init("told", .trailing)])
        for (type, count) in statistics.events.sorted(by: { $0.key < $1.key }) {
            table.append(["\(type)", "\(Figure.count(count))"])
        }
        return table
    }
}

extension StorageTable {
    /// What is in it, for a person.
    fileprivate var words: String {
        switch self {
        case .journal: "the entries"
        case .evidence: "a record of each document"
        case .evidenceBytes: "the documents, packed"
        case .sharedBytes: "what many of them share"
        case .persons: "personal values"
        case .claims: "what was said, each once"
        case .statements: "who said it, and when"
        case .occurrences: "happenings without state"
        case .inbox: "notifications, each once"
        case .quarantine: "notifications that wait"
        case .rules: "the rules of apps"
        case .events: "what was told"
        case .lineages: "how purchases stand"
        case .aliases: "numbers they are found by"
        case .agenda: "when they change next"
        case .readers: "how far readers came"
        case .properties: "what is said of the whole"
        }
    }
}
