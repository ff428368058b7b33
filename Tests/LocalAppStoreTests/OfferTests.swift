import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Offers")
struct OfferTests {
    private static let reduced = PriceList(Price(1_990, "USD"))

    private static func life(_ offers: Offer...) -> Life {
        Life { $0["gold.month"]?.plan?.offers = offers }
    }

    private static func periods(_ life: Life) -> [(String, Int64)] {
        life.store.lineages[0].purchases.map {
            ($0.expiresDate!.description.prefix(10).description, $0.price.milliunits.rawValue)
        }
    }

    @Test("A free trial is one transaction of its length, and new customers alone get it")
    func freeTrial() throws {
        var life = Self.life(.freeTrial(for: CalendarPeriod(rawValue: "P3D")))
        let number = try life.buy("gold.month")
        let first = try #require(life.store.takeHappenings().first?.purchase)
        #expect(first.transaction.offerType == .introductory)
        #expect(first.transaction.offerDiscountType == .freeTrial)
        #expect(first.transaction.offerIdentifier == nil)
        #expect(first.transaction.price == Milliunits(rawValue: 0))
        life.advance(days: 40)
        #expect(
            Self.periods(life).map(\.0) == ["2026-02-03", "2026-03-03", "2026-04-03"]
        )
        #expect(Self.periods(life).map(\.1) == [0, 9_990, 9_990])
        try life.store.turnRenewalOff(number)
        life.advance(days: 60)
        try life.buy("gold.month")
        #expect(life.store.lineages[0].newest.offer == nil)
    }

    @Test("The introductory offers of a group are for those who are new to all of it")
    func newToGroup() throws {
        let trial = Offer.freeTrial(for: .week)
        var life = Life {
            $0["gold.month"]?.plan?.offers = [trial]
            $0["silver.month"]?.plan?.offers = [trial]
        }
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(days: 60)
        try life.buy("gold.month")
        #expect(life.store.lineages[0].purchases.map(\.offer?.type) == [.introductory, nil])
        #expect(life.store.lineages[0].newest.price == Price(9_990, "USD"))
    }

    @Test(
        "An offer that was to come with another plan goes with the change",
        arguments: [true, false]
    )
    func undone(buyingAgain: Bool) throws {
        var life = Life {
            $0["bronze.week"]?.plan?.offers = [.freeTrial(.promotional, "down", for: .week)]
        }
        let number = try life.buy("silver.month")
        try life.buy("bronze.week", offer: "down")
        if buyingAgain {
            try life.buy("silver.month")
        } else {
            try life.store.undoPlanChange(number)
        }
        let last = try #require(life.store.takeHappenings().last)
        #expect(last.event == .planChangeUndone)
        #expect(last.purchase?.renewalInfo?.offerIdentifier == nil)
        life.advance(days: 30)
        #expect(Self.periods(life).map(\.1) == [4_990, 4_990])
    }

    @Test("A lower price as one goes is paid in each period, up front once for all of them")
    func paid() throws {
        var asYouGo = Self.life(
            .payAsYouGo(for: CalendarPeriod(rawValue: "P3M"), Self.reduced)
        )
        try asYouGo.buy("gold.month")
        asYouGo.advance(days: 110)
        #expect(Self.periods(asYouGo).map(\.1) == [1_990, 1_990, 1_990, 9_990])
        #expect(
            asYouGo.store.lineages[0].purchases.map { $0.offer != nil } == [
                true, true, true, false,
            ]
        )
        var upFront = Self.life(
            .payUpFront(for: CalendarPeriod(rawValue: "P3M"), Self.reduced)
        )
        try upFront.buy("gold.month")
        upFront.advance(days: 110)
        #expect(
            Self.periods(upFront).map(\.0) == ["2026-04-30", "2026-05-31"]
        )
        #expect(Self.periods(upFront).map(\.1) == [1_990, 9_990])
    }

    @Test(
        "A promotional offer is for present and lapsed subscribers, and holds from the next period"
    )
    func promotional() throws {
        let offer = Offer.payAsYouGo(.promotional, "stay", for: .month, Self.reduced)
        var life = Self.life(offer)
        #expect(throws: StoreError.self) { try life.buy("gold.month", offer: "stay") }
        try life.buy("gold.month")
        try life.buy("gold.month", offer: "stay")
        let last = try #require(life.store.takeHappenings().last)
        #expect(last.event == .offerRedeemed)
        #expect(last.purchase?.renewalInfo?.offerType == .promotional)
        #expect(last.purchase?.renewalInfo?.offerIdentifier == "stay")
        #expect(last.purchase?.renewalInfo?.renewalPrice == Milliunits(rawValue: 1_990))
        life.advance(days: 70)
        #expect(Self.periods(life).map(\.1) == [9_990, 1_990, 9_990])
    }

    @Test("A code is for everybody, and is told by its reference name")
    func code() throws {
        let offer = Offer.freeTrial(.code, "spring", for: .month)
        var life = Self.life(offer)
        try life.buy("gold.month", offer: "spring")
        let first = try #require(life.store.takeHappenings().first)
        #expect(first.event == .subscribed)
        #expect(first.purchase?.transaction.offerType == .code)
        #expect(first.purchase?.transaction.offerIdentifier == "spring")
    }

    @Test("With a change of plan an offer is told of with its direction")
    func planChanges() throws {
        var life = Life {
            $0["gold.month"]?.plan?.offers = [.freeTrial(.promotional, "up", for: .month)]
            $0["bronze.week"]?.plan?.offers = [.freeTrial(.promotional, "down", for: .week)]
        }
        try life.buy("silver.month")
        try life.buy("bronze.week", offer: "down")
        try life.buy("gold.month", offer: "up")
        #expect(
            life.events()
                == [.subscribed, .offerRedeemedWithPlanChange, .offerRedeemedWithUpgrade]
        )
        #expect(life.store.lineages[0].newest.offer?.id == "up")
    }

    @Test("A win-back offer is for lapsed subscribers, whose renewal info names it")
    func winBack() throws {
        let offer = Offer.payUpFront(.winBack, "return", for: .month, Self.reduced)
        var life = Self.life(offer)
        let number = try life.buy("gold.month")
        #expect(throws: StoreError.self) { try life.buy("gold.month", offer: "return") }
        try life.store.turnRenewalOff(number)
        life.advance(days: 40)
        let expired = try #require(life.store.takeHappenings().last?.purchase)
        #expect(expired.renewalInfo?.eligibleWinBackOfferIds == ["return"])
        try life.buy("gold.month", offer: "return")
        #expect(life.store.lineages[0].newest.offer?.type == .winBack)
        #expect(life.events() == [.resubscribed])
    }
}
