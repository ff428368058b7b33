import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("JSON of verifyReceipt answers")
struct VerifyReceiptResponseTests {
    /// A receipt every text of which needs an escape for each character, every date far away.
    private static func answer(of purchase: InAppPurchase) -> VerifyReceiptResponse {
        var receipt = AppReceipt(
            receiptType: .production,
            bundleId: "com.example.app",
            creationDate: Instant(millisecondsSince1970: 1_717_402_530_000)
        )
        receipt.inApp = [purchase]
        var answer = AppReceiptAnswer(receipt: receipt, requestDate: receipt.creationDate)
        var latest = answer.inApp[0]
        let text = purchase.productId
        latest.offerCodeRefName = text
        latest.inAppOwnershipType = text
        latest.subscriptionGroupIdentifier = text
        latest.appAccountToken = text
        latest.isUpgraded = true
        answer.subscriptions = .init(
            latestReceiptInfo: [.known(latest)],
            latestReceipt: [1, 2, 3, 4],
            pendingRenewalInfo: []
        )
        return VerifyReceiptResponse(answer, environment: .production)
    }

    private static func purchase(_ text: String, at instant: Instant) -> InAppPurchase {
        var purchase = InAppPurchase(productId: text, transactionId: text)
        purchase.quantity = .min
        purchase.originalTransactionId = text
        purchase.webOrderLineItemId = text
        purchase.cancellationReason = text
        purchase.promotionalOfferId = text
        purchase.purchaseDate = instant
        purchase.originalPurchaseDate = instant
        purchase.expiresDate = instant
        purchase.cancellationDate = instant
        purchase.isTrialPeriod = true
        purchase.isInIntroOfferPeriod = false
        return purchase
    }

    @Test(
        "The longest texts and the farthest dates are written whole",
        arguments: [Int64.min, -62_135_596_800_000, 0, 253_402_300_799_000, .max]
    )
    func extremes(milliseconds: Int64) throws {
        let text = String(repeating: "\u{1}", count: 5_000)
        let instant = Instant(millisecondsSince1970: milliseconds)
        let json = try JSONValue(
            parsing: Self.answer(of: Self.purchase(text, at: instant)).json
        )
        let latest = try #require(json["latest_receipt_info"]?.array?.first)
        #expect(latest["app_account_token"]?.string == text)
        #expect(latest["is_upgraded"]?.string == "true")
        #expect(latest["expires_date"]?.string == AppStoreDate.gmt(instant))
        #expect(latest["expires_date_ms"]?.string == String(milliseconds))
        #expect(latest["cancellation_date_pst"]?.string == AppStoreDate.pst(instant))
        #expect(json["receipt"]?["in_app"]?.array?.first?["quantity"]?.string == "\(Int64.min)")
        #expect(json["latest_receipt"]?.string == "AQIDBA==")
    }

    @Test("The pretty form says the same")
    func pretty() throws {
        let instant = Instant(millisecondsSince1970: 1_717_402_530_000)
        let answer = Self.answer(of: Self.purchase("a \"quoted\" id", at: instant))
        var writer = JSONWriter(.pretty)
        answer.write(to: &writer)
        #expect(try JSONValue(parsing: writer.finish()) == JSONValue(parsing: answer.json))
    }
}
