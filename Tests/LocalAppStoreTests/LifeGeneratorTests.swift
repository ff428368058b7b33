import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@Suite("Lives at random")
struct LifeGeneratorTests {
    static var app: StoreApp {
        var app = Life.app
        app.gracePeriod = GracePeriod(.sixteenDays, .paidToPaidOnly)
        app["silver.month"]?.isFamilyShareable = true
        app["pro"]?.isFamilyShareable = true
        app["gold.month"]?.plan?.offers = [
            .freeTrial(for: .week), .freeTrial(.promotional, "stay", for: .month),
            .payUpFront(.winBack, "return", for: .month, PriceList(Price(990, "USD"))),
        ]
        app["bronze.week"]?.plan?.offers = [
            .payAsYouGo(
                .code,
                "spring",
                for: CalendarPeriod(rawValue: "P3W"),
                PriceList(Price(90, "USD"))
            )
        ]
        app["silver2.month"]?.plan?.commitment = 12
        app["coins"]?.codes = [.oneTime("gift", PriceList(Price(0, "USD")))]
        app["pro"]?.codes = [.oneTime("half", PriceList(Price(9_990, "USD")))]
        return app
    }

    @Test(
        "However they go, the books hold together and what is sent is what happened",
        arguments: [StoreEnvironment.production, .sandbox]
    )
    func invariants(environment: StoreEnvironment) throws {
        let steps = Soak.size(1_000, soak: 50_000)
        for seed in 1...Soak.size(3, soak: 2) {
            var lives = try LifeGenerator(
                seed: UInt64(seed),
                app: Self.app,
                customers: 4,
                environment: environment
            )
            var books = Books()
            for _ in 1...steps {
                let step = lives.step()
                let faults = books.faults(after: step)
                try #require(faults.isEmpty, "seed \(seed), step \(step.number): \(faults)")
            }
            try books.requireWholeNumbers(of: lives.store)
            let offers = lives.store.lineages.flatMap(\.purchases).compactMap(\.offer)
            #expect(Set(offers.map(\.mode)).isSuperset(of: [.freeTrial, .oneTime]), "seed \(seed)")
            #expect(books.events.count >= 20, "seed \(seed): \(books.events)")
        }
    }

    @Test("One seed gives one trace of payloads, byte for byte, and another seed another")
    func repeatable() throws {
        func trace(_ seed: UInt64) throws -> [[UInt8]] {
            var lives = try LifeGenerator(seed: seed, app: Self.app)
            return (0..<Soak.size(500, soak: 20_000)).flatMap { _ in
                lives.step().happenings.flatMap { happening in
                    let notification = happening.notificationV2
                    return [
                        notification?.notification.json, notification?.nested.transaction?.json,
                        notification?.nested.renewalInfo?.json,
                    ].compactMap(\.self)
                }
            }
        }
        let first = try trace(7)
        #expect(first.count > 300)
        #expect(try first == trace(7))
        #expect(try first != trace(8))
    }
}

/// What must hold of a store's books, looked at step by step.
private struct Books {
    private(set) var events: Set<Event> = []
    private var lastHappening = -1
    private var lastInstant: Instant?
    private var lastSigned: [TransactionNumber: Instant] = [:]

    /// What does not hold after a step.
    mutating func faults(after step: LifeGenerator.Step) -> [String] {
        var faults: [String] = []
        for happening in step.happenings {
            events.insert(happening.event)
            if happening.number != lastHappening + 1 { faults.append("a happening is missing") }
            if let lastInstant, happening.at < lastInstant { faults.append("time runs backwards") }
            (lastHappening, lastInstant) = (happening.number, happening.at)
            guard let record = happening.purchase else { continue }
            faults += signingFaults(record)
            faults += statusFaults(record, happening)
            faults += periodFaults(record.lineage)
        }
        return faults
    }

    /// Documents of a lineage are dated one after the other.
    private mutating func signingFaults(_ record: PurchaseRecord) -> [String] {
        let last = lastSigned.updateValue(record.signedDate, forKey: record.lineage.original)
        guard let last, last >= record.signedDate else { return [] }
        return ["\(record.lineage.original) is dated \(record.signedDate) after \(last)"]
    }

    /// The status that a notification states is what the customer has.
    private func statusFaults(_ record: PurchaseRecord, _ happening: Happening) -> [String] {
        guard let status = record.status else { return [] }
        let state = record.lineage.truth(at: happening.at)?.state
        let expected: SubscriptionStatus? =
            switch state {
            case .active?: .active
            case .expired?: .expired
            case .billingRetry?: .billingRetry
            case .grace?: .billingGracePeriod
            case .revoked?: .revoked
            default: nil
            }
        guard status != expected else { return [] }
        return ["\(happening.event) says \(status.rawValue), the truth is \(state as Any)"]
    }

    /// Periods follow each other, and a later one begins within another only to take its place.
    private func periodFaults(_ lineage: Lineage) -> [String] {
        var faults: [String] = []
        for (earlier, later) in zip(lineage.purchases, lineage.purchases.dropFirst()) {
            if later.purchaseDate < earlier.purchaseDate {
                faults.append("\(later.number) begins before \(earlier.number)")
            }
            let end = [earlier.expiresDate, earlier.revocation?.date, earlier.upgradedAt]
                .compactMap(\.self).min()
            if let end, later.purchaseDate < end {
                faults.append("\(later.number) begins before \(earlier.number) ends")
            }
        }
        return faults
    }

    /// No number was given twice.
    func requireWholeNumbers(of store: LocalAppStore) throws {
        let purchases = store.lineages.flatMap(\.purchases)
        let numbers = purchases.map(\.number) + purchases.compactMap(\.lineItem)
        try #require(Set(numbers).count == numbers.count)
    }
}
