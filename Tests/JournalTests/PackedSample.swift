import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Journal

/// Documents to pack, signed by an authority of our own.
enum PackedSample {
    static let authority = Result {
        try SigningAuthority(
            profile: AuthorityProfile(now: Instant(secondsSince1970: 1_767_225_600))
        )
    }

    static func digest(_ bytes: [UInt8]) -> SHA256Digest { SHA256Digest(of: bytes.span) }

    /// The documents that a life of so many steps sends.
    static func deliveries(seed: UInt64, steps: Int) throws -> [DeliveredDocument] {
        var lives = try LifeGenerator(seed: seed, app: app)
        var network = DeliveryGenerator(seed: seed, faults: .usual)
        var documents: [DeliveredDocument] = []
        for _ in 0..<steps {
            documents += network.take(lives.step(), from: &lives).map(\.document)
        }
        return documents + network.rest().map(\.document)
    }

    /// The notifications of version 2 of such a life, as they are posted.
    static func notifications(_ count: Int) throws -> [(type: String, body: [UInt8])] {
        try deliveries(seed: 1, steps: 200).compactMap { document in
            guard case .notificationV2(let notification) = document,
                let type = notification.notification.notificationType
            else { return nil }
            return (type.rawValue, try document.signed(by: authority.get()))
        }
        .prefix(count).map(\.self)
    }

    private static var app: StoreApp {
        let group = SubscriptionGroup("20000001")
        var app = StoreApp(
            bundleId: "com.example.app",
            appAppleId: 1_234_567_890,
            products: [
                Product(
                    "gold.month",
                    .autoRenewable(.init(group: group, level: 1, period: .month)),
                    Price(9_990, "USD")
                ),
                Product(
                    "silver.year",
                    .autoRenewable(.init(group: group, level: 2, period: .year)),
                    Price(49_990, "USD")
                ),
                Product("coins", .consumable, Price(990, "USD")),
            ]
        )
        app.gracePeriod = GracePeriod(.sixteenDays)
        app.sharedSecret = "0123456789abcdef0123456789abcdef"
        app.notificationVersions = [.v1, .v2]
        return app
    }
}
