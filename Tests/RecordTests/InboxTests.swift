import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import PurchaseService
import RecordTestSupport
import Testing

@Suite("The inbox of notifications")
struct InboxTests {
    private static let now = Record.instant("2026-03-01T10:00:00Z")

    /// What a store sends when something is bought, in both versions.
    private static func bought(
        of bundleId: String = Record.bundleId
    ) throws -> (v2: [UInt8], v1: [UInt8], lineage: LineageID) {
        let model = Lives.app
        var app = StoreApp(
            bundleId: bundleId,
            appAppleId: model.appAppleId,
            products: Array(model.products.values)
        )
        app.sharedSecret = model.sharedSecret
        app.notificationVersions = model.notificationVersions
        var store = LocalAppStore(at: now, seed: 3)
        try store.add(app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("silver.month", of: app.bundleId, on: device)
        let happening = try #require(store.takeHappenings().first)
        let authority = try Record.authority.get()
        let v2 = DeliveredDocument.notificationV2(try #require(happening.notificationV2))
        let v1 = DeliveredDocument.notificationV1(try #require(happening.notificationsV1.first))
        return (
            try v2.signed(by: authority), try v1.signed(by: authority), Record.lineage(number)
        )
    }

    private static func record(
        secrets: [SharedSecret] = [SharedSecret(id: "own", Record.secret)],
        in engine: any StorageEngine = MemoryEngine()
    ) async throws -> Record {
        try await Record.begin(at: now, in: engine, secrets: secrets)
    }

    private static func kinds(_ record: Record) async throws -> [QuarantinedBody.Kind] {
        try await record.journal.reader.quarantine(limit: 100).map(\.id.shelf.kind)
    }

    @Test(
        "A notification is durable when it is accepted; copies are counted and tell nothing twice"
    )
    func accepted() async throws {
        let record = try await Self.record()
        let inbox = record.inbox
        let (v2, v1, lineage) = try Self.bought()
        let outcomes = await withTaskGroup(of: InboxOutcome.self) { group in
            for _ in 0..<100 { group.addTask { await inbox.take(v2) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let positions = outcomes.map { outcome -> Position? in
            if case .accepted(let committed) = outcome { committed.position } else { nil }
        }
        #expect(Set(positions) == [Position(rawValue: 2)])
        guard case .accepted = await inbox.take(v1, at: Record.bundleId) else {
            Issue.record("version 1 was not accepted")
            return
        }
        #expect(try await record.events().map(\.type) == ["subscription.started"])
        #expect(try await record.lineages() == [lineage])
        let event = try #require(try await record.events().first)
        guard case .learned(let digest) = event.cause else { return }
        #expect(try await record.journal.reader.bytes(of: digest) != nil)
        #expect(try await Self.kinds(record).isEmpty)
    }

    @Test("What is no notification is unreadable, and nothing of it is kept")
    func unreadable() async throws {
        let record = try await Self.record()
        let (v2, _, _) = try Self.bought()
        for body in [
            [], Array("hello".utf8), Array("[]".utf8), Array("{}".utf8),
            Array(v2.dropLast(1)), Array(#"{"signedPayload": 7}"#.utf8),
        ] {
            guard case .unreadable = await record.inbox.take(body) else {
                Issue.record("\(String(decoding: body.prefix(20), as: UTF8.self))")
                continue
            }
        }
        #expect(try await Self.kinds(record).isEmpty)
        #expect(try await record.journal.reader.head().position == Position(rawValue: 1))
    }

    @Test("What is forged is refused, a bounded sample of it is kept, and it is never judged again")
    func forged() async throws {
        let record = try await Self.record()
        let (v2, _, _) = try Self.bought()
        var outcomes = 0
        for number in 0..<60 {
            var body = v2
            // Somewhere in the signature, which is the end of the text.
            let place = body.count - 10 - number
            body[place] = body[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            if case .refused = await record.inbox.take(body) { outcomes += 1 }
        }
        #expect(outcomes == 60)
        let kinds = try await Self.kinds(record)
        #expect(kinds.count <= 20 && kinds.allSatisfy { $0 == .refused })
        let retry = try await record.inbox.retryQuarantine()
        #expect(retry.accepted == 0 && retry.kept == 0 && retry.refused == 0)
    }

    @Test("A genuine one of an app that is not configured waits until it is")
    func notServed() async throws {
        let engine = MemoryEngine()
        let record = try await Self.record(in: engine)
        let (v2, v1, lineage) = try Self.bought(of: "com.example.other")
        for (body, code) in [(v2, "app.not_configured"), (v1, "notification.password_unknown")] {
            guard case .quarantined(let refusal) = await record.inbox.take(body) else {
                Issue.record("it was not quarantined")
                continue
            }
            #expect(refusal.code.rawValue == code)
        }
        #expect(try await record.lineages().isEmpty)
        let unchanged = try await record.inbox.retryQuarantine()
        #expect(unchanged.accepted == 0 && unchanged.kept == 2)
        // Now it is configured.
        let later = try await Record.begin(
            at: Self.now,
            in: engine,
            bundleIds: [Record.bundleId, "com.example.other"]
        )
        let retry = try await later.inbox.retryQuarantine()
        #expect(retry.accepted == 2)
        #expect(try await Self.kinds(later).isEmpty)
        let other = Scope(
            bundleId: "com.example.other",
            environment: lineage.scope.environment,
            realm: .rehearsal
        )
        #expect(try await later.journal.reader.lineages(of: other).count == 1)
    }

    @Test("Version 1 with a secret that is not known waits for it where its receipt is genuine")
    func secretUnknown() async throws {
        let engine = MemoryEngine()
        let record = try await Self.record(secrets: [], in: engine)
        let (_, v1, lineage) = try Self.bought()
        guard case .quarantined = await record.inbox.take(v1) else {
            Issue.record("it was not quarantined")
            return
        }
        let kept = try await record.journal.reader.quarantine(limit: 10)
        #expect(kept.map(\.id.shelf.kind) == [.secretUnknown])
        // The secret itself is nowhere.
        let text = String(decoding: kept[0].bytes, as: UTF8.self)
        #expect(!text.contains(Record.secret))
        let other = try await Self.record(
            secrets: [SharedSecret(id: "wrong", "another secret")],
            in: engine
        )
        let stays = try await other.inbox.retryQuarantine()
        #expect(stays.kept == 1)
        let right = try await Self.record(in: engine)
        let retry = try await right.inbox.retryQuarantine()
        #expect(retry.accepted == 1)
        #expect(try await right.lineages() == [lineage])
        // Without a receipt that is genuine nobody vouches for anything.
        let body = Array(
            #"{"notification_type":"CANCEL","bid":"com.example.app","environment":"PROD","password":"x"}"#
                .utf8
        )
        guard case .refused = await right.inbox.take(body) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test("A genuine one at another app's address, and one from the future, wait")
    func elsewhere() async throws {
        let record = try await Self.record()
        let (v2, _, _) = try Self.bought()
        guard case .quarantined(let refusal) = await record.inbox.take(v2, at: "com.example.b")
        else {
            Issue.record("it was not quarantined")
            return
        }
        #expect(refusal.code == "notification.other_address")
        let early = try await Record.begin(at: Self.now.advanced(by: .seconds(-3_600)))
        guard case .quarantined(let future) = await early.inbox.take(v2) else {
            Issue.record("it was not quarantined")
            return
        }
        #expect(future.code == "time.in_future")
        early.clock.advance(to: Self.now)
        let retry = try await early.inbox.retryQuarantine()
        #expect(retry.accepted == 1)
    }
}
