import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Ledger
import Testing

@Suite("What is told of a lineage")
struct ChangeTests {
    private static var rules: Rules {
        var rules = Rules(environment: .production)
        rules.renewalLeeway = .zero
        rules.products = [
            "gold.month": ProductRule(group: "plans", level: 1),
            "silver.month": ProductRule(group: "plans", level: 2),
            "silver.year": ProductRule(group: "plans", level: 2),
        ]
        return rules
    }

    /// A customer of one store and what a ledger tells of each lineage, at once.
    private struct Life {
        var store: LocalAppStore
        let account: AppleAccount.ID
        let device: Device.ID
        private var told: [LineageID: ToldLineage] = [:]

        init() throws {
            store = LocalAppStore(at: Witness.instant("2026-01-31T10:00:00Z"), seed: 3)
            try store.add(TruthTests.app)
            account = store.openAccount()
            device = store.addDevice(of: account)
        }

        mutating func buy(_ product: String) throws -> TransactionNumber {
            try store.buy(product, of: Witness.bundleId, on: device)
        }

        /// Delivers what happened, and gives what is told of it and of the clock.
        mutating func tell(under rules: Rules = ChangeTests.rules) throws -> [String] {
            var changes: [Change] = []
            for happening in store.takeHappenings() {
                guard let notification = happening.notificationV2 else { continue }
                let statements = try Witness.statements(notification)
                guard let id = statements.first?.lineage else { continue }
                changes += told[id, default: ToldLineage(id, at: happening.at)]
                    .learn(statements, at: happening.at, under: rules)
            }
            for id in told.keys {
                changes += told[id]?.advance(to: store.now, under: rules) ?? []
            }
            return changes.map { change in
                let direction = change.direction.map { " \($0.rawValue)" } ?? ""
                return "\(change.occurredAt) \(change.kind.rawValue)\(direction)"
            }
        }
    }

    @Test("A life is told as it went, each thing at its own instant")
    func life() throws {
        var life = try Life()
        let number = try life.buy("silver.month")
        life.store.advance(by: .seconds(40 * 86_400))
        #expect(
            try life.tell() == [
                "2026-01-31T10:00:00Z subscription.started",
                "2026-02-28T10:00:00Z subscription.renewed",
            ]
        )
        _ = try life.buy("gold.month")
        try life.store.turnRenewalOff(number)
        let told = try life.tell()
        #expect(
            told.map { $0.split(separator: " ")[1] } == [
                "subscription.product_changed", "renewal.turned_off",
            ]
        )
        life.store.advance(by: .seconds(60 * 86_400))
        #expect(try life.tell() == ["2026-04-12T10:00:00Z subscription.expired"])
        _ = try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.store.advance(by: .seconds(40 * 86_400))
        // Without leeway the clock ends the period before the App Store says that a payment failed.
        let resumed = try life.tell()
        #expect(
            resumed.map { $0.split(separator: " ")[1] } == [
                "subscription.resumed", "renewal.turned_on", "subscription.expired",
                "subscription.grace_began",
            ]
        )
        life.store.setPayment(.works, of: life.account)
        #expect(
            try life.tell().map { $0.split(separator: " ")[1].description } == [
                "subscription.recovered"
            ]
        )
        let coins = try life.buy("coins")
        try life.store.refund(coins)
        life.store.advance(by: .seconds(5 * 86_400))
        try life.store.reverseRefund(coins)
        let credits = try life.tell().filter { !$0.contains("subscription") }
        #expect(
            credits.map { $0.split(separator: " ")[1].description } == [
                "purchase.made", "access.revoked", "access.restored",
            ]
        )
        // It counts since ever; what is new is that Apple said so.
        #expect(credits.last?.hasPrefix(life.store.now.description.prefix(16)) == true)
    }

    @Test("A change of product says whether it is to more, to less or to the same")
    func direction() throws {
        func told(under rules: Rules) throws -> [String] {
            var life = try Life()
            var told: [String] = []
            let products = ["silver.month", "gold.month", "silver.year"]
            for product in products {
                _ = try life.buy(product)
                told += try life.tell(under: rules)
            }
            // What is less comes with the next period, and so does another length.
            life.store.advance(by: .seconds(40 * 86_400))
            told += try life.tell(under: rules)
            _ = try life.buy("silver.month")
            return try (told + life.tell(under: rules)).map {
                $0.split(separator: " ").dropFirst().joined(separator: " ")
            }
        }
        let kinds = [
            "subscription.started", "subscription.product_changed", "renewal.product_changed",
            "subscription.product_changed", "renewal.product_changed",
        ]
        let directions = ["", " upgrade", " downgrade", " downgrade", " crossgrade"]
        let found = try told(under: Self.rules)
        #expect(found == zip(kinds, directions).map(+))

        var rules = Self.rules
        rules.products["gold.month"]?.group = "others"
        rules.products["silver.year"]?.level = nil
        #expect(try told(under: rules) == kinds)
        rules.products = [:]
        #expect(try told(under: rules) == kinds)
    }

    @Test("What is bought after the end, or mends a payment that failed, has a direction too")
    func directionOfReturn() throws {
        var life = try Life()
        let number = try life.buy("gold.month")
        try life.store.turnRenewalOff(number)
        life.store.advance(by: .seconds(40 * 86_400))
        _ = try life.tell()
        _ = try life.buy("silver.month")
        let resumed = try life.tell()
        #expect(resumed.first?.hasSuffix(" subscription.resumed downgrade") == true)
        life.store.setPayment(.fails, of: life.account)
        life.store.advance(by: .seconds(32 * 86_400))
        _ = try life.tell()
        life.store.setPayment(.works, of: life.account)
        _ = try life.tell()
        _ = try life.buy("gold.month")
        let changed = try life.tell()
        #expect(changed.contains { $0.hasSuffix(" subscription.product_changed upgrade") })
    }

    @Test("One renewal told three times is told once, when the clock comes to it")
    func toldOnce() throws {
        var store = LocalAppStore(at: Witness.instant("2026-01-01T10:00:00Z"), seed: 3)
        try store.add(TruthTests.app)
        let device = store.addDevice(of: store.openAccount())
        try store.buy("silver.month", of: Witness.bundleId, on: device)
        let first = try #require(store.takeHappenings().first)
        let bought = try Witness.statements(#require(first.notificationV2))
        let id = try #require(bought.first?.lineage)
        var told = ToldLineage(id, at: first.at)
        _ = told.learn(bought, at: first.at, under: Self.rules)
        store.advance(to: Witness.instant("2026-02-01T09:30:00Z"))
        let renewed = try #require(store.takeHappenings().last)
        #expect(renewed.event == .renewed)
        let notification = try #require(renewed.notificationV2)
        let v1 = try #require(renewed.notificationsV1.first)
        var changes: [Change] = []
        for document in [
            DeliveredDocument.notificationV2(notification), .notificationV2(notification),
            .notificationV1(v1), .notificationV1(v1),
        ] {
            changes += told.learn(
                try Witness.statements(document),
                at: store.now,
                under: Self.rules
            )
        }
        #expect(changes.isEmpty)
        changes = told.advance(to: Witness.instant("2026-02-01T12:00:00Z"), under: Self.rules)
        #expect(changes.map(\.kind) == [.renewed])
        #expect(changes.first?.occurredAt == Witness.instant("2026-02-01T10:00:00Z"))
    }

    @Test(
        "Each answer before a change is the answer after the one before it, and the last is the truth of the books"
    )
    func chained() throws {
        for seed in 1...UInt64(Soak.size(6, soak: 200)) {
            var lives = try LifeGenerator(seed: seed, app: TruthTests.app)
            var network = DeliveryGenerator(seed: seed, faults: .lossy)
            var told: [LineageID: ToldLineage] = [:]
            var last: [LineageID: Answer] = [:]
            func check(_ changes: [Change], _ id: LineageID) {
                for change in changes {
                    #expect(change.before == last[id], "seed \(seed), \(change.kind)")
                    #expect(change.before != change.after, "seed \(seed), \(change.kind)")
                    last[id] = change.after
                }
            }
            for _ in 0..<100 {
                let step = lives.step()
                for delivery in network.take(step, from: &lives) {
                    let statements = try Witness.statements(delivery.document)
                    for (id, statements) in Dictionary(grouping: statements, by: \.lineage) {
                        let now = lives.store.now
                        check(
                            told[id, default: ToldLineage(id, at: now)]
                                .learn(statements, at: now, under: Self.rules),
                            id
                        )
                    }
                }
            }
            for (id, _) in told {
                let now = lives.store.now
                check(told[id]?.advance(to: now, under: Self.rules) ?? [], id)
                let answer = told[id]?.lineage.standing(at: now, under: Self.rules)?.answer
                #expect(answer == last[id], "seed \(seed)")
            }
        }
    }

    @Test(
        "Before 2021 too, what version 1 says of renewal is learned, and is no better than a secret"
    )
    func version1Of2020() throws {
        var store = LocalAppStore(at: Witness.instant("2020-03-01T10:00:00Z"), seed: 3)
        try store.add(TruthTests.app)
        let device = store.addDevice(of: store.openAccount())
        let number = try store.buy("silver.month", of: Witness.bundleId, on: device)
        try store.turnRenewalOff(number)
        var book = Book()
        for happening in store.takeHappenings() {
            for notification in happening.notificationsV1 {
                book.learn(try Witness.statements(.notificationV1(notification)))
            }
        }
        let id = Witness.lineage(number.description)
        let standing = book.lineages[id]?.standing(at: store.now, under: Self.rules)
        #expect(standing?.state == .active)
        #expect(standing?.renewal?.isOn == false)
        #expect(book.lineages[id]?.choice.stamp?.grade == .sharedSecret)
        #expect(book.lineages[id]?.purchases.count == 1)
    }

    @Test("Entitlements name who gives them, and the sandbox gives only where it may")
    func entitlements() throws {
        var store = LocalAppStore(at: Witness.instant("2026-01-01T10:00:00Z"), seed: 3)
        try store.add(TruthTests.app)
        let device = store.addDevice(of: store.openAccount())
        try store.buy("silver.month", of: Witness.bundleId, on: device)
        try store.buy("pro", of: Witness.bundleId, on: device)
        try store.buy("coins", of: Witness.bundleId, on: device, quantity: 3)
        var book = Book()
        for happening in store.takeHappenings() {
            book.learn(try Witness.statements(#require(happening.notificationV2)))
        }
        var rules = Self.rules
        rules.products = [
            "silver.month": ProductRule(entitlements: ["pro"]),
            "pro": ProductRule(entitlements: ["pro", "export"]),
            "coins": ProductRule(credits: 100),
        ]
        let now = store.now
        let found = Ledger.entitlements(of: book.lineages.values, at: now, under: rules)
        #expect(found.map(\.name) == ["export", "pro"])
        // What was bought for ever lasts longer than the subscription.
        #expect(found.map(\.until) == [nil, nil])
        #expect(found[1].standings.map(\.productId) == ["pro", "silver.month"])
        #expect(Ledger.credits(of: book.lineages.values, at: now, under: rules) == 300)
        rules.products["pro"] = nil
        let rest = Ledger.entitlements(of: book.lineages.values, at: now, under: rules)
        #expect(rest.map(\.until) == [Witness.instant("2026-02-01T10:00:00Z")])
    }
}

extension ToldLineage {
    /// Learns statements at an instant, after what the clock did until then.
    fileprivate mutating func learn(
        _ statements: some Sequence<Statement>,
        at now: Instant,
        under rules: Rules
    ) -> [Change] {
        advance(to: now, under: rules) + learn(statements, under: rules)
    }
}
