import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Types of version 1")
struct NotificationV1TypeTests {
    /// A row of Apple's table of events: what happened before, what happens, what is sent of it,
    /// and what the customer has then.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let types: [String]
        let state: Truth.State
        let before: @Sendable (inout Life) throws -> Void
        let happens: @Sendable (inout Life) throws -> Void

        init(
            _ description: String,
            _ types: [String],
            _ state: Truth.State,
            before: @escaping @Sendable (inout Life) throws -> Void = { _ in },
            happens: @escaping @Sendable (inout Life) throws -> Void
        ) {
            testDescription = description
            self.types = types
            self.state = state
            self.before = before
            self.happens = happens
        }
    }

    @Test("Each event sends what Apple's table says, and leaves what happened", arguments: rows)
    func event(row: Row) throws {
        var life = NotificationV1Tests.life()
        try row.before(&life)
        _ = life.store.takeHappenings()
        try row.happens(&life)
        let bodies = try life.bodiesV1()
        #expect(bodies.map { $0["notification_type"]?.string } == row.types)
        #expect(life.states == [row.state])
        guard let renewal = life.store.lineages[0].renewal else { return }
        for body in bodies {
            #expect(body["auto_renew_status"] == (renewal.isOn ? "true" : "false"))
            #expect(body["auto_renew_product_id"]?.string == renewal.productId)
        }
    }

    /// A subscription to silver that has ended, because its renewal was turned off.
    private static func expired(_ life: inout Life) throws {
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(days: 40)
    }

    private static func buysSilver(_ life: inout Life) throws { try life.buy("silver.month") }

    private static func paymentFails(_ life: inout Life) throws {
        try life.buy("silver.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 30)
    }

    private static let rows: [Row] = [
        Row("first purchase", ["INITIAL_BUY"], .active, happens: buysSilver),
        Row(
            "upgrade while active",
            ["DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"],
            .active,
            before: buysSilver
        ) { try $0.buy("gold.month") },
        Row("downgrade while active", ["DID_CHANGE_RENEWAL_PREF"], .active, before: buysSilver) {
            try $0.buy("bronze.week")
        },
        Row(
            "subscribed again to the same product",
            ["DID_CHANGE_RENEWAL_STATUS"],
            .active,
            before: expired
        ) { try $0.buy("silver.month") },
        Row(
            "subscribed again to another product",
            ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS"],
            .active,
            before: expired
        ) { try $0.buy("gold.month") },
        Row("turned off", ["DID_CHANGE_RENEWAL_STATUS"], .active, before: buysSilver) {
            try $0.store.turnRenewalOff($0.store.lineages[0].original)
        },
        Row(
            "turned on again",
            ["DID_CHANGE_RENEWAL_STATUS"],
            .active
        ) {
            try $0.store.turnRenewalOff($0.buy("silver.month"))
        } happens: {
            try $0.store.turnRenewalOn($0.store.lineages[0].original)
        },
        Row(
            "subscription refunded",
            ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"],
            .revoked,
            before: buysSilver
        ) { try $0.store.refund($0.store.lineages[0].original) },
        Row("a payment failed", ["DID_FAIL_TO_RENEW"], .billingRetry, before: buysSilver) {
            $0.store.setPayment(.fails, of: $0.account)
            $0.advance(days: 30)
        },
        Row("recovered in retry", ["DID_RECOVER"], .active, before: paymentFails) {
            $0.store.setPayment(.works, of: $0.account)
        },
        Row("retries ended", ["DID_CHANGE_RENEWAL_STATUS"], .expired, before: paymentFails) {
            $0.advance(days: 60)
        },
        Row("one-time product refunded", ["REFUND"], .revoked) {
            try $0.buy("pro")
        } happens: {
            try $0.store.refund($0.store.lineages[0].original)
        },
        Row("consent asked", ["PRICE_INCREASE_CONSENT"], .active, before: buysSilver) {
            try $0.store.setPrice(Price(99_990, "USD"), of: "silver.month", in: Life.bundleId)
        },
        Row("renewed", ["DID_RENEW"], .active, before: buysSilver) { $0.advance(days: 30) },
        // Version 1 has no word for an end by choice; the dates tell of it.
        Row("over by choice", [], .expired) {
            try $0.store.turnRenewalOff($0.buy("silver.month"))
        } happens: {
            $0.advance(days: 30)
        },
    ]

    /// Everything that version 1 tells of happens to a family: which types are sent of whose.
    private static func told(
        in environment: StoreEnvironment
    ) throws -> [NotificationTypeV1: Set<InAppOwnershipType>] {
        var life = NotificationV1Tests.life(environment: environment) {
            for id in ["gold.month", "silver.month", "bronze.week", "pro"] {
                $0[id]?.isFamilyShareable = true
            }
        }
        try life.store.formFamily([life.account, life.store.openAccount()])
        let number = try life.buy("silver.month")
        try life.buy("gold.month")
        try life.buy("bronze.week")
        try life.store.undoPlanChange(number)
        try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
        try life.store.acceptPriceIncrease(number)
        life.advance(days: 30)
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 31)
        life.store.setPayment(.works, of: life.account)
        try life.store.refund(life.store.lineages[0].newest.number)
        try life.store.refund(life.buy("pro"))
        try life.store.requestRefund(life.buy("coins"))
        var told: [NotificationTypeV1: Set<InAppOwnershipType>] = [:]
        for notification in life.store.takeHappenings().flatMap(\.notificationsV1) {
            told[notification.notificationType, default: []]
                .insert(notification.purchase.lineage.ownership)
        }
        return told
    }

    @Test("Each type is sent to the one who pays, to members of the family, or to both")
    func recipients() throws {
        let both: Set<InAppOwnershipType> = [.purchased, .familyShared]
        #expect(
            try Self.told(in: .production) == [
                .initialBuy: [.purchased], .didRenew: both, .didRecover: both,
                .interactiveRenewal: both, .didChangeRenewalPref: both,
                .didChangeRenewalStatus: both, .didFailToRenew: both, .cancel: [.purchased],
                .refund: [.purchased], .revoke: [.familyShared],
                .priceIncreaseConsent: [.purchased], .consumptionRequest: [.purchased],
            ]
        )
    }

    @Test("The sandbox sends seven types, to those who bought")
    func sandbox() throws {
        let told = try Self.told(in: .sandbox)
        #expect(
            Set(told.keys) == [
                .initialBuy, .didChangeRenewalPref, .didChangeRenewalStatus, .didRenew,
                .interactiveRenewal, .cancel, .refund,
            ]
        )
        #expect(told.values.allSatisfy { $0 == [.purchased] })
    }

    @Test("What Apple's table says to look at is in the body")
    func lookedAt() throws {
        var life = NotificationV1Tests.life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        func last() throws -> (body: JSONValue, renewal: JSONValue) {
            let body = try #require(life.bodiesV1().last)
            let renewals = body["unified_receipt"]?["pending_renewal_info"]?.array
            return (body, try #require(renewals?.first))
        }
        let number = try life.buy("gold.month")
        try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
        #expect(try last().renewal["price_consent_status"] == "0")
        try life.store.acceptPriceIncrease(number)
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 29)
        let failed = try last()
        #expect(failed.body["notification_type"] == "DID_FAIL_TO_RENEW")
        #expect(failed.renewal["is_in_billing_retry_period"] == "1")
        #expect(failed.renewal["grace_period_expires_date"] == "2026-03-16 10:00:00 Etc/GMT")
        try life.store.refund(number)
        let bodies = try life.bodiesV1()
        #expect(bodies.first?["notification_type"] == "CANCEL")
        #expect(bodies.first?["cancellation_date_ms"] == "1772359200000")
    }
}
