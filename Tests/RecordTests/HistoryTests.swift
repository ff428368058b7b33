import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("Histories in any order")
struct HistoryTests {
    @Test(
        "Lost, late, repeated, signed anew or in another order, what arrived comes to the same lineages, answers and sum of events"
    )
    func anyOrder() async throws {
        for seed in 1...UInt64(Soak.size(8, soak: 1_000)) {
            let lives = try Lives(seed: seed, steps: 60, faults: .usual)
            let first = try await Record.begin(at: lives.start)
            var learnings: [[Learning]] = []
            for arrival in lives.arrivals {
                try await first.advance(to: arrival.at)
                let learned = try first.learnings(arrival.bytes)
                try await first.learn(learned)
                learnings.append(learned)
            }
            try await first.advance(to: lives.end)
            let state = try await first.state()
            let sum = try await first.sumOfEvents()
            #expect(sum.broken.isEmpty, "seed \(seed)")
            var random = SeededRandom(seed: seed)
            for _ in 0..<2 {
                var order = learnings.shuffled(using: &random)
                order += order.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                let other = try await Record.begin(at: lives.end)
                try await other.learn(order, togetherIn: Int.random(in: 1...9, using: &random))
                try await other.advance(to: lives.end)
                #expect(try await other.state() == state, "seed \(seed)")
                let otherSum = try await other.sumOfEvents()
                #expect(otherSum == sum, "seed \(seed)")
            }
        }
    }

    @Test("Few documents come to the same in each of all orders")
    func allOrders() async throws {
        let count = Soak.size(4, soak: 7)
        var looked = 0
        for seed in 1...UInt64(Soak.size(6, soak: 10)) {
            let lives = try Lives(seed: seed, steps: 12, faults: .usual)
            let prover = try await Record.begin(at: lives.end)
            let learnings = try lives.arrivals.suffix(count).map {
                try prover.learnings($0.bytes)
            }
            guard learnings.count == count else { continue }
            looked += 1
            var expected: (state: [LineageID: Record.LineageState], sum: FeedSum)?
            for order in learnings.orders {
                let record = try await Record.begin(at: lives.end)
                for learned in order { try await record.learn(learned) }
                let found = (try await record.state(), try await record.sumOfEvents())
                let (state, sum) = expected ?? found
                expected = (state, sum)
                try #require(found.0 == state && found.1 == sum, "seed \(seed)")
            }
        }
        #expect(looked > 0)
    }

    @Test("With a day of leeway, answers differ from the truth exactly where they are inferred")
    func leeway() async throws {
        var inferred = 0
        for seed in 1...UInt64(Soak.size(6, soak: 200)) {
            let lives = try Lives(seed: seed, steps: 80, faults: .none)
            let record = try await Record.begin(
                at: lives.start,
                rules: Record.rules(leeway: .seconds(86_400))
            )
            for (number, step) in lives.steps.enumerated() {
                try await record.live(step)
                for truth in step.truths {
                    let lineage = Record.lineage(truth.original)
                    let standing = try #require(
                        try await record.journal.reader.standing(of: lineage, at: step.end)
                    )
                    let comment: Comment = "seed \(seed), step \(number), \(step.deed)"
                    #expect(
                        (standing.state == truth.standing) == !standing.isInferred,
                        comment
                    )
                    if standing.isInferred { inferred += 1 }
                }
            }
        }
        // Where everything is delivered the store itself tells in time.
        #expect(inferred >= 0)
    }

    @Test(
        "What was answered live is answered again for ever, for its instant and for what was known then"
    )
    func timeTravel() async throws {
        for seed in 1...UInt64(Soak.size(4, soak: 100)) {
            let lives = try Lives(seed: seed, steps: 50, faults: .usual)
            let record = try await Record.begin(at: lives.start)
            let reader = record.journal.reader
            var live: [(lineage: LineageID, asOf: AsOf, standing: Standing?)] = []
            for step in lives.steps {
                try await record.live(step)
                let asOf = AsOf(effectiveAt: step.end, knownAt: try await reader.head().position)
                for lineage in try await record.lineages() {
                    let standing = try await reader.standing(of: lineage, at: step.end)
                    live.append((lineage, asOf, standing))
                }
            }
            // Then the rules change, which takes nothing back.
            _ = try await record.journal.writer.revise(
                Record.rules(leeway: .seconds(3_600)),
                of: Record.scope
            )
            for (lineage, asOf, standing) in live {
                let again = try await reader.standing(of: lineage, asOf: asOf)
                #expect(again == standing, "seed \(seed), \(lineage.originalTransactionId)")
            }
        }
    }

    @Test("Everything that can be made anew comes to the same bytes, and its documents are there")
    func check() async throws {
        for seed in 1...UInt64(Soak.size(3, soak: 60)) {
            let lives = try Lives(seed: seed, steps: 50, faults: .usual)
            let record = try await Record.begin(at: lives.start)
            for (number, arrival) in lives.arrivals.enumerated() {
                try await record.advance(to: arrival.at)
                try await record.learn(record.learnings(arrival.bytes))
                if number % 40 == 20 {
                    let leeway = Duration.seconds(Int64(number) * 60)
                    _ = try await record.journal.writer.revise(
                        Record.rules(leeway: leeway),
                        of: Record.scope
                    )
                }
            }
            let check = try await JournalCheck(record.journal)
            #expect(check.findings.isEmpty, "seed \(seed)")
            #expect(check.documents >= lives.arrivals.count / 4 && check.pruned == 0)
            #expect(check.lineages > 0 && check.events > 0)
        }
    }
}

extension Record {
    /// Learns many things at once, so that several are committed together.
    fileprivate func learn(_ learnings: [[Learning]], togetherIn size: Int) async throws {
        for start in stride(from: 0, to: learnings.count, by: size) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for learned in learnings[start..<min(start + size, learnings.count)] {
                    group.addTask { try await self.learn(learned) }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension Array {
    /// Every order of the elements.
    fileprivate var orders: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let first = rest.remove(at: index)
            return rest.orders.map { [first] + $0 }
        }
    }
}
