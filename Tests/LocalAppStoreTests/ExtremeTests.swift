import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

/// Nothing that can be said to the local App Store ends the process.
@Suite("The ends of every range")
struct ExtremeTests {
    @Test(
        "A life at either end of the calendar goes on, and its documents are made",
        arguments: [
            Instant(millisecondsSince1970: .min), Life.instant("0001-01-01T00:00:00Z"),
            Life.instant("9999-12-30T23:59:59Z"), Instant(millisecondsSince1970: .max),
        ],
        [StoreEnvironment.production, .sandbox]
    )
    func calendar(start: Instant, environment: StoreEnvironment) throws {
        var app = LifeGeneratorTests.app
        app.notificationVersions = [.v1, .v2]
        var lives = try LifeGenerator(
            seed: 5,
            app: app,
            environment: environment,
            start: start
        )
        var happenings = 0
        for _ in 0..<400 {
            for happening in lives.step().happenings {
                happenings += 1
                _ = happening.notificationV2?.nested.transaction?.json
                for notification in happening.notificationsV1 {
                    _ = try? notification.json(signedBy: Proof.authority.get())
                }
            }
            for device in lives.devices { _ = lives.receipt(on: device) }
        }
        #expect(happenings > 20)
    }

    @Test("However long the clock is told to run, it stops with the years that documents have")
    func durations() throws {
        var life = Life()
        try life.store.turnRenewalOff(life.buy("gold.month"))
        life.store.advance(by: .seconds(Int64.min))
        #expect(life.store.now == Life.start)
        life.store.advance(by: .seconds(Int64.max))
        #expect(life.store.now == Life.instant("9999-12-31T00:00:00Z"))
        #expect(life.events() == [.subscribed, .renewalTurnedOff, .expiredByChoice])
    }

    @Test("Rules of any size hold", arguments: [Int.min, -1, 0, Int.max])
    func rules(percent: Int) throws {
        var rules = StoreRules()
        rules.percentWithoutConsent = percent
        rules.chargeLead = .seconds(percent)
        var life = Life(rules: rules) {
            $0["gold.month"]?.prices = PriceList(Price(999_999_999, "USD"))
        }
        try life.buy("gold.month")
        try life.store.setPrice(
            Price(1_000_000_000, "USD"),
            of: "gold.month",
            in: Life.bundleId
        )
        #expect(
            life.events()
                == [.subscribed, percent == .max ? .priceIncreaseAccepted : .priceIncreaseAsked]
        )
        life.advance(days: 31)
    }

    @Test("A limit of no renewals at all is one of one", arguments: [Int.min, 0, 1])
    func renewals(limit: Int) throws {
        var pace = Pace.monthInFiveMinutes
        pace.renewalLimit = limit
        var life = Life(environment: .sandbox, pace: pace)
        try life.buy("gold.month")
        life.advance(days: 1)
        #expect(life.events() == [.subscribed, .renewed, .renewalTurnedOff, .expiredByChoice])
    }

    @Test("No price is sold for that none could pay", arguments: [-1, 1_000_000_001, Int64.max])
    func prices(milliunits: Int64) throws {
        var life = Life()
        #expect(throws: StoreError.self) {
            try life.store.change(Life.bundleId) {
                $0["coins"]?.prices = PriceList(Price(milliunits, "USD"))
            }
        }
        #expect(throws: StoreError.self) {
            try life.store.setPrice(
                PriceList(
                    Price(990, "USD"),
                    byStorefront: ["JPN": Price(milliunits, "JPY")]
                ),
                of: "gold.month",
                in: Life.bundleId
            )
        }
        #expect(throws: StoreError.self) {
            try life.store.setPrice(
                Price(milliunits, "USD"),
                of: "gold.month",
                in: Life.bundleId
            )
        }
    }

    @Test("A life needs no products, no customers and no weights")
    func nothing() throws {
        let nothing = StoreApp(bundleId: Life.bundleId, appAppleId: .min)
        for weights in [
            LifeGenerator.Weights([:]), .init([.wait: .min, .redeem: .max, .buy: .max]), .usual,
        ] {
            var lives = try LifeGenerator(
                seed: .max,
                app: nothing,
                customers: .min,
                weights: weights
            )
            for _ in 0..<100 { _ = lives.step() }
            #expect(lives.store.lineages.isEmpty)
        }
    }

    @Test("What always goes wrong comes to an end", arguments: [Int.min, 100, Int.max])
    func faults(hundredths: Int) throws {
        var faults = DeliveryGenerator.Faults()
        faults.repeated = hundredths
        faults.signedAnew = hundredths
        var lives = try LifeGenerator(seed: 1, app: Life.app, weights: .init([.buy: 1]))
        var network = DeliveryGenerator(seed: 1, faults: faults)
        var arrived = 0
        var happened = 0
        for _ in 0..<20 {
            let step = lives.step()
            happened += step.happenings.count
            arrived += network.take(step, from: &lives).count
        }
        arrived += network.rest().count
        #expect(happened > 0)
        #expect(arrived == (hundredths < 0 ? 1 : 20) * happened)
    }

    @Test("A catalogue whose product stands in the place of another is refused")
    func misplaced() {
        var life = Life()
        #expect(throws: StoreError.self) {
            try life.store.change(Life.bundleId) { $0["gems"] = $0["coins"] }
        }
    }
}
