import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

/// Whatever never arrives, answers keep within what did: computed here from the delivered documents
/// alone, without joining them.
@Suite("The record when documents are lost")
struct LossTests {
    private static let heavy: DeliveryGenerator.Faults = {
        var faults = DeliveryGenerator.Faults.usual
        faults.lost = 60
        return faults
    }()

    @Test(
        "Nobody is let in past the last end that was told plus the leeway, nor kept out while a told period is open",
        arguments: zip(Conditions.of(.lossy, heavy), Conditions.seeds(1, soak: 250))
    )
    func bounds(_ conditions: Conditions, _ seeds: ClosedRange<UInt64>) async throws {
        let leeway = conditions.leeway
        var (closed, open) = (0, 0)
        for seed in seeds {
            let lives = try Lives(seed: seed, steps: 60, faults: conditions.faults)
            var random = SeededRandom(seed: seed)
            let record = try await Record.begin(
                at: lives.start,
                rules: Record.rules(leeway: leeway)
            )
            var fold = PlainFold(leeway: leeway, consumables: ["coins"])
            var lastEnd = lives.start
            for step in lives.steps {
                try await record.live(step)
                for arrival in step.arrivals { try fold.hear(arrival.document, arrival.bytes) }
                // If nothing more came, all would be over.
                let instants =
                    fold.instants(from: lastEnd, to: step.end, &random)
                    + [step.end, step.end.advanced(by: .seconds(500 * 86_400))]
                for (original, delivered) in fold.lineages {
                    for standing in try await record.standings(of: original, at: instants) {
                        let comment: Comment = "seed \(seed), \(original) at \(standing.instant)"
                        if delivered.isOver(at: standing.instant, leeway) {
                            closed += 1
                            #expect(standing.answer?.isEntitled != true, comment)
                        }
                        if delivered.isOpen(at: standing.instant) {
                            open += 1
                            #expect(standing.answer?.isEntitled == true, comment)
                        }
                    }
                }
                lastEnd = step.end
            }
        }
        #expect(closed > 0 && open > 0)
    }

    @Test(
        "Where nobody tells of renewals, a day of leeway changes exactly the answers that say they are inferred"
    )
    func renewalsLost() async throws {
        var inferred = 0
        for seed in 1...UInt64(Soak.size(2, soak: 250)) {
            let lives = try Lives(seed: seed, steps: 60, faults: .none)
            var random = SeededRandom(seed: seed)
            let without = try await Record.begin(at: lives.start)
            let with = try await Record.begin(
                at: lives.start,
                rules: Record.rules(leeway: .seconds(86_400))
            )
            var fold = PlainFold(leeway: .seconds(86_400), consumables: ["coins"])
            var lastEnd = lives.start
            for step in lives.steps.map({ $0.without { $0.isRenewal } }) {
                try await without.live(step)
                try await with.live(step)
                for arrival in step.arrivals { try fold.hear(arrival.document, arrival.bytes) }
                let instants = fold.instants(from: lastEnd, to: step.end, &random) + [step.end]
                for original in fold.lineages.keys.sorted() {
                    let plain = try await without.standings(of: original, at: instants)
                    let kept = try await with.standings(of: original, at: instants)
                    for (plain, kept) in zip(plain, kept) {
                        let isInferred = kept.answer?.isInferred == true
                        if isInferred { inferred += 1 }
                        #expect(
                            isInferred == (kept.answer?.state != plain.answer?.state),
                            "seed \(seed), \(original) at \(kept.instant)"
                        )
                        #expect(plain.answer?.isInferred != true)
                    }
                }
                lastEnd = step.end
            }
        }
        #expect(inferred > 0)
    }
}

extension PlainLineage {
    /// Whether a subscription is over by everything that was ever said of its end.
    fileprivate func isOver(at instant: Instant, _ leeway: Duration) -> Bool {
        let ends =
            purchases.flatMap { $0.expires.said.map(\.value) }
            + failure.said.compactMap(\.value.graceEnd)
        return isSubscription && ends.allSatisfy { $0.advanced(by: leeway) <= instant }
    }

    /// Whether something is open by everything that was ever said of it: begun, of no end yet, never
    /// said to be taken back, and the last to begin.
    fileprivate func isOpen(at instant: Instant) -> Bool {
        let begun = purchases.filter { $0.begins.contains { $0 <= instant } }
        guard let newest = begun.max(by: { $0.place < $1.place }) else { return false }
        return newest.expires.said.allSatisfy { instant < $0.value }
            && newest.revoked.said.allSatisfy { $0.value == nil }
    }
}

extension DeliveredDocument {
    /// Whether it tells that a subscription renewed.
    fileprivate var isRenewal: Bool {
        guard case .notificationV2(let notification) = self else { return false }
        return notification.notification.notificationType == .didRenew
    }
}

extension Record {
    /// How a lineage stands at instants, by what is known now.
    fileprivate func standings(
        of original: String,
        at instants: [Instant]
    ) async throws -> [(instant: Instant, answer: Standing?)] {
        let head = try await journal.reader.head().position
        var standings: [(Instant, Standing?)] = []
        for instant in instants {
            standings.append(
                (
                    instant,
                    try await journal.reader.standing(
                        of: Self.lineage(original),
                        asOf: AsOf(effectiveAt: instant, knownAt: head)
                    )
                )
            )
        }
        return standings
    }
}
