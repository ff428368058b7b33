import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import Journal

/// `counterfoil ledger events`: the feed, one JSON line each.
enum LedgerEventsCommand {
    static let command = Command(
        "events",
        "print what was told, one JSON line each",
        discussion: [
            "Prints events in their order; docs/EVENTS.md says what is in them."
        ],
        options: LedgerOptions.all + [after],
        examples: [
            Command.Example(
                "counterfoil ledger events --database counterfoil.db --after 120",
                "those after entry 120"
            )
        ],
        action: run
    )

    private static let after = Option.value(
        "after",
        .integer(in: 0...Int.max),
        default: 0,
        "the entry after which to begin"
    )

    /// How many entries are read at once.
    private static let entriesAtOnce = 1_000

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let journal = try await LedgerOptions.journal(invocation)
        var position = Position(rawValue: UInt64(invocation[after]))
        while true {
            let (events, upTo) = try await journal.reader.events(
                after: position,
                limit: entriesAtOnce
            )
            guard upTo > position else { return .success }
            for event in events {
                try streams.output.write(json: JSONValue.object(event.json).document() + [0x0A])
            }
            position = upTo
        }
    }
}
