import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("The record beside the local App Store's truth")
struct RecordTruthTests {
    @Test(
        "With everything delivered, each answer and entitlement at each step is the truth, materialised and joined anew"
    )
    func everythingDelivered() async throws {
        for seed in 1...UInt64(Soak.size(6, soak: 200)) {
            let lives = try Lives(seed: seed, steps: 100, faults: .none)
            let record = try await Record.begin(at: lives.start)
            for (number, step) in lives.steps.enumerated() {
                try await record.live(step)
                let comment: Comment = "seed \(seed), step \(number), \(step.deed)"
                try await Self.compare(record, step, comment)
            }
            let sum = try await record.sumOfEvents()
            #expect(sum.broken.isEmpty, "seed \(seed)")
            for (lineage, state) in try await record.state() {
                #expect(sum.answers[lineage] == state.answer, "seed \(seed)")
            }
        }
    }

    private static func compare(
        _ record: Record,
        _ step: Lives.Step,
        _ comment: Comment
    ) async throws {
        let reader = record.journal.reader
        let head = try await reader.head().position
        for truth in step.truths {
            let lineage = Record.lineage(truth.original)
            let standing = try await reader.standing(of: lineage, at: step.end)
            try #require(standing?.state == truth.standing, comment)
            #expect(standing?.productId == truth.productId, comment)
            let cold = try await reader.standing(
                of: lineage,
                asOf: AsOf(effectiveAt: step.end, knownAt: head)
            )
            #expect(cold == standing, comment)
            // The truth of this lineage alone.
            let known = try #require(try await reader.lineage(lineage)?.told.lineage)
            let names = Ledger.entitlements(of: [known], at: step.end, under: Record.rules())
                .map(\.name)
            #expect(names == (truth.isEntitled ? [truth.productId] : []), comment)
        }
    }
}

extension Truth {
    /// The state that the ledger should see.
    var standing: Standing.State {
        switch state {
        case .active: .active
        case .grace: .grace
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        case .credit(let count): count > 0 ? .credited : .revoked
        }
    }

    /// Whether its product may be used; credits are used up instead.
    var isEntitled: Bool {
        switch state {
        case .active, .grace: true
        case .billingRetry, .expired, .revoked, .credit: false
        }
    }
}
