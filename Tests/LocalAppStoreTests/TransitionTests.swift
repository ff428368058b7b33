import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Transitions of a subscription")
struct TransitionTests {
    private static let grace = Life { $0.gracePeriod = GracePeriod(.sixteenDays) }

    @Test(
        "Each sends its notification, says its status, and leaves what Apple's table says",
        arguments: transitions
    )
    func transition(_ row: Row) throws { try row.run(Life()) }

    @Test("The same where a grace period is set", arguments: transitionsInGrace)
    func transitionInGrace(_ row: Row) throws { try row.run(Self.grace) }

    static let transitions: [Row] = [
        Row("first purchase", .subscribed, .initialBuy, .active, status: .active) { life in
            try life.buy("gold.month")
        } check: {
            let transaction = try #require($0.nested.transaction)
            #expect(transaction.transactionReason == .purchase)
            #expect(transaction.transactionId == transaction.originalTransactionId)
            #expect($0.nested.renewalInfo?.autoRenewStatus == .on)
        },
        Row("subscribed again after expiry", .subscribed, .resubscribe, .active, status: .active) {
            life in
            try life.store.turnRenewalOff(life.buy("gold.month"))
            life.advance(days: 40)
            try life.buy("gold.month")
        } check: {
            let transaction = try #require($0.nested.transaction)
            #expect(transaction.transactionId != transaction.originalTransactionId)
            #expect($0.nested.renewalInfo?.expirationIntent == nil)
        },
        Row("subscribed again after a refund", .subscribed, .resubscribe, .active, status: .active)
        {
            life in
            try life.store.refund(life.buy("gold.month"))
            life.advance(days: 1)
            try life.buy("gold.month")
        },
        Row("renewed on time", .didRenew, nil, .active, status: .active) { life in
            try life.buy("gold.month")
            life.advance(to: "2026-02-28T10:00:00Z")
        } check: {
            let transaction = try #require($0.nested.transaction)
            #expect(transaction.transactionReason == .renewal)
            #expect(transaction.transactionId != transaction.originalTransactionId)
            #expect(transaction.purchaseDate == Life.instant("2026-02-28T10:00:00Z"))
            #expect($0.nested.renewalInfo?.renewalDate == transaction.expiresDate)
        },
        Row("recovered in billing retry", .didRenew, .billingRecovery, .active, status: .active) {
            life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 40)
            life.store.setPayment(.works, of: life.account)
        } check: {
            #expect(
                $0.nested.transaction?.purchaseDate
                    == Life.start.advanced(by: .seconds(40 * 86_400))
            )
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == nil)
        },
        Row("a payment failed", .didFailToRenew, nil, .billingRetry, status: .billingRetry) {
            life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 40)
        } check: {
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == true)
            #expect($0.nested.renewalInfo?.gracePeriodExpiresDate == nil)
            #expect($0.nested.renewalInfo?.expirationIntent == nil)
        },
        Row("turned off in billing retry", .expired, .voluntary, .expired, status: .expired) {
            life in
            let number = try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 40)
            try life.store.turnRenewalOff(number)
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .customerCancelled)
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == false)
        },
        Row("retries ended", .expired, .billingRetry, .expired, status: .expired) { life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 100)
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .billingError)
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == false)
            #expect($0.nested.renewalInfo?.autoRenewStatus == .off)
        },
        Row("turned off, and over", .expired, .voluntary, .expired, status: .expired) { life in
            try life.store.turnRenewalOff(life.buy("gold.month"))
            life.advance(days: 40)
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .customerCancelled)
        },
        Row("no consent to a higher price", .expired, .priceIncrease, .expired, status: .expired) {
            life in
            try life.buy("gold.month")
            try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
            life.advance(days: 40)
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .noConsentToPriceIncrease)
        },
        Row("product withdrawn", .expired, .productNotForSale, .expired, status: .expired) {
            life in
            try life.buy("gold.month")
            try life.store.change(Life.bundleId) { $0["gold.month"]?.isForSale = false }
            life.advance(days: 40)
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .productNotAvailable)
        },
        Row("ended for another reason", .expired, nil, .expired, status: .expired) { life in
            try life.store.end(life.buy("gold.month"))
        } check: {
            #expect($0.nested.renewalInfo?.expirationIntent == .other)
        },
        Row(
            "turned off",
            .didChangeRenewalStatus,
            .autoRenewDisabled,
            .active,
            status: .active
        ) { life in
            try life.store.turnRenewalOff(life.buy("gold.month"))
        } check: {
            #expect($0.nested.renewalInfo?.autoRenewStatus == .off)
            #expect($0.nested.renewalInfo?.expirationIntent == nil)
        },
        Row(
            "turned on again",
            .didChangeRenewalStatus,
            .autoRenewEnabled,
            .active,
            status: .active
        ) { life in
            let number = try life.buy("gold.month")
            try life.store.turnRenewalOff(number)
            try life.store.turnRenewalOn(number)
        },
        Row(
            "turned off after a price increase",
            .didChangeRenewalStatus,
            nil,
            .active,
            status: .active
        ) { life in
            let number = try life.buy("gold.month")
            try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
            try life.store.turnRenewalOff(number)
        },
        Row("upgraded", .didChangeRenewalPref, .upgrade, .active, status: .active) { life in
            try life.buy("silver.month")
            life.advance(days: 3)
            try life.buy("gold.month")
        } check: {
            #expect($0.nested.transaction?.productId == "gold.month")
            #expect($0.nested.transaction?.transactionReason == .purchase)
        },
        Row("downgrade chosen", .didChangeRenewalPref, .downgrade, .active, status: .active) {
            life in
            try life.buy("silver.month")
            try life.buy("bronze.week")
        } check: {
            #expect($0.nested.transaction?.productId == "silver.month")
            #expect($0.nested.renewalInfo?.autoRenewProductId == "bronze.week")
            #expect($0.nested.renewalInfo?.productId == "silver.month")
            #expect($0.nested.renewalInfo?.renewalPrice == Milliunits(rawValue: 990))
        },
        Row("downgrade undone", .didChangeRenewalPref, nil, .active, status: .active) { life in
            let number = try life.buy("silver.month")
            try life.buy("bronze.week")
            try life.store.undoPlanChange(number)
        } check: {
            #expect($0.nested.renewalInfo?.autoRenewProductId == "silver.month")
        },
        Row("offer redeemed", .offerRedeemed, nil, .active, status: .active) { life in
            try life.offer("stay", of: "silver.month")
            try life.buy("silver.month")
            try life.buy("silver.month", offer: "stay")
        } check: {
            #expect($0.nested.transaction?.offerIdentifier == nil)
            #expect($0.nested.renewalInfo?.offerIdentifier == "stay")
            #expect($0.nested.renewalInfo?.offerDiscountType == .freeTrial)
            #expect($0.nested.renewalInfo?.renewalPrice == Milliunits(rawValue: 0))
        },
        Row("offer redeemed with an upgrade", .offerRedeemed, .upgrade, .active, status: .active) {
            life in
            try life.offer("up", of: "gold.month")
            try life.buy("silver.month")
            try life.buy("gold.month", offer: "up")
        } check: {
            #expect($0.nested.transaction?.productId == "gold.month")
            #expect($0.nested.transaction?.offerIdentifier == "up")
        },
        Row(
            "offer redeemed with a downgrade",
            .offerRedeemed,
            .downgrade,
            .active,
            status: .active
        ) { life in
            try life.offer("down", of: "bronze.week")
            try life.buy("silver.month")
            try life.buy("bronze.week", offer: "down")
        } check: {
            #expect($0.nested.transaction?.productId == "silver.month")
            #expect($0.nested.renewalInfo?.autoRenewProductId == "bronze.week")
            #expect($0.nested.renewalInfo?.offerIdentifier == "down")
        },
        Row("consent asked", .priceIncrease, .pending, .active, status: .active) { life in
            try life.buy("gold.month")
            try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
        } check: {
            #expect($0.nested.renewalInfo?.priceIncreaseStatus == .noAnswer)
        },
        Row("consent given", .priceIncrease, .accepted, .active, status: .active) { life in
            let number = try life.buy("gold.month")
            try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
            try life.store.acceptPriceIncrease(number)
        } check: {
            #expect($0.nested.renewalInfo?.priceIncreaseStatus == .consentedOrNotified)
            #expect($0.nested.renewalInfo?.renewalPrice == Milliunits(rawValue: 99_990))
        },
        Row("extended", .renewalExtended, nil, .active, status: .active) { life in
            try life.store.extend(life.buy("gold.month"), days: 10)
        } check: {
            #expect($0.nested.transaction?.expiresDate == Life.instant("2026-03-10T10:00:00Z"))
            #expect(
                $0.nested.transaction?.transactionId == $0.nested.transaction?.originalTransactionId
            )
        },
        Row("refunded", .didChangeRenewalStatus, .autoRenewDisabled, .revoked, status: .revoked) {
            life in
            try life.store.refund(life.buy("gold.month"))
        } check: {
            #expect($0.nested.transaction?.revocationReason == .other)
        },
        Row("refunded after its end", .refund, nil, .revoked, status: .revoked) { life in
            let number = try life.buy("gold.month")
            try life.store.turnRenewalOff(number)
            life.advance(days: 40)
            try life.store.refund(number)
        } check: {
            #expect($0.nested.transaction?.expiresDate == Life.instant("2026-02-28T10:00:00Z"))
            #expect($0.nested.renewalInfo?.expirationIntent == .customerCancelled)
        },
        Row("refund reversed", .refundReversed, nil, .active, status: .active) { life in
            let number = try life.buy("gold.month")
            try life.store.refund(number)
            life.advance(days: 2)
            try life.store.reverseRefund(number)
        } check: {
            #expect($0.nested.transaction?.revocationDate == nil)
            #expect($0.nested.renewalInfo?.renewalDate == Life.instant("2026-02-28T10:00:00Z"))
        },
        Row("refund asked for", .consumptionRequest, nil, .active, status: .active) { life in
            try life.store.requestRefund(life.buy("gold.month"), .legal)
        } check: {
            #expect($0.notification.data?.consumptionRequestReason == .legal)
        },
        Row("refund declined", .refundDeclined, nil, .active, status: .active) { life in
            try life.store.declineRefund(life.buy("gold.month"))
        },
    ]

    static let transitionsInGrace: [Row] = [
        Row(
            "a payment failed",
            .didFailToRenew,
            .gracePeriod,
            .grace,
            status: .billingGracePeriod
        ) { life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(to: "2026-03-01T00:00:00Z")
        } check: {
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == true)
            #expect(
                $0.nested.renewalInfo?.gracePeriodExpiresDate
                    == Life.instant("2026-03-16T10:00:00Z")
            )
        },
        Row("grace over", .gracePeriodExpired, nil, .billingRetry, status: .billingRetry) { life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(to: "2026-03-17T00:00:00Z")
        },
        Row("recovered in grace", .didRenew, .billingRecovery, .active, status: .active) { life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(to: "2026-03-10T00:00:00Z")
            life.store.setPayment(.works, of: life.account)
        } check: {
            #expect($0.nested.transaction?.purchaseDate == Life.instant("2026-02-28T10:00:00Z"))
        },
        Row("retries ended after grace", .expired, .billingRetry, .expired, status: .expired) {
            life in
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 100)
        } check: {
            // The grace period's date stays after the retries.
            #expect($0.nested.renewalInfo?.gracePeriodExpiresDate != nil)
        },
        Row(
            "refunded in grace",
            .didChangeRenewalStatus,
            .autoRenewDisabled,
            .revoked,
            status: .revoked
        ) { life in
            let number = try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(to: "2026-03-01T00:00:00Z")
            try life.store.refund(number)
        } check: {
            #expect($0.nested.renewalInfo?.isInBillingRetryPeriod == false)
        },
        Row("turned off in grace", .expired, .voluntary, .expired, status: .expired) { life in
            let number = try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(to: "2026-03-01T00:00:00Z")
            try life.store.turnRenewalOff(number)
        },
    ]
}

extension Life {
    /// Puts a free period of a product on offer to those who have or had a subscription.
    fileprivate mutating func offer(_ name: String, of product: String) throws {
        try store.change(Self.bundleId) {
            guard let period = $0[product]?.plan?.period else { return }
            $0[product]?.plan?.offers = [.freeTrial(.promotional, name, for: period)]
        }
    }
}
