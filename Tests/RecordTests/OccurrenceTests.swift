import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("What happens and no purchase's state shows")
struct OccurrenceTests {
    /// The body of a notification of any kind.
    private static func body(
        _ type: NotificationTypeV2,
        _ subtype: Subtype? = nil,
        uuid: String = "11111111-2222-3333-4444-555555555555",
        at signedDate: Instant,
        change: (inout ResponseBodyV2DecodedPayload) -> Void = { _ in }
    ) throws -> [UInt8] {
        var payload = ResponseBodyV2DecodedPayload()
        payload.notificationType = type
        payload.subtype = subtype
        payload.notificationUUID = uuid
        payload.version = "2.0"
        payload.signedDate = signedDate
        var data = ResponseBodyV2DecodedPayload.Data()
        data.bundleId = Record.bundleId
        data.environment = .sandbox
        payload.data = data
        change(&payload)
        let issuer = SignedDataIssuer(authority: try Record.authority.get())
        return SignedDataIssuer.body(signedPayload: try issuer.issue(payload))
    }

    @Test(
        "A test, a summary, a token and a type of the future are told once each, whatever is repeated"
    )
    func once() async throws {
        let now = Record.instant("2026-03-01T10:00:00Z")
        let record = try await Record.begin(at: now)
        let bodies: [[UInt8]] = try [
            Self.body(.test, uuid: "a", at: now),
            Self.body(.renewalExtension, .summary, uuid: "b", at: now) {
                var summary = ResponseBodyV2DecodedPayload.Summary()
                summary.bundleId = Record.bundleId
                summary.environment = .sandbox
                summary.requestIdentifier = "request"
                summary.succeededCount = 7
                $0.summary = summary
                $0.data = nil
            },
            Self.body(NotificationTypeV2(rawValue: "OF_THE_FUTURE"), uuid: "c", at: now),
            Self.body(.test, uuid: "d", at: now) {
                $0.summary = ResponseBodyV2DecodedPayload.Summary()
            },
        ]
        for _ in 0..<3 {
            for body in bodies { try await record.learn(record.learnings(body)) }
        }
        // A retry is signed anew, with the number that it had.
        let later = now.advanced(by: .seconds(60))
        record.clock.advance(to: later)
        try await record.learn(record.learnings(Self.body(.test, uuid: "a", at: later)))
        let events = try await record.events()
        #expect(
            events.map(\.type) == [
                "occurrence.test", "occurrence.extension_finished",
                "occurrence.unknown_notification", "occurrence.odd_notification",
            ]
        )
        #expect(events[1].json["details"]?.object?["summary"]?.object?["succeededCount"] == 7)
        #expect(
            events[2].json["details"]?.object?["notificationType"] == .string("OF_THE_FUTURE")
        )
        // Everything that came is kept: the retry is another document.
        #expect(try await JournalCheck(record.journal).documents == 5)
        #expect(try await record.journal.reader.head().position.rawValue == 6)
    }

    @Test("A request for consumption names its purchase and changes no answer")
    func consumption() async throws {
        var store = LocalAppStore(at: Record.instant("2026-03-01T10:00:00Z"), seed: 3)
        try store.add(Lives.app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("coins", of: Record.bundleId, on: device)
        try store.requestRefund(number, .unintendedPurchase)
        try store.declineRefund(number)
        let record = try await Record.begin(at: store.now)
        try await record.learn(store, inVersion1: false)
        let events = try await record.events()
        #expect(
            events.map(\.type) == [
                "purchase.made", "occurrence.consumption_requested",
                "occurrence.refund_declined",
            ]
        )
        #expect(events.allSatisfy { $0.lineage == Record.lineage(number) })
        #expect(
            events[1].json["details"]?.object?["consumptionRequestReason"]
                == .string("UNINTENDED_PURCHASE")
        )
    }
}
