import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import SubscriptionBackend
import Testing

@Suite("A year of subscribers")
struct SubscriptionBackendTests {
    private static let start = Instant(secondsSince1970: 1_767_225_600)
    private static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: start))
    }

    private static let app: StoreApp = {
        var app = StoreApp(
            bundleId: "com.example.app",
            appAppleId: 1_234_567_890,
            products: [
                Product(
                    "pro.month",
                    .autoRenewable(
                        Product.Plan(group: SubscriptionGroup("20000001"), period: .month)
                    ),
                    Price(9_990, "USD")
                )
            ]
        )
        app.gracePeriod = GracePeriod(.sixteenDays)
        return app
    }()

    @Test("Whatever becomes of them, the backend grants what the App Store would", arguments: 1...5)
    func year(seed: UInt64) throws {
        let authority = try Self.authority.get()
        let trust = try Trust.rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        var backend = SubscriptionBackend(bundleId: Self.app.bundleId, trust: trust)
        var lives = try LifeGenerator(seed: seed, app: Self.app, start: Self.start)
        var network = DeliveryGenerator(seed: seed, faults: .none)
        let end = Self.start.advanced(by: .seconds(365 * 86_400))
        while lives.store.now < end {
            let step = lives.step()
            for delivery in network.take(step, from: &lives) {
                try backend.take(delivery.document.signed(by: authority), now: lives.store.now)
            }
            let now = lives.store.now
            for account in lives.accounts {
                for truth in lives.store.truth(of: account, in: Self.app.bundleId, at: now) {
                    #expect(
                        backend.isEntitled(truth.original.description, at: now) == truth.isEntitled,
                        "seed \(seed), step \(step.number), \(step.deed), at \(now): \(truth)"
                    )
                }
            }
        }
    }
}
