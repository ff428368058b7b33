import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Ledger
import Testing

/// Small stories, each in every order in which its documents can arrive.
@Suite("The ledger by example")
struct StoryTests {
    private static func period(
        _ id: String,
        of original: String,
        _ lineItem: String,
        _ begin: String,
        to end: String,
        signed: String,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) -> JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = id
        payload.originalTransactionId = original
        payload.webOrderLineItemId = lineItem
        payload.bundleId = Witness.bundleId
        payload.productId = "pro.month"
        payload.purchaseDate = Witness.instant(begin)
        payload.originalPurchaseDate = Witness.instant(begin)
        payload.expiresDate = Witness.instant(end)
        payload.type = .autoRenewableSubscription
        payload.inAppOwnershipType = .purchased
        payload.signedDate = Witness.instant(signed)
        payload.environment = .production
        change(&payload)
        return payload
    }

    private static func notification(
        _ type: NotificationTypeV2,
        _ transaction: JWSTransactionDecodedPayload,
        renews: Bool
    ) -> StoreNotification {
        var renewal = JWSRenewalInfoDecodedPayload()
        renewal.originalTransactionId = transaction.originalTransactionId
        renewal.autoRenewProductId = transaction.productId
        renewal.autoRenewStatus = renews ? .on : .off
        renewal.signedDate = transaction.signedDate
        renewal.environment = .production
        renewal.renewalDate = transaction.expiresDate
        var payload = ResponseBodyV2DecodedPayload()
        payload.notificationType = type
        payload.notificationUUID = "6f1d0a52-6f0b-4c53-9f1a-0d9f3f0c1a11"
        payload.version = "2.0"
        payload.signedDate = transaction.signedDate
        var data = ResponseBodyV2DecodedPayload.Data()
        data.bundleId = Witness.bundleId
        data.environment = .production
        payload.data = data
        return StoreNotification(
            notification: payload,
            nested: NestedPayloads(transaction: transaction, renewalInfo: renewal)
        )
    }

    private static func receipt(
        made: String,
        _ purchases: InAppPurchase...
    ) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: .production,
            bundleId: Witness.bundleId,
            creationDate: Witness.instant(made)
        )
        receipt.inApp = purchases
        return receipt
    }

    private static func element(
        _ id: String,
        of original: String,
        lineItem: String? = nil,
        product: String = "pro.month",
        _ begin: String,
        to end: String? = nil,
        original date: String? = nil,
        _ type: ProductType = .autoRenewableSubscription
    ) -> InAppPurchase {
        var purchase = InAppPurchase(productId: product, transactionId: id)
        purchase.originalTransactionId = original
        purchase.webOrderLineItemId = lineItem
        purchase.purchaseDate = Witness.instant(begin)
        purchase.originalPurchaseDate = Witness.instant(date ?? begin)
        purchase.expiresDate = end.map(Witness.instant)
        purchase.productType = type
        return purchase
    }

    @Test(
        "Refund, an old receipt, reversal: what was signed last counts, and silence changes nothing"
    )
    func refundAndReversal() throws {
        func period(_ signed: String, refunded: Bool = false) -> JWSTransactionDecodedPayload {
            Self.period(
                "500",
                of: "500",
                "900",
                "2026-01-01T10:00:00Z",
                to: "2026-02-01T10:00:00Z",
                signed: signed
            ) {
                guard refunded else { return }
                $0.revocationDate = Witness.instant("2026-01-10T09:00:00Z")
                $0.revocationReason = .other
            }
        }
        let bought = try Witness.statements(
            Self.notification(.subscribed, period("2026-01-01T10:00:05Z"), renews: true)
        )
        let refunded = try Witness.statements(
            Self.notification(
                .refund,
                period("2026-01-10T09:00:03Z", refunded: true),
                renews: false
            )
        )
        let oldReceipt = try Witness.statements(
            Self.receipt(
                made: "2026-01-12T08:00:00Z",
                Self.element(
                    "500",
                    of: "500",
                    lineItem: "900",
                    "2026-01-01T10:00:00Z",
                    to: "2026-02-01T10:00:00Z"
                )
            )
        )
        let reversed = try Witness.statements(
            Self.notification(.refundReversed, period("2026-01-15T12:00:00Z"), renews: false)
        )
        var book = Book()
        book.learn(bought)
        #expect(book.standing("500", at: "2026-01-11T00:00:00Z")?.state == .active)
        #expect(
            book.standing("500", at: "2026-01-11T00:00:00Z")?.nextChangeAt
                == Witness.instant("2026-02-01T10:00:00Z")
        )
        book.learn(refunded)
        #expect(book.standing("500", at: "2026-01-11T00:00:00Z")?.state == .revoked)
        #expect(book.standing("500", at: "2026-01-05T00:00:00Z")?.state == .active)
        book.learn(oldReceipt)
        #expect(book.standing("500", at: "2026-01-20T00:00:00Z")?.state == .revoked)
        book.learn(reversed)
        #expect(book.standing("500", at: "2026-01-11T00:00:00Z")?.state == .active)
        #expect(book.standing("500", at: "2026-02-01T10:00:00Z")?.state == .expired)
        for order in [bought, refunded, oldReceipt, reversed].permutations {
            var other = Book()
            for statements in order { other.learn(statements) }
            #expect(other.lineages == book.lineages)
        }
    }

    @Test(
        "An upgrade that only receipts tell: the later period ends the earlier one, and it stays ended"
    )
    func upgradeByReceipt() throws {
        let receipt = try Witness.statements(
            Self.receipt(
                made: "2026-01-01T18:55:00Z",
                Self.element(
                    "700",
                    of: "700",
                    lineItem: "910",
                    product: "pro.year",
                    "2026-01-01T18:29:14Z",
                    to: "2026-01-01T19:29:14Z"
                ),
                Self.element(
                    "701",
                    of: "700",
                    lineItem: "911",
                    product: "pro.month",
                    "2026-01-01T18:53:14Z",
                    to: "2026-01-01T18:58:14Z"
                )
            )
        )
        let late = try Witness.statements(
            Self.period(
                "700",
                of: "700",
                "910",
                "2026-01-01T18:29:14Z",
                to: "2026-01-01T19:29:14Z",
                signed: "2026-01-01T18:53:20Z"
            ) {
                $0.productId = "pro.year"
                $0.isUpgraded = true
            }
        )
        for order in [receipt, late].permutations {
            var book = Book()
            for statements in order { book.learn(statements) }
            func standing(_ time: String) -> Standing? {
                book.standing("700", at: "2026-01-01T\(time)Z")
            }
            #expect(standing("18:40:00")?.productId == "pro.year")
            #expect(standing("18:40:00")?.nextChangeAt == Witness.instant("2026-01-01T18:53:14Z"))
            #expect(standing("18:55:00")?.productId == "pro.month")
            #expect(standing("18:55:00")?.state == .active)
            #expect(standing("19:00:00")?.state == .expired)
        }
    }

    @Test("A restore is the same purchase under one more number")
    func restores() throws {
        let before = try Witness.statements(
            Self.receipt(
                made: "2026-01-05T00:00:00Z",
                Self.element(
                    "1001",
                    of: "1001",
                    lineItem: "901",
                    "2026-01-01T10:00:00Z",
                    to: "2026-02-01T10:00:00Z"
                ),
                Self.element(
                    "800",
                    of: "800",
                    product: "pro",
                    "2026-01-02T00:00:00Z",
                    .nonConsumable
                ),
                Self.element(
                    "810",
                    of: "810",
                    product: "coins",
                    "2026-01-03T00:00:00Z",
                    .consumable
                )
            )
        )
        let restored = try Witness.statements(
            Self.receipt(
                made: "2026-02-03T00:00:00Z",
                Self.element(
                    "1002",
                    of: "1001",
                    lineItem: "901",
                    "2026-01-01T10:00:00Z",
                    to: "2026-02-01T10:00:00Z",
                    original: "2026-02-03T00:00:00Z"
                ),
                Self.element(
                    "801",
                    of: "800",
                    product: "pro",
                    "2026-02-03T00:00:00Z",
                    .nonConsumable
                )
            )
        )
        for order in [before, restored].permutations {
            var book = Book()
            for statements in order { book.learn(statements) }
            let subscription = try #require(book.lineages[Witness.lineage("1001")])
            #expect(subscription.purchases.count == 1)
            #expect(
                subscription.purchases[0].registers.transactions.mapValues {
                    $0.originalPurchaseDate
                }
                    == [
                        "1001": Witness.instant("2026-01-01T10:00:00Z"),
                        "1002": Witness.instant("2026-02-03T00:00:00Z"),
                    ]
            )
            let product = try #require(book.lineages[Witness.lineage("800")])
            #expect(product.purchases.count == 1)
            #expect(product.purchases[0].purchaseDate == Witness.instant("2026-01-02T00:00:00Z"))
            // It left the receipt, and its credit stands.
            #expect(book.standing("810", at: "2026-02-04T00:00:00Z")?.state == .credited)
        }
    }

    @Test(
        "When nobody tells of the next period, access is kept for the leeway, and the answer says so"
    )
    func leeway() throws {
        var book = Book()
        book.learn(
            try Witness.statements(
                Self.notification(
                    .subscribed,
                    Self.period(
                        "500",
                        of: "500",
                        "900",
                        "2026-01-01T10:00:00Z",
                        to: "2026-02-01T10:00:00Z",
                        signed: "2026-01-01T10:00:05Z"
                    ),
                    renews: true
                )
            )
        )
        func standing(_ text: String) -> Standing? {
            book.standing("500", at: text, leeway: .seconds(86_400))
        }
        #expect(standing("2026-02-01T09:59:59Z")?.state == .active)
        let awaiting = try #require(standing("2026-02-01T10:00:00Z"))
        #expect(awaiting.state == .awaitingRenewal)
        #expect(awaiting.isInferred && awaiting.isEntitled)
        #expect(awaiting.nextChangeAt == Witness.instant("2026-02-02T10:00:00Z"))
        #expect(standing("2026-02-02T10:00:00Z")?.state == .expired)
        #expect(book.standing("500", at: "2026-02-01T10:00:00Z")?.state == .expired)
    }

    @Test(
        "A cancellation within five seconds of the next period's begin is an upgrade and no refund"
    )
    func upgradeShownAsCancellation() throws {
        func standing(_ cancelled: String, _ time: String) throws -> Standing.State? {
            var replaced = Self.element(
                "700",
                of: "700",
                lineItem: "910",
                product: "pro.year",
                "2026-01-01T18:29:14Z",
                to: "2026-01-01T19:29:14Z"
            )
            replaced.cancellationDate = Witness.instant("2026-01-01T\(cancelled)Z")
            var book = Book()
            book.learn(
                try Witness.statements(
                    Self.receipt(
                        made: "2026-01-01T18:55:00Z",
                        replaced,
                        Self.element(
                            "701",
                            of: "700",
                            lineItem: "911",
                            "2026-01-01T18:53:14Z",
                            to: "2026-01-01T18:58:14Z"
                        )
                    )
                )
            )
            return book.standing("700", at: "2026-01-01T\(time)Z")?.state
        }
        #expect(try standing("18:53:10", "18:53:12") == .active)
        #expect(try standing("18:53:16", "18:53:12") == .active)
        #expect(try standing("18:53:10", "18:53:14") == .active)
        #expect(try standing("18:53:08", "18:53:12") == .revoked)
    }
}
