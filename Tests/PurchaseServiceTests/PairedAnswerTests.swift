import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import PurchaseService

@Suite("The published answer whose receipt is known", corpus)
struct PairedAnswerTests {
    private static func pair() throws -> (published: JSONValue, ours: JSONValue) {
        let published = try JSONValue(
            parsing: Corpus.bytes(
                "verify-receipt-responses/RevenueCat-ios7-s0-com-revenuecat-sampleapp-3815e0.json"
            )
        )
        let text = try #require(published["receipt"]?["request_date_ms"]?.string)
        let now = Instant(millisecondsSince1970: try #require(Int64(text)))
        let receipt = try Real.text(Real.revenueCat)
        let ours = try answer(body(receipt), at: .sandbox, now: now)
        #expect(ours.outcome.inferred == ["auto_renew_status", "auto_renew_product_id"])
        #expect(ours.json["latest_receipt"]?.string == receipt)
        return (published, ours.json)
    }

    @Test("The receipt is the same in every key, in_app in the same order")
    func receipt() throws {
        let (published, ours) = try Self.pair()
        #expect(ours["receipt"] == published["receipt"])
        #expect(ours["receipt"]?["in_app"]?.array?.count == 9)
    }

    @Test("The keys beside it and pending_renewal_info are the same")
    func others() throws {
        let (published, ours) = try Self.pair()
        #expect(ours["status"] == published["status"])
        #expect(ours["environment"] == published["environment"])
        #expect(ours["pending_renewal_info"] == published["pending_renewal_info"])
        #expect(Set(ours.object?.keys ?? []) == Set(published.object?.keys ?? []))
    }

    @Test("latest_receipt_info is the same but for its order and the subscription's group")
    func latestReceiptInfo() throws {
        let (published, ours) = try Self.pair()
        let theirs = try #require(published["latest_receipt_info"]?.array).map { element in
            var members = element.object ?? JSONObject()
            #expect(members["subscription_group_identifier"] != nil)
            members["subscription_group_identifier"] = nil
            return JSONValue.object(members)
        }
        let latest = try #require(ours["latest_receipt_info"]?.array)
        #expect(Set(latest) == Set(theirs))
        #expect(latest.count == theirs.count)
        let dates = latest.compactMap { $0["purchase_date_ms"]?.string.flatMap { Int64($0) } }
        #expect(dates == dates.sorted(by: >))
    }
}
