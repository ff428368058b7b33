import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Prices, refunds and commitments")
struct PriceTests {
    private static func raise(_ life: inout Life, to price: Int64) throws {
        try life.store.setPrice(Price(price, "USD"), of: "silver.month", in: Life.bundleId)
    }

    @Test("Half as much again, and five units at most, needs no consent, once a year")
    func withoutConsent() throws {
        var life = Life()
        try life.buy("silver.month")
        try Self.raise(&life, to: 6_990)
        life.advance(days: 30)
        #expect(life.store.lineages[0].newest.price == Price(6_990, "USD"))
        try Self.raise(&life, to: 7_990)
        #expect(
            life.events() == [.subscribed, .priceIncreaseAccepted, .renewed, .priceIncreaseAsked]
        )
    }

    @Test(
        "A year after a rise without consent there may be another, and not before",
        arguments: [("2027-01-30T10:00:00Z", true), ("2027-02-01T10:00:00Z", false)]
    )
    func oncePerYear(instant: String, needsConsent: Bool) throws {
        var life = Life()
        try life.buy("silver.month")
        try Self.raise(&life, to: 5_990)
        life.advance(to: instant)
        _ = life.events()
        try Self.raise(&life, to: 6_990)
        let told = try #require(life.store.takeHappenings().last?.notificationV2)
        #expect(told.notification.notificationType == .priceIncrease)
        #expect(told.notification.subtype == (needsConsent ? .pending : .accepted))
        life.advance(days: 40)
        #expect(life.states == [needsConsent ? .expired : .active])
    }

    @Test(
        "Half as much again and five units are the most without consent, fifty units for a year",
        arguments: [
            ("silver.month", 4_990, 7_485, false), ("silver.month", 4_990, 7_486, true),
            ("silver.month", 20_000, 25_000, false), ("silver.month", 20_000, 25_001, true),
            ("silver.year", 49_990, 74_985, false), ("silver.year", 49_990, 74_986, true),
            ("silver.year", 200_000, 250_000, false), ("silver.year", 200_000, 250_001, true),
        ]
    )
    func consent(product: String, old: Int64, new: Int64, needsConsent: Bool) throws {
        var life = Life { $0[product]?.prices = PriceList(Price(old, "USD")) }
        try life.buy(product)
        try life.store.setPrice(Price(new, "USD"), of: product, in: Life.bundleId)
        let told = try #require(life.store.takeHappenings().last)
        #expect(told.event == (needsConsent ? .priceIncreaseAsked : .priceIncreaseAccepted))
        let renewal = try #require(told.notificationV2?.nested.renewalInfo)
        #expect(
            renewal.priceIncreaseStatus == (needsConsent ? .noAnswer : .consentedOrNotified)
        )
    }

    @Test("Each storefront's price rises, falls or stays by itself, within its currency")
    func storefronts() throws {
        let old = PriceList(
            Price(4_990, "USD"),
            byStorefront: ["DEU": Price(4_990, "EUR"), "JPN": Price(600_000, "JPY")]
        )
        var life = Life { $0["silver.month"]?.prices = old }
        var buyers = [life.device]
        for storefront in [
            Storefront.germany, .japan, Storefront(country: "BGR", id: "143526"),
        ] {
            let account = life.store.openAccount(in: storefront)
            buyers.append(life.store.addDevice(of: account))
        }
        for device in buyers {
            try life.store.buy("silver.month", of: Life.bundleId, on: device)
        }
        _ = life.events()
        // The last one's storefront takes up another currency.
        let new = PriceList(
            Price(4_990, "USD"),
            byStorefront: [
                "DEU": Price(9_990, "EUR"), "JPN": Price(500_000, "JPY"),
                "BGR": Price(99_990, "EUR"),
            ]
        )
        try life.store.setPrice(new, of: "silver.month", in: Life.bundleId)
        let told = life.store.takeHappenings()
        #expect(told.map(\.event) == [.priceIncreaseAsked])
        let asked = try #require(told.first?.purchase)
        #expect(asked.account.storefront == .germany)
        #expect(asked.renewalInfo?.renewalPrice == Milliunits(rawValue: 9_990))
        #expect(asked.renewalInfo?.currency == "EUR")
        try life.store.acceptPriceIncrease(asked.purchase.number)
        life.advance(days: 30)
        #expect(
            life.store.lineages.map(\.newest.price) == [
                Price(4_990, "USD"), Price(9_990, "EUR"), Price(500_000, "JPY"),
                Price(4_990, "USD"),
            ]
        )
        #expect(life.store.apps[Life.bundleId]?["silver.month"]?.prices == new)
    }

    @Test("Subscribers keep their price while new ones pay another, and are told so")
    func preserved() throws {
        var life = Life()
        try life.buy("silver.month")
        try life.store.change(Life.bundleId) {
            $0["silver.month"]?.prices = PriceList(Price(8_990, "USD"))
        }
        life.advance(days: 70)
        #expect(
            life.store.lineages[0].purchases.map(\.price.milliunits.rawValue)
                == [4_990, 4_990, 4_990]
        )
        let last = try #require(life.store.takeHappenings().last?.purchase)
        #expect(last.renewalInfo?.renewalPrice == Milliunits(rawValue: 4_990))
        let other = life.store.addDevice(of: life.store.openAccount())
        try life.store.buy("silver.month", of: Life.bundleId, on: other)
        #expect(life.store.lineages[1].newest.price == Price(8_990, "USD"))
    }

    @Test("More needs consent; a customer who gives it pays it from the next period on")
    func withConsent() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        try Self.raise(&life, to: 9_990)
        try life.store.acceptPriceIncrease(number)
        life.advance(days: 70)
        #expect(
            life.store.lineages[0].purchases.map(\.price.milliunits.rawValue)
                == [4_990, 9_990, 9_990]
        )
    }

    @Test("Who turned renewal off is not asked for consent")
    func turnedOff() throws {
        var life = Life()
        try life.store.turnRenewalOff(life.buy("silver.month"))
        try Self.raise(&life, to: 99_990)
        #expect(life.events() == [.subscribed, .renewalTurnedOff])
    }

    @Test("A lower price holds from the next renewal on, and nobody is asked")
    func lower() throws {
        var life = Life()
        try life.buy("silver.month")
        try Self.raise(&life, to: 1_990)
        life.advance(days: 30)
        #expect(life.events() == [.subscribed, .renewed])
        #expect(life.store.lineages[0].newest.price == Price(1_990, "USD"))
    }

    @Test("A refund in part says how much, and the access ends at once")
    func prorated() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        life.advance(days: 15)
        try life.store.refund(number, .appIssue, percentage: Millipercent(rawValue: 48_000))
        let refund = try #require(
            life.store.takeHappenings().first { $0.event == .subscriptionRefunded }?.purchase
        )
        #expect(refund.transaction.revocationType == .refundProrated)
        #expect(refund.transaction.revocationPercentage == Millipercent(rawValue: 48_000))
        #expect(refund.transaction.revocationReason == .appIssue)
        #expect(life.states == [.revoked])
        life.advance(days: 60)
        #expect(life.events().isEmpty)
    }

    @Test("A refund in full says so, and renewal is turned off unless the rules say otherwise")
    func full() throws {
        for turnsOff in [true, false] {
            var rules = StoreRules()
            rules.refundTurnsRenewalOff = turnsOff
            var life = Life(rules: rules)
            try life.store.refund(life.buy("silver.month"), .appIssue)
            let told = life.store.takeHappenings().compactMap(\.notificationV2).dropFirst()
            #expect(
                told.map(\.notification.notificationType)
                    == (turnsOff ? [.refund, .didChangeRenewalStatus] : [.refund])
            )
            let refund = try #require(told.first)
            #expect(refund.notification.data?.status == .revoked)
            #expect(refund.nested.transaction?.revocationType == .refundFull)
            #expect(refund.nested.transaction?.revocationPercentage?.rawValue == 100_000)
            #expect(refund.nested.transaction?.revocationReason == .appIssue)
            #expect(refund.nested.transaction?.revocationDate == life.store.now)
            #expect(told.last?.nested.renewalInfo?.autoRenewStatus == (turnsOff ? .off : .on))
            #expect(life.states == [.revoked])
        }
    }

    @Test("The refund of an older period leaves the present one")
    func olderPeriod() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        life.advance(days: 35)
        try life.store.refund(number)
        let last = try #require(life.store.takeHappenings().last)
        #expect(last.notificationV2?.notification.data?.status == .active)
        #expect(last.purchase?.transaction.revocationDate == life.store.now)
        #expect(life.states == [.active])
        #expect(life.store.lineages[0].renewal?.isOn == true)
    }

    @Test("One-time purchases are told of, refunded and given back")
    func oneTime() throws {
        var life = Life()
        let coins = try life.store.buy("coins", of: Life.bundleId, on: life.device, quantity: 3)
        let season = try life.buy("season")
        #expect(life.states == [.credit(3), .active])
        try life.store.refund(coins)
        try life.store.refund(season)
        #expect(life.states == [.credit(0), .revoked])
        try life.store.reverseRefund(coins)
        #expect(life.states == [.credit(3), .revoked])
        let told = life.store.takeHappenings()
        #expect(
            told.map { $0.notificationV2?.notification.notificationType }
                == [.oneTimeCharge, .oneTimeCharge, .refund, .refund, .refundReversed]
        )
        #expect(told[0].notificationV2?.nested.renewalInfo == nil)
        #expect(told[0].purchase?.transaction.price == Milliunits(rawValue: 2_970))
    }

    @Test(
        "A refund may be asked for of any product, and changes nothing",
        arguments: ["coins", "pro", "season", "gold.month"]
    )
    func asked(product: String) throws {
        var life = Life()
        let number = try life.buy(product)
        let states = life.states
        try life.store.requestRefund(number, .unsatisfiedWithPurchase)
        try life.store.declineRefund(number)
        #expect(life.states == states)
        let told = life.store.takeHappenings().compactMap(\.notificationV2).dropFirst()
        #expect(
            told.map(\.notification.notificationType) == [.consumptionRequest, .refundDeclined]
        )
        #expect(
            told.first?.notification.data?.consumptionRequestReason == .unsatisfiedWithPurchase
        )
        for notification in told {
            #expect(notification.nested.transaction?.transactionId == number.description)
            #expect(notification.nested.transaction?.revocationDate == nil)
        }
    }

    @Test("A commitment is paid month by month to its end, also when it shall not begin anew")
    func commitment() throws {
        var life = Life { $0["gold.month"]?.plan?.commitment = 12 }
        let number = try life.buy("gold.month")
        let first = try #require(life.store.takeHappenings().first?.purchase)
        #expect(first.transaction.billingPlanType == .monthly)
        let commitment = try #require(first.transaction.commitmentInfo)
        #expect(commitment.billingPeriodNumber == 1)
        #expect(commitment.totalBillingPeriods == 12)
        #expect(commitment.commitmentExpiresDate == Life.instant("2027-01-31T10:00:00Z"))
        #expect(commitment.commitmentPrice == Milliunits(rawValue: 119_880))
        life.advance(days: 70)
        try life.store.turnRenewalOff(number)
        let off = try #require(life.store.takeHappenings().last?.purchase?.renewalInfo)
        #expect(off.commitmentInfo?.commitmentAutoRenewStatus == .off)
        #expect(off.autoRenewStatus == .on)
        life.advance(days: 400)
        #expect(life.store.lineages[0].purchases.count == 12)
        #expect(life.store.lineages[0].newest.instalment?.number == 12)
        #expect(life.events().last == .expiredByChoice)
        #expect(life.store.lineages[0].newest.expiresDate == Life.instant("2027-01-31T10:00:00Z"))
    }

    @Test("A plan that takes the place of a commitment goes on with none of its instalments")
    func commitmentLeft() throws {
        var life = Life { $0["gold.month"]?.plan?.commitment = 12 }
        try life.buy("gold.month")
        try life.buy("bronze.week")
        life.advance(days: 29)
        #expect(life.store.lineages[0].purchases.map(\.productId) == ["gold.month", "bronze.week"])
        #expect(life.store.lineages[0].purchases.map(\.instalment?.number) == [1, nil])
        #expect(life.store.takeHappenings().last?.purchase?.transaction.commitmentInfo == nil)
    }

    @Test(
        "All subscribers of a product get more time, those who cannot are told of, and a summary ends it"
    )
    func extensionOfAll() throws {
        var life = Life()
        try life.buy("silver.month")
        let other = life.store.addDevice(of: life.store.openAccount())
        let number = try life.store.buy("silver.month", of: Life.bundleId, on: other)
        try life.store.extend(number, days: 1)
        try life.store.extend(number, days: 1)
        _ = life.events()
        try life.store.extendAll(
            "silver.month",
            of: Life.bundleId,
            days: 7,
            requestIdentifier: "2f1c6b0e"
        )
        let told = life.store.takeHappenings()
        #expect(
            told.map(\.event)
                == [.renewalExtended, .renewalExtensionFailed, .renewalExtensionFinished]
        )
        let summary = try #require(told.last?.notificationV2?.notification.summary)
        #expect(summary.succeededCount == 1)
        #expect(summary.failedCount == 1)
        #expect(summary.requestIdentifier == "2f1c6b0e")
        life.advance(to: "2026-03-07T09:00:00Z")
        #expect(life.store.lineages[0].newest.purchaseDate == Life.instant("2026-03-07T10:00:00Z"))
    }

    @Test("Who buys a commitment again that was not to begin anew has it begin anew")
    func commitmentBoughtAgain() throws {
        var life = Life { $0["gold.month"]?.plan?.commitment = 12 }
        try life.store.turnRenewalOff(life.buy("gold.month"))
        _ = life.events()
        try life.buy("gold.month")
        #expect(life.events() == [.renewalTurnedOn])
        life.advance(days: 400)
        #expect(life.store.lineages[0].newest.instalment?.number == 2)
        #expect(life.store.lineages[0].purchases.count == 14)
    }

    @Test("What is had once is bought once", arguments: ["gold.month", "pro"])
    func quantities(product: String) throws {
        var life = Life()
        let error = #expect(throws: StoreError.self) {
            try life.store.buy(product, of: Life.bundleId, on: life.device, quantity: 2)
        }
        #expect(error?.code == StoreError.notPossible)
    }
}
