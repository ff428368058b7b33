import AppStoreModel
package import AppStoreSimulator
package import CounterfoilBasics

/// A history: documents as they arrive, and the truth at the end of each step.
package struct Lives {
    /// What happened in one step.
    package struct Step {
        package let deed: String
        /// What arrived meanwhile, signed.
        package let arrivals: [Arrival]
        /// The instant of its end.
        package let end: Instant
        /// What each customer has then, by the store's own books.
        package let truths: [Truth]

        /// The same step without some of what arrives.
        package func without(_ isLost: (DeliveredDocument) -> Bool) -> Step {
            Step(
                deed: deed,
                arrivals: arrivals.filter { !isLost($0.document) },
                end: end,
                truths: truths
            )
        }
    }

    /// A document that arrives.
    package struct Arrival {
        package let at: Instant
        package let bytes: [UInt8]
        package let document: DeliveredDocument
    }

    package let start: Instant
    package private(set) var steps: [Step] = []
    /// What arrived after the last step.
    package private(set) var rest: [Arrival] = []

    package var arrivals: [Arrival] { steps.flatMap(\.arrivals) + rest }
    package var end: Instant { ([steps.last?.end ?? start] + rest.map(\.at)).max() ?? start }

    package init(seed: UInt64, steps count: Int, faults: DeliveryGenerator.Faults) throws {
        let authority = try Record.authority.get()
        var lives = try LifeGenerator(seed: seed, app: Self.app)
        var network = DeliveryGenerator(seed: seed, faults: faults)
        start = lives.store.now
        func sign(_ delivery: Delivery) throws -> Arrival {
            Arrival(
                at: delivery.at,
                bytes: try delivery.document.signed(by: authority),
                document: delivery.document
            )
        }
        for _ in 0..<count {
            let step = lives.step()
            let arrivals = try network.take(step, from: &lives).map(sign)
            let now = lives.store.now
            let truths = lives.accounts.flatMap {
                lives.store.truth(of: $0, in: Record.bundleId, at: now)
            }
            steps.append(
                Step(deed: "\(step.deed)", arrivals: arrivals, end: now, truths: truths)
            )
        }
        rest = try network.rest().map(sign)
    }

    package static var app: StoreApp {
        let group = SubscriptionGroup("20000001")
        func plan(
            _ level: Int,
            _ period: CalendarPeriod,
            _ offers: [Offer] = []
        ) -> AppStoreSimulator.Product.Kind {
            .autoRenewable(.init(group: group, level: level, period: period, offers: offers))
        }
        var app = StoreApp(
            bundleId: Record.bundleId,
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
        app.sharedSecret = Record.secret
        app.notificationVersions = [.v1, .v2]
        app["silver.month"]?.isFamilyShareable = true
        return app
    }
}
