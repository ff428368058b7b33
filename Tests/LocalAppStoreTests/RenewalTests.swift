import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Renewals")
struct RenewalTests {
    @Test(
        "A subscription begun on the 31st ends on the last day of short months, and on the 31st after"
    )
    func monthEnds() throws {
        var life = Life()
        try life.buy("gold.month")
        life.advance(to: "2026-06-01T00:00:00Z")
        let ends = life.store.lineages[0].purchases.compactMap(\.expiresDate?.description)
        #expect(
            ends == [
                "2026-02-28T10:00:00Z", "2026-03-31T10:00:00Z", "2026-04-30T10:00:00Z",
                "2026-05-31T10:00:00Z", "2026-06-30T10:00:00Z",
            ]
        )
        #expect(
            life.told() == [
                "2026-01-31T10:00:00Z subscribed", "2026-02-28T09:00:00Z renewed",
                "2026-03-31T09:00:00Z renewed", "2026-04-30T09:00:00Z renewed",
                "2026-05-31T09:00:00Z renewed",
            ]
        )
        #expect(life.states == [.active])
    }

    @Test(
        "Without a grace period a failed payment ends access at once, and retries end after 60 days"
    )
    func billingRetry() throws {
        var life = Life()
        try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(to: "2026-05-01T00:00:00Z")
        #expect(
            life.told() == [
                "2026-01-31T10:00:00Z subscribed", "2026-02-28T10:00:00Z billingFailed",
                "2026-04-29T10:00:00Z expiredUnpaid",
            ]
        )
        #expect(life.states(at: Life.instant("2026-02-28T09:59:59Z")) == [.active])
        #expect(life.states(at: Life.instant("2026-02-28T10:00:00Z")) == [.billingRetry])
        #expect(life.states == [.expired])
    }

    @Test("In the grace period access is kept, and a recovery keeps the days of billing")
    func recoveryInGrace() throws {
        var life = Life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(to: "2026-03-05T00:00:00Z")
        #expect(life.states == [.grace])
        life.store.setPayment(.works, of: life.account)
        #expect(life.states == [.active])
        #expect(life.store.lineages[0].newest.purchaseDate.description == "2026-02-28T10:00:00Z")
        #expect(
            life.store.lineages[0].newest.expiresDate?.description == "2026-03-31T10:00:00Z"
        )
        #expect(life.events() == [.subscribed, .billingFailedInGrace, .recovered])
    }

    @Test("After the grace period access ends, and a recovery begins new days of billing")
    func recoveryAfterGrace() throws {
        var life = Life { $0.gracePeriod = GracePeriod(.threeDays) }
        try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(to: "2026-03-10T12:00:00Z")
        #expect(life.states == [.billingRetry])
        life.store.setPayment(.works, of: life.account)
        #expect(
            life.store.lineages[0].newest.expiresDate?.description == "2026-04-10T12:00:00Z"
        )
        #expect(
            life.told().suffix(3) == [
                "2026-02-28T10:00:00Z billingFailedInGrace",
                "2026-03-03T10:00:00Z gracePeriodEnded", "2026-03-10T12:00:00Z recovered",
            ]
        )
    }

    @Test(
        "A grace period is as long as it was set, and six days at most for a week",
        arguments: [
            (GracePeriod.Length.threeDays, 3, 3), (.sixteenDays, 6, 16), (.twentyEightDays, 6, 28),
        ]
    )
    func gracePeriods(length: GracePeriod.Length, ofWeek: Int, ofMonth: Int) throws {
        for (product, days) in [("bronze.week", ofWeek), ("gold.month", ofMonth)] {
            var life = Life { $0.gracePeriod = GracePeriod(length) }
            try life.buy(product)
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 29)
            let failure = try #require(life.store.lineages[0].billingFailures.first)
            #expect(failure.graceEnd == failure.begin.advanced(by: .seconds(86_400 * days)))
        }
    }

    @Test("Where paid renewals alone have a grace period, the one after a free trial has none")
    func paidToPaid() throws {
        for scope in GracePeriod.Scope.allCases {
            var life = Life {
                $0.gracePeriod = GracePeriod(.sixteenDays, scope)
                $0["gold.month"]?.plan?.offers = [.freeTrial(for: .week)]
            }
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 8)
            #expect(life.states == [scope == .allRenewals ? .grace : .billingRetry])
        }
    }

    @Test("Turned off, it goes on to the end of the period; turned on again, it renews")
    func turnedOff() throws {
        var life = Life()
        let number = try life.buy("gold.month")
        try life.store.turnRenewalOff(number)
        try life.store.turnRenewalOn(number)
        life.advance(to: "2026-03-01T00:00:00Z")
        try life.store.turnRenewalOff(number)
        life.advance(to: "2026-04-30T00:00:00Z")
        #expect(
            life.events() == [
                .subscribed, .renewalTurnedOff, .renewalTurnedOn, .renewed, .renewalTurnedOff,
                .expiredByChoice,
            ]
        )
        #expect(life.states(at: Life.instant("2026-03-31T09:59:59Z")) == [.active])
        #expect(life.states == [.expired])
    }

    @Test("Who subscribes again in the sandbox gets twelve renewals again")
    func sandboxAgain() throws {
        var life = Life(environment: .sandbox)
        for _ in 1...2 {
            try life.buy("gold.month")
            life.store.advance(by: .seconds(7200))
            #expect(life.events().count { $0 == .renewed } == 12)
        }
    }

    @Test("The sandbox renews twelve times and then turns renewal off")
    func sandboxLimit() throws {
        var life = Life(environment: .sandbox)
        try life.buy("gold.month")
        life.store.advance(by: .seconds(7200))
        let events = life.events()
        #expect(events.count { $0 == .renewed } == 12)
        #expect(events.suffix(2) == [.renewalTurnedOff, .expiredByChoice])
        #expect(
            life.store.lineages[0].newest.expiresDate
                == Life.start.advanced(by: .seconds(13 * 300))
        )
    }

    @Test("A refund while a payment fails ends the tries: what is turned off is not charged again")
    func refundedInBillingRetry() throws {
        var life = Life()
        let number = try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 30)
        #expect(life.states == [.billingRetry])
        try life.store.refund(number)
        #expect(life.states == [.revoked])
        life.store.setPayment(.works, of: life.account)
        life.advance(days: 90)
        #expect(life.store.lineages[0].purchases.count == 1)
        #expect(
            life.events() == [
                .subscribed, .billingFailed, .subscriptionRefunded, .renewalTurnedOff,
            ]
        )
        try life.buy("gold.month")
        #expect(life.states == [.active])
    }

    @Test("What a refund leaves on is off when the refunded period ends")
    func refundedAndLeftOn() throws {
        var rules = StoreRules()
        rules.refundTurnsRenewalOff = false
        var life = Life(rules: rules)
        try life.store.refund(life.buy("gold.month"))
        #expect(life.store.lineages[0].renewal?.isOn == true)
        life.advance(days: 40)
        #expect(life.store.lineages[0].renewal?.isOn == false)
        #expect(life.store.lineages[0].renewal?.expirationIntent == .customerCancelled)
    }
}
