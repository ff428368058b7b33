import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Notifications of version 1 of the local App Store")
struct NotificationV1Tests {
    static let secret = "00112233445566778899aabbccddeeff"

    static func life(
        environment: StoreEnvironment = .production,
        at start: Instant = Life.start,
        _ change: (inout StoreApp) -> Void = { _ in }
    ) -> Life {
        Life(environment: environment, pace: .real, at: start) {
            $0.notificationVersions = [.v1, .v2]
            $0.sharedSecret = secret
            change(&$0)
        }
    }

    @Test("What happens is told with receipts that verify, each dated later than all before")
    func verified() throws {
        var life = Self.life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        let number = try life.buy("silver.month")
        life.advance(days: 3)
        try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 35)
        life.store.setPayment(.works, of: life.account)
        try life.buy("bronze.week")
        try life.store.turnRenewalOff(number)
        try life.store.refund(life.store.lineages[0].newest.number, .appIssue)
        let authority = try Proof.authority.get()
        var (last, types) = (Life.start.advanced(by: .seconds(-1)), [String]())
        for happening in life.store.takeHappenings() {
            let signed = try #require(happening.purchase?.signedDate)
            #expect(signed > last)
            last = signed
            for notification in happening.notificationsV1 {
                let (body, password) = try ResponseBodyV1.decode(
                    JSONMembers(JSONValue(parsing: notification.json(signedBy: authority))).object
                )
                let vouched = try Proof.notification(body, password, at: last)
                types.append(try #require(body.notificationType?.rawValue))
                let embedded = try #require(vouched.receipts.first)
                guard case .appReceipt(let receipt) = try embedded.result.get() else { continue }
                #expect(receipt.content.creationDate > last)
                last = receipt.content.creationDate
                #expect(
                    Set(receipt.content.inApp.map(\.transactionId))
                        == Set(body.unifiedReceipt?.latestReceiptInfo?.map(\.transactionId) ?? [])
                )
                #expect(body.originalTransactionId == number.description)
            }
        }
        #expect(
            types == [
                "INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL",
                "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_CHANGE_RENEWAL_PREF",
                "DID_CHANGE_RENEWAL_STATUS", "CANCEL",
            ]
        )
    }

    @Test("A body says what Apple's say, in their words and types")
    func words() throws {
        var life = Self.life()
        let number = try life.buy("gold.month")
        life.advance(days: 2)
        try life.store.turnRenewalOff(number)
        let bodies = try life.bodiesV1()
        #expect(bodies.count == 2)
        let body = bodies[1]
        #expect(body["environment"] == "PROD")
        #expect(body["bid"] == .string(Life.bundleId))
        #expect(body["bvrs"] == "1")
        #expect(body["password"] == .string(Self.secret))
        #expect(body["auto_renew_status"] == "false")
        #expect(body["auto_renew_product_id"] == "gold.month")
        #expect(body["auto_renew_status_change_date"] == "2026-02-02 10:00:00 Etc/GMT")
        #expect(body["auto_renew_status_change_date_ms"] == "1770026400000")
        #expect(body["original_transaction_id"]?.number?.int64 == number.rawValue)
        #expect(body["deprecation"] == "Mon, 5 Jun 2023 00:00:00 GMT")
        #expect(body["expiration_intent"] == nil)
        #expect(body["unified_receipt"]?["environment"] == "Production")
        #expect(body["unified_receipt"]?["status"] == 0)
        #expect(bodies[0]["auto_renew_status_change_date"] == nil)
        #expect(bodies[0]["auto_renew_status"] == "true")
    }

    @Test("A subscription that ended unpaid says why, as a number")
    func expired() throws {
        var life = Self.life()
        try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 120)
        let bodies = try life.bodiesV1()
        let last = try #require(bodies.last)
        #expect(last["notification_type"] == "DID_CHANGE_RENEWAL_STATUS")
        #expect(last["expiration_intent"] == 2)
        #expect(last["auto_renew_status"] == "false")
        let renewal = last["unified_receipt"]?["pending_renewal_info"]?.array?.first
        #expect(renewal?["is_in_billing_retry_period"] == "0")
        #expect(renewal?["expiration_intent"] == "2")
    }

    @Test("A refund lists what no receipt does, with the date")
    func refunded() throws {
        var life = Self.life()
        let coins = try life.buy("coins")
        try life.store.finish(coins)
        let season = try life.buy("season")
        try life.store.requestRefund(season)
        try life.store.requestRefund(coins)
        try life.store.refund(coins, .appIssue)
        let bodies = try life.bodiesV1()
        #expect(bodies.map { $0["notification_type"] } == ["CONSUMPTION_REQUEST", "REFUND"])
        let body = bodies[1]
        #expect(body["cancellation_date"] == nil)
        #expect(body["auto_renew_status"] == nil)
        let latest = try #require(body["unified_receipt"]?["latest_receipt_info"]?.array)
        let refunded = latest.first { $0["transaction_id"]?.string == coins.description }
        #expect(latest.count == 2)
        #expect(refunded?["cancellation_date"] == "2026-01-31 10:00:00 Etc/GMT")
        #expect(refunded?["cancellation_reason"] == "1")
        let text = try #require(body["unified_receipt"]?["latest_receipt"]?.string)
        let receipt = try Proof.appReceipt(
            Array(text.utf8),
            at: life.store.now.advanced(by: .seconds(60))
        )
        #expect(receipt.content.inApp.map(\.productId) == ["season"])
    }

    @Test("Family members hear of what is theirs, and the sandbox tells those who bought of little")
    func whoHears() throws {
        func told(_ environment: StoreEnvironment) throws -> [String] {
            var life = Self.life(environment: environment) {
                $0["gold.month"]?.isFamilyShareable = true
            }
            let member = life.store.openAccount()
            try life.store.formFamily([life.account, member])
            let number = try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 32)
            life.store.setPayment(.works, of: life.account)
            life.advance(days: 31)
            try life.store.leaveFamily(member)
            try life.store.refund(number)
            return try life.store.takeHappenings().flatMap { happening in
                try happening.notificationsV1.map {
                    let ownership = try #require(happening.purchase?.lineage.ownership)
                    return "\($0.notificationType.rawValue) \(ownership.rawValue)"
                }
            }
        }
        #expect(
            try told(.production) == [
                "INITIAL_BUY PURCHASED", "DID_FAIL_TO_RENEW PURCHASED",
                "DID_FAIL_TO_RENEW FAMILY_SHARED", "DID_RECOVER PURCHASED",
                "DID_RECOVER FAMILY_SHARED", "DID_RENEW PURCHASED", "DID_RENEW FAMILY_SHARED",
                "REVOKE FAMILY_SHARED", "CANCEL PURCHASED",
            ]
        )
        #expect(
            try told(.sandbox) == [
                "INITIAL_BUY PURCHASED", "DID_RENEW PURCHASED", "CANCEL PURCHASED",
            ]
        )
    }

    @Test("No more than the latest hundred transactions are listed, the newest first")
    func hundred() throws {
        var life = Self.life()
        try life.buy("bronze.week")
        life.advance(days: 7 * 110)
        let body = try #require(life.bodiesV1().last)
        let latest = try #require(body["unified_receipt"]?["latest_receipt_info"]?.array)
        let dates = latest.compactMap { $0["purchase_date_ms"]?.string.flatMap { Int64($0) } }
        #expect(dates.count == 100)
        #expect(dates == dates.sorted(by: >))
        #expect(life.store.lineages[0].purchases.count > 100)
    }

    @Test("An app that does not want version 1 is sent none")
    func unwanted() throws {
        var life = Life()
        try life.buy("gold.month")
        #expect(life.store.takeHappenings().allSatisfy { $0.notificationsV1.isEmpty })
    }

    @Test(
        "Until March 2021 a body has an iOS 6-style receipt, that of an ended period under another key"
    )
    func transactionReceipts() throws {
        var life = Self.life(at: Life.instant("2020-06-27T00:02:39Z"))
        let number = try life.buy("gold.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 35)
        life.store.setPayment(.works, of: life.account)
        try life.store.refund(life.store.lineages[0].newest.number)
        let bodies = try life.bodiesV1()
        let types = bodies.map { $0["notification_type"]?.string }
        #expect(
            types == [
                "INITIAL_BUY", "DID_FAIL_TO_RENEW", "RENEWAL", "CANCEL",
                "DID_CHANGE_RENEWAL_STATUS",
            ]
        )
        for (index, key) in [
            "latest_receipt", "latest_expired_receipt", "latest_receipt", "latest_expired_receipt",
            "latest_expired_receipt",
        ].enumerated() {
            let body = bodies[index]
            let text = try #require(body[key]?.string)
            let receipt = try Proof.transactionReceipt(Array(text.utf8), at: life.store.now)
            #expect(receipt.content.originalTransactionId == number.description)
            let shown = try #require(body[key + "_info"])
            #expect(shown["transaction_id"]?.string == receipt.content.transactionId)
            #expect(shown["bid"]?.string == Life.bundleId)
            #expect((shown["cancellation_date"] != nil) == (index > 2))
            #expect(body["original_transaction_id"] == nil)
        }
        #expect(bodies[3]["web_order_line_item_id"] != nil)
    }
}

extension Life {
    /// The bodies of version 1 of what happened since it was last asked for.
    mutating func bodiesV1() throws -> [JSONValue] {
        let authority = try Proof.authority.get()
        return try store.takeHappenings().flatMap(\.notificationsV1)
            .map { try JSONValue(parsing: $0.json(signedBy: authority)) }
    }
}
