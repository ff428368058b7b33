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

    /// An offer, what its customer did before, and what its first transaction says.
    private struct Redemption: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let offer: Offer
        let customer: Customer
        let price: Int64

        enum Customer { case new, present, lapsed }

        init(_ description: String, _ offer: Offer, _ customer: Customer, _ price: Int64 = 1_990) {
            testDescription = description
            self.offer = offer
            self.customer = customer
            self.price = price
        }
    }

    private static let redemptions: [Redemption] = [
        Redemption("introductory, as you go", .payAsYouGo(for: quarter, reduced), .new),
        Redemption("introductory, up front", .payUpFront(for: quarter, reduced), .new),
        Redemption("code, new", .freeTrial(.code, "o", for: .month), .new, 0),
        Redemption("code, present", .payUpFront(.code, "o", for: quarter, reduced), .present),
        Redemption("code, lapsed", .payAsYouGo(.code, "o", for: quarter, reduced), .lapsed),
        Redemption("promotional, present", .freeTrial(.promotional, "o", for: .week), .present, 0),
        Redemption(
            "promotional, lapsed",
            .payUpFront(.promotional, "o", for: quarter, reduced),
            .lapsed
        ),
        Redemption("win-back, lapsed", .payAsYouGo(.winBack, "o", for: quarter, reduced), .lapsed),
    ]

    private static let quarter = CalendarPeriod(rawValue: "P3M")

    @Test(
        "Whoever may have an offer has a transaction of it that says which, how paid and how long",
        arguments: redemptions
    )
    private func redeemed(redemption: Redemption) throws {
        let offer = redemption.offer
        var life = Self.life(offer)
        if redemption.customer != .new {
            let number = try life.buy("gold.month")
            if redemption.customer == .lapsed { try life.store.turnRenewalOff(number) }
        }
        if redemption.customer == .lapsed { life.advance(days: 40) }
        try life.buy("gold.month", offer: offer.id)
        if redemption.customer == .present { life.advance(to: "2026-02-28T10:00:00Z") }
        let told = try #require(life.store.takeHappenings().last?.notificationV2)
        let expected: NotificationTypeV2 =
            redemption.customer == .present ? .didRenew : .subscribed
        #expect(told.notification.notificationType == expected)
        let transaction = try #require(told.nested.transaction)
        #expect(transaction.offerType == offer.type)
        #expect(transaction.offerIdentifier == offer.id)
        #expect(transaction.offerDiscountType == offer.mode)
        #expect(transaction.offerPeriod == offer.duration)
        #expect(transaction.price == Milliunits(rawValue: redemption.price))
        #expect(life.states == [.active])
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

    @Test(
        "A code lowers the price of what is bought once, for each of several",
        arguments: [("coins", 3, 500), ("pro", 1, 0), ("season", 1, 500)]
    )
    func oneTime(product: String, quantity: Int64, price: Int64) throws {
        var life = Life {
            $0[product]?.codes = [
                .oneTime("other", PriceList(Price(1, "USD"))),
                .oneTime(
                    "spring",
                    PriceList(Price(900, "USD"), byStorefront: ["DEU": Price(price, "EUR")])
                ),
            ]
        }
        let device = life.store.addDevice(of: life.store.openAccount(in: .germany))
        try life.store.buy(
            product,
            of: Life.bundleId,
            on: device,
            quantity: quantity,
            offer: "spring"
        )
        try life.buy(product)
        let told = life.store.takeHappenings()
        #expect(told.map(\.event) == [.boughtOnce, .boughtOnce])
        let transaction = try #require(told[0].purchase).transaction
        #expect(transaction.offerType == .code)
        #expect(transaction.offerIdentifier == "spring")
        #expect(transaction.offerDiscountType == .oneTime)
        #expect(transaction.offerPeriod == nil)
        #expect(transaction.price == Milliunits(rawValue: quantity * price))
        #expect(transaction.currency == "EUR")
        #expect(told[1].purchase?.transaction.offerDiscountType == nil)
        let json = String(decoding: transaction.json, as: UTF8.self)
        #expect(json.contains(#""offerDiscountType":"ONE_TIME""#))
    }

    @Test("What a code gives for nothing is had even where payments fail")
    func oneTimeForNothing() throws {
        var life = Life { $0["pro"]?.codes = [.oneTime("gift", PriceList(Price(0, "USD")))] }
        life.store.setPayment(.fails, of: life.account)
        #expect(throws: StoreError.self) { try life.buy("pro") }
        try life.buy("pro", offer: "gift")
        #expect(life.states == [.active])
    }

    @Test("Offers are refused that the product could not have")
    func invalid() throws {
        func refuse(_ change: (inout StoreApp) -> Void) {
            var life = Life()
            let error = #expect(throws: StoreError.self) {
                try life.store.change(Life.bundleId, change)
            }
            #expect(error?.code == StoreError.invalidCatalogue)
        }
        let code = Offer.oneTime("spring", PriceList(Price(500, "USD")))
        refuse { $0["gold.month"]?.codes = [code] }
        refuse { $0["gold.month"]?.plan?.offers = [code] }
        refuse { $0["coins"]?.codes = [.freeTrial(.code, "spring", for: .month)] }
        for change: (inout Offer) -> Void in [
            { $0.id = nil }, { $0.type = .promotional }, { $0.prices = nil },
            { $0.duration = .month }, { $0.mode = .payUpFront },
            { $0.prices = PriceList(Price(-1, "USD")) },
        ] {
            var spoilt = code
            change(&spoilt)
            refuse { $0["coins"]?.codes = [spoilt] }
        }
        let reduced = Offer.payUpFront(.code, "spring", for: .month, Self.reduced)
        for change: (inout Offer) -> Void in [
            { $0.duration = nil }, { $0.prices = nil }, { $0.mode = .freeTrial },
            { $0.mode = .oneTime },
        ] {
            var spoilt = reduced
            change(&spoilt)
            refuse { $0["gold.month"]?.plan?.offers = [spoilt] }
        }
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
