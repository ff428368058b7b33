import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Rules of the local App Store")
struct StoreRulesTests {
    private static func life(
        environment: StoreEnvironment = .production,
        _ change: (inout StoreRules) -> Void
    ) -> Life {
        var rules = StoreRules()
        change(&rules)
        return Life(environment: environment, rules: rules)
    }

    @Test(
        "A period is charged and told of as long before it begins as the rules say, at most a day"
    )
    func chargeLead() throws {
        var life = Self.life { $0.chargeLead = .seconds(86_400) }
        try life.buy("gold.month")
        life.advance(days: 40)
        #expect(
            life.told() == ["2026-01-31T10:00:00Z subscribed", "2026-02-27T10:00:00Z renewed"]
        )
        #expect(
            life.store.lineages[0].newest.purchaseDate == Life.instant("2026-02-28T10:00:00Z")
        )
    }

    @Test("Who subscribes again may begin anew, under an original transaction of its own")
    func resubscribing() throws {
        var life = Self.life { $0.keepsOriginalWhenResubscribing = false }
        let first = try life.buy("gold.month")
        try life.store.turnRenewalOff(first)
        life.advance(days: 40)
        let second = try life.buy("gold.month")
        #expect(life.store.lineages.map(\.original) == [first, second])
        #expect(life.states == [.expired, .active])
        #expect(life.events().last == .subscribed)
        #expect(life.store.lineages[1].newest.offer == nil)
    }

    @Test("The end of the sandbox's renewals may come without a word")
    func renewalLimit() throws {
        var life = Self.life(environment: .sandbox) { $0.tellsOfRenewalLimit = false }
        try life.buy("gold.month")
        life.store.advance(by: .seconds(7200))
        #expect(life.events().suffix(2) == [.renewed, .expiredByChoice])
    }

    @Test("A restore may leave the numbers as they were")
    func restoring() throws {
        var life = Self.life { $0.restoringRenumbers = false }
        let number = try life.buy("pro")
        let other = life.store.addDevice(of: life.account)
        life.advance(days: 2)
        try life.store.restore(Life.bundleId, on: other)
        let restored = try life.receipt(on: other).inApp
        #expect(restored.map(\.transactionId) == [number.description])
        #expect(restored.map(\.purchaseDate) == [Life.start])
    }

    @Test("A country's law may let prices rise by less without consent", arguments: [0, 20])
    func percentWithoutConsent(percent: Int) throws {
        for (price, event) in [
            (4_990 * (100 + Int64(percent)) / 100, percent == 0 ? nil : .priceIncreaseAccepted),
            (4_990 * (100 + Int64(percent)) / 100 + 1, .priceIncreaseAsked),
        ] as [(Int64, Event?)] {
            var life = Self.life { $0.percentWithoutConsent = percent }
            try life.buy("silver.month")
            try life.store.setPrice(Price(price, "USD"), of: "silver.month", in: Life.bundleId)
            #expect(life.events() == [.subscribed] + [event].compactMap(\.self))
        }
    }
}
