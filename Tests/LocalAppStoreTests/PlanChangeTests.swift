import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Changes of plan")
struct PlanChangeTests {
    @Test("A higher plan, or one as high and as long, begins at once and ends the present period")
    func atOnce() throws {
        for product in ["gold.month", "silver2.month"] {
            var life = Life()
            try life.buy("silver.month")
            life.advance(days: 10)
            try life.buy(product)
            let lineage = life.store.lineages[0]
            #expect(life.store.lineages.count == 1)
            #expect(lineage.purchases[0].upgradedAt == life.store.now)
            #expect(lineage.newest.productId == product)
            #expect(lineage.newest.reason == .purchase)
            #expect(lineage.newest.expiresDate?.description == "2026-03-10T10:00:00Z")
            #expect(life.events() == [.subscribed, .upgraded])
            #expect(life.states == [.active])
            let told = try life.store.transactionHistory(of: life.account, in: Life.bundleId)
                .transactions.map(\.transaction)
            #expect(told.map(\.isUpgraded) == [true, nil])
            #expect(told.map(\.revocationDate) == [nil, nil])
            #expect(Set(told.map(\.originalTransactionId)).count == 1)
        }
    }

    @Test("A lower plan, or one as high and of another length, begins at the next renewal")
    func atRenewal() throws {
        for product in ["bronze.week", "silver.year"] {
            var life = Life()
            try life.buy("silver.month")
            life.advance(days: 10)
            try life.buy(product)
            #expect(life.store.lineages[0].newest.productId == "silver.month")
            #expect(life.store.lineages[0].renewal?.productId == product)
            life.advance(to: "2026-02-28T10:00:00Z")
            #expect(life.store.lineages[0].newest.productId == product)
            #expect(life.store.lineages[0].newest.reason == .renewal)
            #expect(life.events() == [.subscribed, .planChangeScheduled, .renewed])
        }
    }

    @Test("A change that is scheduled can be taken back, and the present plan renews")
    func undone() throws {
        var life = Life()
        try life.buy("silver.month")
        try life.buy("bronze.week")
        try life.buy("silver.month")
        life.advance(to: "2026-02-28T10:00:00Z")
        #expect(life.store.lineages[0].newest.productId == "silver.month")
        #expect(
            life.events() == [.subscribed, .planChangeScheduled, .planChangeUndone, .renewed]
        )
    }

    @Test("After its end a subscription begins again under the same original transaction")
    func resubscribed() throws {
        var life = Life()
        let first = try life.buy("silver.month")
        try life.store.turnRenewalOff(first)
        life.advance(days: 100)
        try life.buy("silver.month")
        try life.store.turnRenewalOff(first)
        life.advance(days: 100)
        try life.buy("gold.month")
        #expect(life.store.lineages.count == 1)
        #expect(life.store.lineages[0].original == first)
        #expect(
            life.events() == [
                .subscribed, .renewalTurnedOff, .expiredByChoice, .resubscribed, .renewalTurnedOff,
                .expiredByChoice, .resubscribedToOther,
            ]
        )
        #expect(life.states == [.active])
    }

    @Test(
        "A lapse of up to sixty days does not interrupt the time of paid service",
        arguments: [(60, true), (61, false)]
    )
    func lapse(days: Int, isForgiven: Bool) throws {
        var life = Life()
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(to: "2026-02-28T10:00:00Z")
        life.advance(days: days)
        try life.buy("silver.month")
        let renewal = try #require(life.store.takeHappenings().last?.purchase?.renewalInfo)
        #expect(
            renewal.recentSubscriptionStartDate == (isForgiven ? Life.start : life.store.now)
        )
    }

    @Test("A later purchase may mark the subscription as another account's of the app")
    func tokens() throws {
        let tokens = [
            "3b9b9d2e-6c1f-4b0a-9a76-0d1f5b7a1c11", "7e3fb204-2b02-4d1c-8c8b-0d4f5d3c9c11",
        ]
        var life = Life()
        for token in tokens {
            let number = try life.store.buy(
                "silver.month",
                of: Life.bundleId,
                on: life.device,
                appAccountToken: token
            )
            let told = try #require(life.store.takeHappenings().last?.purchase)
            #expect(told.transaction.appAccountToken == token)
            #expect(told.renewalInfo?.appAccountToken == token)
            try life.store.turnRenewalOff(number)
            life.advance(days: 40)
        }
    }

    @Test("A plan is not changed at once while the next period is paid and has not begun")
    func charged() throws {
        var life = Life()
        try life.buy("silver.month")
        life.advance(to: "2026-02-28T09:30:00Z")
        #expect(life.store.lineages[0].purchases.count == 2)
        let error = #expect(throws: StoreError.self) { try life.buy("gold.month") }
        #expect(error?.code == StoreError.renewalCharged)
        life.advance(to: "2026-02-28T10:00:00Z")
        try life.buy("gold.month")
    }

    @Test(
        "A change that is undone leaves the question for consent as it was",
        arguments: [false, true]
    )
    func undoneAtPriceIncrease(buys: Bool) throws {
        var life = Life()
        let number = try life.buy("silver.month")
        try life.store.setPrice(Price(14_990, "USD"), of: "silver.month", in: Life.bundleId)
        try life.buy("bronze.week")
        if buys { try life.buy("silver.month") } else { try life.store.undoPlanChange(number) }
        life.advance(days: 40)
        #expect(life.events().last == .expiredWithoutConsent)
    }

    @Test("A change that is undone leaves the price that was agreed on")
    func undoneKeepsPrice() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        try life.store.change(Life.bundleId) {
            $0["silver.month"]?.prices = PriceList(Price(14_990, "USD"))
        }
        try life.buy("bronze.week")
        try life.buy("silver.year")
        try life.store.undoPlanChange(number)
        life.advance(days: 40)
        #expect(life.store.lineages[0].newest.price == Price(4_990, "USD"))
    }

    @Test("What was to come after a subscription that is over cannot be undone")
    func undoneTooLate() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        try life.buy("bronze.week")
        try life.store.turnRenewalOff(number)
        life.advance(days: 40)
        let error = #expect(throws: StoreError.self) { try life.store.undoPlanChange(number) }
        #expect(error?.code == StoreError.notPossible)
    }
}
