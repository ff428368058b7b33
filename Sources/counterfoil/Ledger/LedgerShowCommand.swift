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
        let reader = journal.reader
        let text = invocation[id]
        var lineages = try await reader.lineages(of: text)
        // An account token is stored under its reference.
        lineages += try await reader.lineages(of: journal.references(text).rawValue)
        guard !lineages.isEmpty else {
            try streams.error.line("Nothing is known of \(text).")
            return .refused
        }
        let now = SystemClock().now
        let head = try await reader.head().position
        for (index, lineage) in lineages.enumerated() {
            guard let story = try await reader.story(of: lineage) else { continue }
            let known = try await position(invocation[knownAt], in: reader)
            let question = LineageReport.Question(
                effectiveAt: invocation[at] ?? now,
                knownAt: known,
                now: now
            )
            let asOf = AsOf(effectiveAt: question.effectiveAt, knownAt: known ?? head)
            let report = LineageReport(
                story,
                try await reader.lineage(lineage, asOf: asOf),
                try await reader.standing(of: lineage, asOf: asOf),
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

    private static func position(
        _ known: Known?,
        in reader: JournalReader
    ) async throws -> Position? {
        switch known {
        case nil: nil
        case .position(let position)?: position
        case .instant(let instant)?: try await reader.position(at: instant)
        }
    }
}
