import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("Changed rules")
struct RulesChangeTests {
    /// A record of a month that is over, told by nobody after its first notification.
    private static func overdue() async throws -> (Record, LineageID) {
        var store = LocalAppStore(at: Record.instant("2026-01-01T10:00:00Z"), seed: 3)
        try store.add(Lives.app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("silver.month", of: Record.bundleId, on: device)
        let record = try await Record.begin(at: store.now)
        try await record.learn(store, inVersion1: false)
        try await record.advance(to: Record.instant("2026-02-01T12:00:00Z"))
        return (record, Record.lineage(number))
    }

    @Test("What other rules make different is told with the rules as its cause, lineage by lineage")
    func swept() async throws {
        let (record, lineage) = try await Self.overdue()
        let reader = record.journal.reader
        let writer = record.journal.writer
        #expect(try await record.events().map(\.type).last == "subscription.expired")
        let revised = try #require(
            try await writer.revise(Record.rules(leeway: .seconds(86_400)), of: Record.scope)
        )
        // Whoever asks is answered under the new rules at once.
        #expect(
            try await reader.standing(of: lineage, at: record.clock.now)?.state == .awaitingRenewal
        )
        #expect(try await record.events().map(\.type).last == "subscription.expired")
        while try await writer.sweep() {}
        let told = try #require(try await record.events().last)
        #expect(told.type == "subscription.renewal_awaited")
        #expect(told.cause == .rules(revised.position))
        #expect(try await JournalCheck(record.journal).findings.isEmpty)
        // The same rules again are no entry, and tell nothing.
        let again = try await writer.revise(
            Record.rules(leeway: .seconds(86_400)),
            of: Record.scope
        )
        #expect(again == nil)
        let swept = try await writer.sweep()
        #expect(!swept)
    }

    @Test("A lineage that news comes for before its turn is first told what the rules changed")
    func newsFirst() async throws {
        let (record, _) = try await Self.overdue()
        _ = try await record.journal.writer.revise(
            Record.rules(leeway: .seconds(86_400)),
            of: Record.scope
        )
        try await record.advance(to: Record.instant("2026-02-03T12:00:00Z"))
        while try await record.journal.writer.sweep() {}
        // The leeway ended by the clock, after the rules had begun it.
        #expect(
            try await record.events().suffix(2).map(\.type) == [
                "subscription.renewal_awaited", "subscription.expired",
            ]
        )
        #expect(try await JournalCheck(record.journal).findings.isEmpty)
    }

    @Test("Where only signatures count, what a secret vouched for is withdrawn, and comes back")
    func v1Trust() async throws {
        var store = LocalAppStore(at: Record.instant("2020-03-01T10:00:00Z"), seed: 3)
        try store.add(Lives.app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("silver.month", of: Record.bundleId, on: device)
        let record = try await Record.begin(at: store.now)
        try store.turnRenewalOff(number)
        try await record.learn(store, inVersion1: true)
        let lineage = Record.lineage(number)
        let reader = record.journal.reader
        func standing() async throws -> Standing? {
            try await reader.standing(of: lineage, at: store.now)
        }
        let trusting = try #require(try await standing())
        #expect(trusting.renewal?.isOn == false)
        let before = try await reader.head().position
        var strict = Record.rules()
        strict.v1Trust = .signatureOnly
        for rules in [strict, Record.rules()] {
            _ = try await record.journal.writer.revise(rules, of: Record.scope)
            let atOnce = try await standing()
            while try await record.journal.writer.sweep() {}
            let swept = try await standing()
            // Before its turn came the answer was the same.
            #expect(atOnce == swept)
            // The receipt inside is signed, and says nothing of renewal.
            #expect(swept?.state == .active)
            #expect(swept?.renewal?.isOn == (rules.v1Trust == .secret ? false : nil))
            #expect(try await JournalCheck(record.journal).findings.isEmpty)
        }
        let sum = try await record.sumOfEvents()
        #expect(sum.broken.isEmpty)
        #expect(sum.answers[lineage] == trusting.answer)
        // What was answered then is answered for then.
        let asOf = AsOf(effectiveAt: store.now, knownAt: before)
        #expect(try await reader.standing(of: lineage, asOf: asOf) == trusting)
    }
}

extension Record {
    /// Learns everything that a store sends, in one version or the other.
    func learn(_ store: LocalAppStore, inVersion1: Bool) async throws {
        var store = store
        for happening in store.takeHappenings() {
            let documents: [DeliveredDocument] =
                inVersion1
                ? happening.notificationsV1.map { .notificationV1($0) }
                : [happening.notificationV2].compactMap { $0.map { .notificationV2($0) } }
            for document in documents {
                try await learn(learnings(document.signed(by: Self.authority.get())))
            }
        }
    }
}
