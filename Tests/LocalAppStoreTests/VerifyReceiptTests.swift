import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("verifyReceipt of the local App Store")
struct VerifyReceiptTests {
    private static let secret = NotificationV1Tests.secret

    private static func life(
        environment: StoreEnvironment = .production,
        at start: Instant = Life.start,
        _ change: (inout StoreApp) -> Void = { _ in }
    ) -> Life {
        Life(environment: environment, pace: .real, at: start) {
            $0.sharedSecret = secret
            change(&$0)
        }
    }

    @Test(
        "A receipt at the other environment's address is answered 21007 or 21008, whatever the secret",
        arguments: [
            (StoreEnvironment.production, StoreEnvironment.sandbox, 21008),
            (.sandbox, .production, 21007), (.sandbox, .sandbox, 0), (.production, .production, 0),
        ]
    )
    func environments(of store: StoreEnvironment, address: StoreEnvironment, status: Int) throws {
        var life = Self.life(environment: store)
        let number = try life.buy("gold.month")
        let password = status == 0 ? Self.secret : "wrong"
        let receipt = StoreReceiptRequest.Receipt.app(try life.receipt())
        let answer = try life.verify(receipt, at: address, password: password)
        #expect(answer["status"] == JSONValue(status))
        #expect((answer["receipt"] != nil) == (status == 0))
        // What the old style says of its environment is not signed.
        var old = try life.store.transactionReceipt(of: number, on: life.device).receipt
        old.environment = nil
        let flat = try life.verify(.transaction(old), at: address, password: password)
        #expect(flat["status"] == JSONValue(status))
    }

    @Test("Subscriptions want the right secret, other products take no wrong one")
    func secrets() throws {
        var life = Self.life()
        let coins = try life.buy("coins")
        #expect(try life.status(password: nil) == 0)
        #expect(try life.status(password: "wrong") == 21004)
        #expect(try life.status(password: Self.secret) == 0)
        let flat = StoreReceiptRequest.Receipt.transaction(
            try life.store.transactionReceipt(of: coins, on: life.device).receipt
        )
        #expect(try life.verify(flat, password: nil)["status"] == 0)
        let number = try life.buy("gold.month")
        #expect(try life.status(password: nil) == 21004)
        #expect(try life.status(password: "wrong") == 21004)
        #expect(try life.status(password: Self.secret) == 0)
        let subscription = StoreReceiptRequest.Receipt.transaction(
            try life.store.transactionReceipt(of: number, on: life.device).receipt
        )
        #expect(try life.verify(subscription, password: nil)["status"] == 21004)
        var open = Life()
        try open.buy("gold.month")
        #expect(try open.status(password: nil) == 0)
    }

    @Test("Without the secret a receipt of other products tells nothing of subscriptions elsewhere")
    func silent() throws {
        var life = Self.life()
        try life.buy("gold.month")
        let other = life.store.addDevice(of: life.account)
        try life.store.buy("coins", of: Life.bundleId, on: other)
        let receipt = StoreReceiptRequest.Receipt.app(try life.receipt(on: other))
        let silent = try life.verify(receipt, password: nil)
        #expect(silent["status"] == 0)
        #expect(silent["latest_receipt_info"] == nil && silent["latest_receipt"] == nil)
        #expect(try life.verify(receipt)["latest_receipt_info"]?.array?.count == 2)
    }

    @Test("A receipt of nobody's is answered 21010, as Apple's real sample says it")
    func strangers() throws {
        var other = Life(seed: 77)
        for _ in 0..<3 { try other.buy("coins") }
        let receipt = try other.receipt()
        var life = Self.life()
        let answer = try life.verify(.app(receipt))
        #expect(answer == ["status": 21010, "environment": "Production", "is_retryable": false])
    }

    @Test("Everything that the store knows is told, the newest first, with a new receipt")
    func everything() throws {
        var life = Self.life {
            $0["gold.month"]?.plan?.offers = [.freeTrial(.code, "flyer", for: .month)]
        }
        let token = "3B9B9D2E-6C1F-4B0A-9A76-0D1F5B7A1C11"
        try life.store.buy(
            "silver.month",
            of: Life.bundleId,
            on: life.device,
            appAccountToken: token
        )
        life.advance(days: 3)
        try life.buy("gold.month", offer: "flyer")
        life.advance(days: 1)
        let pro = try life.buy("pro")
        try life.store.refund(pro, .appIssue)
        let posted = try life.receipt()
        life.advance(days: 40)
        let answer = try life.verify(.app(posted))
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(
            latest.map { $0["product_id"]?.string }
                == ["gold.month", "pro", "gold.month", "silver.month"]
        )
        #expect(answer["receipt"]?["in_app"]?.array?.count == 3)
        #expect(latest[1]["cancellation_reason"] == "1")
        #expect(latest[1]["cancellation_date"] == "2026-02-04 10:00:00 Etc/GMT")
        #expect(latest[1]["subscription_group_identifier"] == nil)
        #expect(latest[2]["offer_code_ref_name"] == "flyer")
        #expect(latest[3]["is_upgraded"] == "true")
        #expect(latest[2]["is_upgraded"] == nil)
        #expect(latest[3]["app_account_token"] == .string(token.lowercased()))
        #expect(latest.allSatisfy { $0["in_app_ownership_type"] == "PURCHASED" })
        #expect(latest[3]["subscription_group_identifier"] == .string(Life.group.id))
        let text = try #require(answer["latest_receipt"]?.string)
        let newest = try Proof.appReceipt(Array(text.utf8), at: life.store.now)
        #expect(newest.content.creationDate > posted.creationDate)
        #expect(newest.content.inApp.count == 4)
        #expect(answer["receipt"]?["request_date"] == "2026-03-16 10:00:00 Etc/GMT")
    }

    @Test("Old transactions are left out where that is asked for")
    func excluding() throws {
        var life = Self.life()
        try life.buy("bronze.week")
        life.advance(days: 30)
        try life.buy("pro")
        var request = StoreReceiptRequest(
            .app(try life.receipt()),
            to: .production,
            password: Self.secret
        )
        request.excludesOldTransactions = true
        let answer = try life.answer(to: request)
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(latest.map { $0["product_id"]?.string } == ["pro", "bronze.week"])
        let newest = life.store.lineages[0].newest.number.description
        #expect(latest[1]["transaction_id"] == .string(newest))
        #expect(answer["receipt"]?["in_app"]?.array?.count == 6)
    }

    @Test("pending_renewal_info tells how each subscription stands")
    func renewals() throws {
        var life = Self.life {
            $0.gracePeriod = GracePeriod(.threeDays)
            $0["gold.month"]?.plan?.offers = [
                .payAsYouGo(.promotional, "spring", for: .month, PriceList(Price(990, "USD")))
            ]
        }
        let number = try life.buy("gold.month")
        #expect(try life.renewal() == Self.members(number, ["auto_renew_status": "1"]))
        try life.buy("gold.month", offer: "spring")
        #expect(try life.renewal()["promotional_offer_id"] == "spring")
        try life.buy("bronze.week")
        #expect(try life.renewal()["auto_renew_product_id"] == "bronze.week")
        try life.store.undoPlanChange(number)
        try life.store.setPrice(Price(99_990, "USD"), of: "gold.month", in: Life.bundleId)
        #expect(try life.renewal()["price_consent_status"] == "0")
        #expect(try life.renewal()["price_increase_status"] == "0")
        try life.store.acceptPriceIncrease(number)
        #expect(try life.renewal()["price_consent_status"] == "1")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 29)
        let grace = try life.renewal()
        #expect(grace["is_in_billing_retry_period"] == "1")
        #expect(grace["grace_period_expires_date"] == "2026-03-03 10:00:00 Etc/GMT")
        life.advance(days: 70)
        let expired = try life.renewal()
        #expect(expired["expiration_intent"] == "2")
        #expect(expired["is_in_billing_retry_period"] == "0")
        #expect(expired["auto_renew_status"] == "0")
        #expect(expired["grace_period_expires_date"] != nil)
    }

    @Test("A payment that is recovered leaves no trace of its failure beside the newer period")
    func recovered() throws {
        var life = Self.life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        let number = try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 30)
        #expect(try life.renewal()["is_in_billing_retry_period"] == "1")
        life.store.setPayment(.works, of: life.account)
        #expect(try life.renewal() == Self.members(number, ["auto_renew_status": "1"]))
        let latest = try #require(
            life.verify(.app(life.receipt()))["latest_receipt_info"]?.array
        )
        #expect(latest.count == 2)
        #expect(latest[0]["web_order_line_item_id"] != latest[1]["web_order_line_item_id"])
        #expect(latest[0]["purchase_date"] == latest[1]["expires_date"])
    }

    @Test("Who gives up within the grace period has no such period any more")
    func graceGivenUp() throws {
        var life = Self.life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        let number = try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 30)
        #expect(try life.renewal()["grace_period_expires_date"] != nil)
        try life.store.turnRenewalOff(number)
        let renewal = try life.renewal()
        #expect(renewal["grace_period_expires_date"] == nil)
        #expect(renewal["expiration_intent"] == "1")
    }

    @Test("A restored receipt is answered with its own numbers, and the new receipt has them too")
    func restored() throws {
        var life = Self.life()
        try life.buy("gold.month")
        try life.buy("pro")
        let other = life.store.addDevice(of: life.account)
        life.advance(days: 2)
        try life.store.restore(Life.bundleId, on: other)
        let posted = try life.receipt(on: other)
        let answer = try life.verify(.app(posted))
        #expect(answer.elements("latest_receipt_info") == answer["receipt"]?.elements("in_app"))
        let text = try #require(answer["latest_receipt"]?.string)
        let newest = try Proof.appReceipt(
            Array(text.utf8),
            at: life.store.now.advanced(by: .seconds(60))
        )
        #expect(
            Set(newest.content.inApp.map(\.transactionId)) == Set(posted.inApp.map(\.transactionId))
        )
    }

    @Test("A receipt without purchases is answered by itself")
    func empty() throws {
        var life = Self.life()
        try life.store.install(Life.bundleId, on: life.device)
        let answer = try life.verify(.app(life.receipt()), password: nil)
        #expect(answer["status"] == 0)
        #expect(answer["latest_receipt_info"] == nil)
    }

    @Test("An iOS 6-style receipt is answered flat, and 21006 once its subscription is over")
    func flat() throws {
        var life = Self.life()
        let number = try life.buy("gold.month")
        life.advance(days: 30)
        let receipt = try life.store.transactionReceipt(of: number, on: life.device).receipt
        var answer = try life.verify(.transaction(receipt))
        let newest = life.store.lineages[0].newest.number.description
        #expect(answer["status"] == 0)
        #expect(answer["auto_renew_status"] == 1)
        #expect(answer["receipt"]?["transaction_id"] == .string(number.description))
        #expect(answer["latest_receipt_info"]?["transaction_id"] == .string(newest))
        let text = try #require(answer["latest_receipt"]?.string)
        let proved = try Proof.transactionReceipt(Array(text.utf8), at: life.store.now)
        #expect(proved.content.transactionId == newest)
        #expect(proved.content.uniqueVendorIdentifier == receipt.uniqueVendorIdentifier)
        try life.store.turnRenewalOff(number)
        life.advance(days: 40)
        answer = try life.verify(.transaction(receipt))
        #expect(answer["status"] == 21006)
        #expect(answer["expiration_intent"] == "1")
        #expect(answer["is_in_billing_retry_period"] == "0")
        #expect(answer["latest_expired_receipt_info"]?["transaction_id"] == .string(newest))
        #expect(answer["latest_receipt"] == nil)
    }

    @Test("A refund stands in the flat answer, not in the receipt")
    func flatRefund() throws {
        var life = Self.life()
        let number = try life.buy("pro")
        try life.store.refund(number, .appIssue)
        let receipt = try life.store.transactionReceipt(of: number, on: life.device).receipt
        #expect(receipt.purchaseInfo.allSatisfy { !$0.key.hasPrefix("cancellation") })
        let answer = try life.verify(.transaction(receipt))
        #expect(answer["status"] == 0)
        #expect(answer["receipt"]?["cancellation_date"] == "2026-01-31 10:00:00 Etc/GMT")
        #expect(answer["receipt"]?["cancellation_reason"] == "1")
    }

    private static func members(
        _ number: TransactionNumber,
        _ more: [String: JSONValue]
    ) -> [String: JSONValue] {
        [
            "original_transaction_id": .string(number.description), "product_id": "gold.month",
            "auto_renew_product_id": "gold.month",
        ].merging(more) { $1 }
    }
}

extension JSONValue {
    /// What tells the transactions of a list: number, and dates of purchase.
    fileprivate func elements(_ key: String) -> Set<[JSONValue?]> {
        Set(
            (self[key]?.array ?? []).map { element in
                ["transaction_id", "purchase_date_ms", "original_purchase_date_ms"]
                    .map { element[$0] }
            }
        )
    }
}

extension Life {
    /// What verifyReceipt answers, as JSON.
    mutating func answer(to request: StoreReceiptRequest) throws -> JSONValue {
        let answer = store.answer(to: request)
        return try JSONValue(parsing: answer.response(signedBy: Proof.authority.get()).json)
    }

    /// What verifyReceipt answers to a receipt at the store's own address.
    mutating func verify(
        _ receipt: StoreReceiptRequest.Receipt,
        at address: StoreEnvironment? = nil,
        password: String? = NotificationV1Tests.secret
    ) throws -> JSONValue {
        try answer(
            to: StoreReceiptRequest(receipt, to: address ?? store.environment, password: password)
        )
    }

    fileprivate mutating func status(password: String?) throws -> Int64? {
        try verify(.app(receipt()), password: password)["status"]?.number?.int64
    }

    /// The one element of `pending_renewal_info` without its dates in other forms.
    fileprivate mutating func renewal() throws -> [String: JSONValue] {
        let object = try #require(
            verify(.app(receipt()))["pending_renewal_info"]?.array?.first?.object
        )
        return Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value) })
    }
}
