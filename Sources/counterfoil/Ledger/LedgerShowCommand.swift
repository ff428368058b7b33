import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import Journal
import Ledger

/// `counterfoil ledger show`: one purchase's whole story.
enum LedgerShowCommand {
    static let command = Command(
        "show",
        "tell a purchase's story: what is known, and why",
        discussion: [
            "Finds it by a transaction id, an original one, a web order line item, an app"
                + " transaction id, or the account token that it was bought with."
        ],
        options: LedgerOptions.all + [at, knownAt, LedgerOptions.format],
        arguments: [id],
        examples: [
            Command.Example(
                "counterfoil ledger show --database counterfoil.db 2000000000000001",
                "how it stands now"
            ),
            Command.Example(
                "counterfoil ledger show --config c.json 2000000000000001 --at 2026-02-01",
                "how it stood then, by what is known now"
            ),
        ],
        action: run
    )

    private static let id = Argument.required(
        "ID",
        .text("a transaction id or another of its numbers").named("ID"),
        "any of its numbers"
    )
    private static let at = Option.value("at", .instant, "the instant asked about")
    private static let knownAt = Option.value(
        "known-at",
        ValueReader<Known>(
            "an entry's number, or an instant",
            placeholder: "WHEN",
            read: Known.init
        ),
        "by what was known then: an entry or an instant"
    )

    /// How much is known.
    enum Known: Sendable {
        case position(Position)
        case instant(Instant)

        init?(_ text: String) {
            if text.utf8.count < 12, let number = UInt64(text) {
                self = .position(Position(rawValue: number))
            } else if let instant = ValueReader<Instant>.instant.read(text) {
                self = .instant(instant)
            } else {
                return nil
            }
        }
    }

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation)
        let lineages = try await journal.lineages(of: invocation[id])
        guard !lineages.isEmpty else {
            try streams.error.lines(unknown(invocation[id]))
            return .refused
        }
        let now = SystemClock().now
        let head = try await journal.reader.head().position
        let known = try await position(invocation[knownAt], in: journal.reader, upTo: head)
        let question = LineageReport.Question(
            effectiveAt: invocation[at] ?? now,
            knownAt: known,
            now: now
        )
        let asOf = AsOf(effectiveAt: question.effectiveAt, knownAt: known ?? head)
        for (index, lineage) in lineages.enumerated() {
            guard let story = try await journal.reader.story(of: lineage) else { continue }
            let report = LineageReport(
                story,
                try await journal.reader.known(of: lineage, asOf),
                question,
                streams.output.terminal
            )
            if invocation[LedgerOptions.format] == .json {
                try streams.output.write(json: JSONValue.object(report.json).document() + [0x0A])
            } else {
                if index > 0 { try streams.output.line("") }
                try streams.output.lines(report.lines)
            }
        }
        return .success
    }

    private static func unknown(_ id: String) -> [StyledText] {
        [
            "\("counterfoil", .bold): nothing is known of \(id)",
            "\("hint:", .dim) a receipt's or a transaction's ids are known from the moment that"
                + " 'counterfoil ledger learn' took it in",
        ]
    }

    private static func position(
        _ known: Known?,
        in reader: JournalReader,
        upTo head: Position
    ) async throws -> Position? {
        switch known {
        case nil: return nil
        case .position(let position)?:
            guard position <= head else {
                throw UsageError("--known-at is \(position), and the last entry is \(head)")
            }
            return position
        case .instant(let instant)?: return try await reader.position(at: instant)
        }
    }
}

extension OpenJournal {
    /// The lineages that a number leads to, or an account token, which is stored under its reference.
    fileprivate func lineages(of text: String) async throws(StorageError) -> [LineageID] {
        let byNumber = try await reader.lineages(of: text)
        let byToken = try await reader.lineages(of: references(text).rawValue)
        return byNumber + byToken.filter { !byNumber.contains($0) }
    }
}

extension JournalReader {
    fileprivate func known(
        of lineage: LineageID,
        _ asOf: AsOf
    ) async throws(StorageError) -> LineageReport.Known {
        LineageReport.Known(
            lineage: try await self.lineage(lineage, asOf: asOf),
            standing: try await standing(of: lineage, asOf: asOf),
            rules: try await rules(of: lineage.scope).rules(at: asOf.knownAt, of: lineage.scope)
        )
    }
}
