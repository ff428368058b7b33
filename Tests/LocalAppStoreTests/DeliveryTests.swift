import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@Suite("Deliveries")
struct DeliveryTests {
    private static var app: StoreApp {
        var app = LifeGeneratorTests.app
        app.notificationVersions = [.v1, .v2]
        app.sharedSecret = NotificationV1Tests.secret
        return app
    }

    /// What arrives in a life, step by step, and what was still on its way at its end.
    private static func deliveries(
        seed: UInt64,
        _ faults: DeliveryGenerator.Faults,
        steps: Int = 300
    ) throws -> (arrived: [Delivery], happenings: Int) {
        var lives = try LifeGenerator(seed: seed, app: app)
        var network = DeliveryGenerator(seed: seed, faults: faults)
        var arrived: [Delivery] = []
        var happenings = 0
        for _ in 0..<steps {
            let step = lives.step()
            happenings += step.happenings.count
            arrived += network.take(step, from: &lives)
        }
        return (arrived + network.rest(), happenings)
    }

    @Test("Without faults everything arrives once, at once and in order")
    func withoutFaults() throws {
        let (arrived, happenings) = try Self.deliveries(seed: 1, .none)
        #expect(arrived.count == happenings)
        for (earlier, later) in zip(arrived, arrived.dropFirst()) {
            #expect(earlier.at <= later.at)
        }
        let signed = arrived.compactMap { delivery -> Instant? in
            guard case .notificationV2(let notification) = delivery.document else { return nil }
            return notification.notification.signedDate
        }
        #expect(signed.count == happenings)
    }

    @Test("With faults documents come late, again, anew, in version 1, and receipts among them")
    func withFaults() throws {
        let (arrived, _) = try Self.deliveries(seed: 9, .usual)
        var kinds: [String: Int] = [:]
        var uuids: [String: Set<Instant?>] = [:]
        var copies = 0
        for delivery in arrived {
            switch delivery.document {
            case .notificationV2(let notification):
                kinds["v2", default: 0] += 1
                let uuid = try #require(notification.notification.notificationUUID)
                let date = notification.notification.signedDate
                if !uuids[uuid, default: []].insert(date).inserted { copies += 1 }
            case .notificationV1: kinds["v1", default: 0] += 1
            case .appReceipt: kinds["receipt", default: 0] += 1
            case .transactionReceipt: kinds["iOS 6", default: 0] += 1
            case .transaction: kinds["transaction", default: 0] += 1
            }
        }
        #expect(Set(kinds.keys) == ["v2", "v1", "receipt", "iOS 6", "transaction"])
        #expect(copies > 0)
        #expect(uuids.values.contains { $0.count > 1 })
        #expect(zip(arrived, arrived.dropFirst()).contains { $0.step > $1.step })
        let (fewer, happenings) = try Self.deliveries(seed: 9, .lossy)
        #expect(fewer.count < arrived.count && fewer.count > happenings / 2)
    }

    @Test("Every document that arrives is proved, or vouched for by the app's secret")
    func proved() throws {
        let authority = try NotificationTests.authority.get()
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        let (arrived, _) = try Self.deliveries(
            seed: 3,
            .usual,
            steps: Soak.size(200, soak: 5_000)
        )
        let app = ExpectedApp(bundleId: Life.bundleId, appAppleId: 1_234_567_890)
        let signedData = SignedDataVerifier(trust: trust)
        let receipts = ReceiptVerifier(trust: trust)
        for delivery in arrived {
            let now = delivery.at.advanced(by: .seconds(3600))
            let bytes = try delivery.document.signed(by: authority)
            switch delivery.document {
            case .notificationV2:
                let document = try Document(detecting: bytes)
                _ = try signedData.notification(CompactJWS(document.bytes), of: app, now: now)
            case .notificationV1:
                let envelope = try NotificationEnvelope(parsing: bytes.span)
                guard case .v1(let body, let password) = envelope else {
                    Issue.record("no notification of version 1")
                    continue
                }
                let notification = try Proof.notification(body, password, at: now)
                for receipt in notification.receipts { _ = try receipt.result.get() }
            case .appReceipt, .transactionReceipt:
                let receipt = try receipts.verify(Document(detecting: bytes), now: now)
                #expect(receipt.proof.scope.bundleId == Life.bundleId)
            case .transaction:
                _ = try signedData.transaction(CompactJWS(bytes), of: app, now: now)
            }
        }
    }
}
