import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Ledger
import Testing

@Suite("The ledger beside the local App Store's truth")
struct TruthTests {
    static var app: StoreApp {
        let group = SubscriptionGroup("20000001")
        func plan(
            _ level: Int,
            _ period: CalendarPeriod,
            _ offers: [Offer] = []
        ) -> AppStoreSimulator.Product.Kind {
            .autoRenewable(.init(group: group, level: level, period: period, offers: offers))
        }
        var app = StoreApp(
            bundleId: Witness.bundleId,
            appAppleId: 1_234_567_890,
            products: [
                Product(
                    "gold.month",
                    plan(1, .month, [.freeTrial(for: .week)]),
                    Price(9_990, "USD")
                ),
                Product("silver.month", plan(2, .month), Price(4_990, "USD")),
                Product("silver.year", plan(2, .year), Price(49_990, "USD")),
                Product("bronze.week", plan(3, .week), Price(990, "USD")),
                Product("coins", .consumable, Price(990, "USD")),
                Product("pro", .nonConsumable, Price(19_990, "USD")),
            ]
        )
        app.gracePeriod = GracePeriod(.sixteenDays)
        app.sharedSecret = Witness.secret
        app.notificationVersions = [.v1, .v2]
        app["silver.month"]?.isFamilyShareable = true
        return app
    }

    private static var rules: Rules {
        var rules = Rules(environment: .production)
        rules.renewalLeeway = .zero
        return rules
    }

    private static func state(_ truth: Truth) -> Standing.State {
        switch truth.state {
        case .active: .active
        case .grace: .grace
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        case .credit(let count): count > 0 ? .credited : .revoked
        }
    }

    @Test("With everything delivered at once, each standing at each step is the truth")
    func everythingDelivered() throws {
        for seed in 1...UInt64(Soak.size(12, soak: 300)) {
            var lives = try LifeGenerator(seed: seed, app: Self.app)
            var network = DeliveryGenerator(seed: seed, faults: .none)
            var book = Book()
            for _ in 0..<120 {
                let step = lives.step()
                for delivery in network.take(step, from: &lives) {
                    book.learn(try Witness.statements(delivery.document))
                }
                try Self.compare(book, lives, "seed \(seed), step \(step.number), \(step.deed)")
            }
        }
    }

    @Test("However documents arrive, the end is the same, and it is the truth")
    func anyOrder() throws {
        for seed in 1...UInt64(Soak.size(8, soak: 300)) {
            var lives = try LifeGenerator(seed: seed, app: Self.app)
            var network = DeliveryGenerator(seed: seed, faults: .usual)
            var statements: [[Statement]] = []
            for _ in 0..<120 {
                let step = lives.step()
                for delivery in network.take(step, from: &lives) {
                    statements.append(try Witness.statements(delivery.document))
                }
            }
            for delivery in network.rest() {
                statements.append(try Witness.statements(delivery.document))
            }
            var book = Book()
            for statement in statements { book.learn(statement) }
            try Self.compare(book, lives, "seed \(seed)")
            var random = SeededRandom(seed: seed)
            for _ in 0..<5 {
                var other = Book()
                for statement in statements.shuffled(using: &random) { other.learn(statement) }
                #expect(other.lineages == book.lineages, "seed \(seed)")
            }
        }
    }

    private static func compare(
        _ book: Book,
        _ lives: LifeGenerator,
        _ comment: String
    ) throws {
        let now = lives.store.now
        for account in lives.accounts {
            for truth in lives.store.truth(of: account, in: Witness.bundleId, at: now) {
                let id = Witness.lineage(truth.original.description)
                let standing = book.lineages[id]?.standing(at: now, under: rules)
                try #require(
                    standing?.state == state(truth),
                    "\(comment), at \(now): \(truth), found \(String(describing: standing))"
                )
                #expect(standing?.productId == truth.productId, "\(comment)")
            }
        }
    }
}
