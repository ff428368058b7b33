import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

@Suite("A signed transaction in the place of a receipt")
struct TransactionAnswerTests {
    private static let issuer = SignedDataIssuer(authority: Issued.authority)

    /// A family member's first paid month, its price lowered by a promotional offer.
    private static var subscription: JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = "350000000000002"
        payload.originalTransactionId = "350000000000001"
        payload.webOrderLineItemId = "370000000000002"
        payload.bundleId = "com.example.app"
        payload.productId = "com.example.pro.month"
        payload.subscriptionGroupIdentifier = "20000001"
        payload.purchaseDate = Issued.instant("2026-01-10T08:00:00Z")
        payload.originalPurchaseDate = Issued.instant("2025-12-10T08:00:00Z")
        payload.expiresDate = Issued.instant("2026-02-10T08:00:00Z")
        payload.quantity = 1
        payload.type = .autoRenewableSubscription
        payload.appAccountToken = "7E3FB204-2B02-4D1C-8C8B-0D4F5D3C9C11"
        payload.inAppOwnershipType = .familyShared
        payload.signedDate = Issued.now
        payload.offerType = .promotional
        payload.offerIdentifier = "spring"
        payload.environment = .production
        return payload
    }

    private func answer(
        _ payload: some AppStoreObject,
        at address: VerifyReceiptRequest.Address = .production
    ) throws -> (outcome: VerifyReceiptOutcome, json: JSONValue) {
        let text = try Self.issuer.issue(payload)
        return try PurchaseServiceTests.answer(body(text), at: address, from: Issued.apps())
    }

    @Test("It is answered as a receipt that lists this purchase, with all that it says")
    func answered() throws {
        let (outcome, json) = try answer(Self.subscription)
        #expect(json["status"] == 0)
        #expect(json["environment"] == "Production")
        #expect(json["receipt"]?["receipt_type"] == "Production")
        #expect(json["receipt"]?["bundle_id"] == "com.example.app")
        #expect(json["receipt"]?["receipt_creation_date_ms"] == "1768478400000")
        #expect(json["receipt"]?["app_item_id"] == nil)
        let element = try #require(json["latest_receipt_info"]?.array?.first)
        let expected: [String: JSONValue] = [
            "transaction_id": "350000000000002", "original_transaction_id": "350000000000001",
            "web_order_line_item_id": "370000000000002", "quantity": "1",
            "purchase_date": "2026-01-10 08:00:00 Etc/GMT", "expires_date_ms": "1770710400000",
            "original_purchase_date_pst": "2025-12-10 00:00:00 America/Los_Angeles",
            "is_trial_period": "false", "is_in_intro_offer_period": "false",
            "in_app_ownership_type": "FAMILY_SHARED", "promotional_offer_id": "spring",
            "subscription_group_identifier": "20000001",
            "app_account_token": "7e3fb204-2b02-4d1c-8c8b-0d4f5d3c9c11",
        ]
        for (key, value) in expected { #expect(element[key] == value, "\(key)") }
        let inApp = try #require(json["receipt"]?["in_app"]?.array?.first)
        #expect(inApp["in_app_ownership_type"] == "FAMILY_SHARED")
        #expect(inApp["app_account_token"] == nil)
        let pending = try #require(json["pending_renewal_info"]?.array?.first)
        #expect(pending["auto_renew_status"] == "1")
        #expect(outcome.inferred == ["auto_renew_status", "auto_renew_product_id"])
        #expect(outcome.purchases == 1)
    }

    @Test("Its latest_receipt is itself, and gets the same answer")
    func latestReceipt() throws {
        let (_, first) = try answer(Self.subscription)
        let latest = try #require(first["latest_receipt"]?.string)
        let (_, second) = try PurchaseServiceTests.answer(body(latest), from: Issued.apps())
        #expect(first == second)
    }

    @Test("It may come wrapped as a JSON string or as the body of a notification")
    func wrapped() throws {
        let text = try Self.issuer.issue(Self.subscription)
        let (_, plain) = try PurchaseServiceTests.answer(body(text), from: Issued.apps())
        for wrapped in [#"\"\#(text)\""#, #"{\"signedPayload\":\"\#(text)\"}"#] {
            let (_, json) = try PurchaseServiceTests.answer(body(wrapped), from: Issued.apps())
            #expect(json == plain)
            #expect(json["latest_receipt"]?.string == text)
        }
    }

    @Test("A one-time purchase has no subscription's keys, a refund is shown, an upgrade too")
    func others() throws {
        var payload = Self.subscription
        payload.type = .nonConsumable
        payload.expiresDate = nil
        payload.webOrderLineItemId = nil
        payload.revocationDate = Issued.instant("2026-01-12T08:00:00Z")
        payload.revocationReason = .appIssue
        let (outcome, json) = try answer(payload)
        #expect(json["latest_receipt_info"] == nil)
        #expect(json["pending_renewal_info"] == nil)
        let element = try #require(json["receipt"]?["in_app"]?.array?.first)
        #expect(element["cancellation_date_ms"] == "1768204800000")
        #expect(element["cancellation_reason"] == "1")
        #expect(element["is_in_intro_offer_period"] == nil)
        #expect(outcome.inferred.isEmpty)

        // As Xcode writes it.
        payload.webOrderLineItemId = "0"
        let (_, zero) = try self.answer(payload)
        let listed = try #require(zero["receipt"]?["in_app"]?.array?.first)
        #expect(listed["web_order_line_item_id"] == nil)

        payload = Self.subscription
        payload.isUpgraded = true
        let (upgraded, answer) = try answer(payload)
        #expect(answer["latest_receipt_info"]?.array?.first?["is_upgraded"] == "true")
        // What became of the subscription, the upgraded period cannot say.
        #expect(answer["pending_renewal_info"] == .array([]))
        #expect(upgraded.inferred.isEmpty)
    }

    @Test("Environment, app and time are judged as for receipts")
    func judged() throws {
        var payload = Self.subscription
        payload.environment = .sandbox
        #expect(try answer(payload).json["status"] == 21007)
        #expect(
            try answer(payload, at: .sandbox).json["receipt"]?["receipt_type"]
                == "ProductionSandbox"
        )
        #expect(try answer(Self.subscription, at: .sandbox).json["status"] == 21008)
        payload = Self.subscription
        payload.bundleId = "com.example.other"
        #expect(try answer(payload).json["status"] == 21010)
        payload = Self.subscription
        payload.signedDate = Issued.now.advanced(by: .seconds(3600))
        #expect(try answer(payload).json["status"] == 21009)
    }

    @Test("Everything else that is signed is 21002, and what nobody signed 21003")
    func refused() throws {
        var renewal = JWSRenewalInfoDecodedPayload()
        renewal.originalTransactionId = "350000000000001"
        renewal.autoRenewProductId = "com.example.pro.month"
        renewal.environment = .production
        renewal.signedDate = Issued.now
        let (outcome, json) = try answer(renewal)
        #expect(json == ["status": 21002])
        #expect(outcome.refusal?.code == "payload.wrong_kind")
        let text = try Self.issuer.issue(Self.subscription)
        let broken: [(String, JSONValue, ErrorCode)] = [
            (text.replacing(".", with: "..", maxReplacements: 1), 21002, "jws.not_compact"),
            (String(text.dropLast(2)), 21003, "signature.wrong_length"),
            (String(text.dropLast(6)) + "AAAAAA", 21003, "signature.invalid"),
        ]
        for (text, status, code) in broken {
            let (outcome, json) = try PurchaseServiceTests.answer(body(text), from: Issued.apps())
            #expect(json == ["status": status])
            #expect(outcome.refusal?.code == code)
        }
        // Our own authority is nobody to a server of Apple's apps.
        let (foreign, _) = try PurchaseServiceTests.answer(body(text))
        #expect(foreign.statusNumber == 21003)
    }

    @Test("Spoilt ones are never answered with 0", arguments: SignedDataFlaw.allCases)
    func spoilt(flaw: SignedDataFlaw) throws {
        guard let text = try? Self.issuer.issue(Self.subscription, spoiledBy: flaw) else { return }
        let (outcome, json) = try PurchaseServiceTests.answer(body(text), from: Issued.apps())
        #expect(outcome.statusNumber != 0, "\(flaw.reason)")
        #expect(json["receipt"] == nil)
    }

    @Test(
        "Apple's own are answered with what their oracles say",
        corpus
    )
    func genuine() throws {
        let names = Corpus.names(in: "transactions", ending: ".jws")
        var answered = 0
        for name in names where name.contains("/apple-") {
            let text = String(decoding: try Corpus.bytes(name), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let oracle = try JSONValue(
                parsing: Corpus.bytes(String(name.dropLast(4)) + ".decoded.json")
            )
            let payload = oracle["payload"] ?? oracle
            let (_, json) = try PurchaseServiceTests.answer(body(text), at: .sandbox)
            guard payload["environment"] == "Sandbox" else { continue }
            let element = try #require(json["receipt"]?["in_app"]?.array?.first)
            #expect(element["transaction_id"] == payload["transactionId"])
            #expect(element["product_id"] == payload["productId"])
            #expect(
                element["expires_date_ms"]?.string
                    == payload["expiresDate"]?.number?.int64.map(String.init)
            )
            answered += 1
        }
        #expect(answered >= 5)
    }
}
