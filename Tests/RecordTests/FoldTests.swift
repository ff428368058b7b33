import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("The record beside a plain fold of what arrived")
struct FoldTests {
    @Test(
        "However documents arrive, at each step and between steps both say the same",
        arguments: zip(Conditions.of(.usual, .lossy), Conditions.seeds(1, soak: 250))
    )
    func same(_ conditions: Conditions, _ seeds: ClosedRange<UInt64>) async throws {
        let leeway = conditions.leeway
        for seed in seeds {
            let lives = try Lives(seed: seed, steps: 60, faults: conditions.faults)
            var random = SeededRandom(seed: seed)
            let record = try await Record.begin(
                at: lives.start,
                rules: Record.rules(leeway: leeway)
            )
            var fold = PlainFold(leeway: leeway, consumables: ["coins"])
            var lastEnd = lives.start
            for (number, step) in lives.steps.enumerated() {
                try await record.live(step)
                for arrival in step.arrivals { try fold.hear(arrival.document, arrival.bytes) }
                let instants = fold.instants(from: lastEnd, to: step.end, &random)
                try await Self.compare(
                    record,
                    fold,
                    at: step.end,
                    instants,
                    "seed \(seed), step \(number), \(step.deed)"
                )
                lastEnd = step.end
            }
        }
    }

    private static func compare(
        _ record: Record,
        _ fold: PlainFold,
        at now: Instant,
        _ instants: [Instant],
        _ comment: String
    ) async throws {
        let reader = record.journal.reader
        let head = try await reader.head().position
        #expect(
            try await record.lineages().map(\.originalTransactionId).sorted()
                == fold.lineages.keys.sorted()
        )
        for original in fold.lineages.keys.sorted() {
            let lineage = Record.lineage(original)
            let present = try await reader.standing(of: lineage, at: now)
            try #require(
                PlainStanding(present) == fold.standing(of: original, at: now),
                "\(comment), \(original) at \(now)"
            )
            for instant in instants {
                let past = try await reader.standing(
                    of: lineage,
                    asOf: AsOf(effectiveAt: instant, knownAt: head)
                )
                try #require(
                    PlainStanding(past) == fold.standing(of: original, at: instant),
                    "\(comment), \(original) at \(instant), of late \(now)"
                )
            }
        }
    }
}

extension PlainFold {
    /// Some instants of a step: where something turns, a moment before, and any other.
    func instants(
        from start: Instant,
        to end: Instant,
        _ random: inout SeededRandom
    ) -> [Instant] {
        let turns = lineages.values.flatMap { $0.turns(leeway) }
            .filter { start < $0 && $0 <= end }.sorted()
        let span = end.duration(since: start).milliseconds
        let any = start.advanced(by: .milliseconds(Int64.random(in: 0...span, using: &random)))
        let turn = turns.randomElement(using: &random)
        return [any] + [turn, turn?.advanced(by: .milliseconds(-1))].compactMap(\.self)
    }
}

/// What documents meet on their way, and how long access is kept without them.
struct Conditions: CustomTestStringConvertible {
    let testDescription: String
    let faults: DeliveryGenerator.Faults
    let leeway: Duration

    /// Each of some faults, without and with a day of leeway.
    static func of(_ faults: DeliveryGenerator.Faults...) -> [Conditions] {
        faults.flatMap { faults in
            [Duration.zero, .seconds(86_400)].map { leeway in
                Conditions(
                    testDescription: "\(faults.lost) % lost, leeway \(leeway)",
                    faults: faults,
                    leeway: leeway
                )
            }
        }
    }

    /// Seeds for four conditions, none of them for two.
    static func seeds(_ everyday: UInt64, soak: UInt64) -> [ClosedRange<UInt64>] {
        let count = UInt64(Soak.size(Int(everyday), soak: Int(soak)))
        return (0..<4).map { $0 * 1_000 + 1...$0 * 1_000 + count }
    }
}
