import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Foundation
import Testing

@testable import PurchaseService

/// Answers to receipts that no corpus has: issued by an authority of our own.
@Suite("Answers of verifyReceipt to issued receipts")
struct AnswerTests {
    private static let apps = try! Issued.apps()

    private static func json(
        _ receipt: AppReceipt,
        _ others: String = "",
        now: Instant = Issued.now
    ) throws -> JSONValue {
        let (outcome, json) = try answer(
            body(Issued.sign(receipt), others),
            from: apps,
            now: now
        )
        #expect(outcome.status == .ok, "\(String(describing: outcome.refusal))")
        #expect(outcome.appMatched == true)
        #expect(outcome.scope?.realm == .rehearsal)
        return json
    }

    private static func identifiers(
        _ json: JSONValue?,
        _ key: String = "transaction_id"
    ) -> [String] {
        json?.array?.compactMap { $0[key]?.string } ?? []
    }

    /// Two subscriptions, one that changed its product, and a product of each other type.
    private static let purchases: [InAppPurchase] = [
        .period(
            "200000000000001",
            of: "200000000000001",
            from: "2025-11-10T08:00:00Z",
            to: "2025-12-10T08:00:00Z"
        ),
        .period(
            "200000000000004",
            of: "200000000000001",
            "com.example.pro.year",
            from: "2026-01-10T08:00:00Z",
            to: "2027-01-10T08:00:00Z"
        ),
        .period(
            "200000000000002",
            of: "200000000000001",
            from: "2025-12-10T08:00:00Z",
            to: "2026-01-10T08:00:00Z"
        ),
        .period(
            "200000000000003",
            of: "200000000000003",
            "com.example.news",
            from: "2025-12-20T08:00:00Z",
            to: "2026-01-15T12:00:00Z"
        ),
        .bought("200000000000005", "com.example.coins", .consumable, on: "2026-01-14T08:00:00Z"),
        .bought("200000000000006", "com.example.coins", .consumable, on: "2026-01-13T08:00:00Z"),
        .bought("200000000000007", "com.example.full", .nonConsumable, on: "2025-10-01T08:00:00Z"),
        .bought(
            "200000000000008",
            "com.example.pass",
            .nonRenewingSubscription,
            on: "2025-10-02T08:00:00Z"
        ),
        .bought(
            "200000000000009",
            "com.example.pass",
            .nonRenewingSubscription,
            on: "2025-10-03T08:00:00Z"
        ),
    ]

    private static func named(_ numbers: [Int]) -> [String] {
        numbers.map { String(200_000_000_000_000 + $0) }
    }

    private static let newestFirst = named([5, 6, 4, 3, 2, 1, 9, 8, 7])

    @Test("Everything is listed in latest_receipt_info, the newest first")
    func order() throws {
        let json = try Self.json(Issued.receipt(.production, Self.purchases))
        #expect(Self.identifiers(json["latest_receipt_info"]) == Self.newestFirst)
    }

    @Test("in_app keeps the receipt's own order, and a shuffled receipt changes nothing else")
    func shuffled() throws {
        let plain = try Self.json(Issued.receipt(.production, Self.purchases))
        for seed: UInt64 in 1...8 {
            let form = AppReceiptForm.appStore
            var shuffledForm = form
            shuffledForm.order = .shuffled(seed: seed)
            let bytes = try Issued.sign(
                Issued.receipt(.production, Self.purchases),
                form: shuffledForm
            )
            let (_, json) = try answer(body(bytes), from: Self.apps)
            #expect(json["latest_receipt_info"] == plain["latest_receipt_info"])
            #expect(json["pending_renewal_info"] == plain["pending_renewal_info"])
            let inApp = Self.identifiers(json["receipt"]?["in_app"])
            #expect(inApp.sorted() == Self.newestFirst.sorted())
            let document = try Document(detecting: bytes)
            let verifier = ReceiptVerifier(trust: Self.apps.trust)
            guard case .appReceipt(let receipt) = try verifier.verify(document, now: Issued.now)
            else {
                Issue.record("an app receipt was issued")
                continue
            }
            #expect(inApp == receipt.inApp.map(\.transactionId))
        }
    }

    @Test("Purchases of the same instant come in one order, however they are listed")
    func ties() throws {
        let ids = ["200000000000009", "200000000000010", "99", "200000000000008"]
        let purchases = ids.map { id in
            InAppPurchase.period(
                id,
                of: id,
                from: "2025-12-10T08:00:00Z",
                to: "2026-01-10T08:00:00Z"
            )
        }
        for _ in 0..<3 {
            let json = try Self.json(Issued.receipt(.production, purchases.shuffled()))
            #expect(
                Self.identifiers(json["latest_receipt_info"])
                    == ["200000000000010", "200000000000009", "200000000000008", "99"]
            )
        }
    }

    @Test("Old transactions are excluded by product, of subscriptions of both kinds only")
    func exclusion() throws {
        let receipt = Issued.receipt(.production, Self.purchases)
        let json = try Self.json(receipt, ",\"exclude-old-transactions\":true")
        let all = try Self.json(receipt)
        let left = Self.named([5, 6, 4, 3, 2, 9, 7])
        #expect(Self.identifiers(json["latest_receipt_info"]) == left)
        #expect(json["receipt"] == all["receipt"])
        #expect(json["pending_renewal_info"] == all["pending_renewal_info"])
    }

    @Test("Each subscription has one renewal element, told by its newest period")
    func renewals() throws {
        let json = try Self.json(Issued.receipt(.production, Self.purchases))
        #expect(
            json["pending_renewal_info"] == [
                [
                    "auto_renew_product_id": "com.example.pro.year",
                    "original_transaction_id": "200000000000001",
                    "product_id": "com.example.pro.year", "auto_renew_status": "1",
                ],
                // Its period ends at the very instant of the request.
                [
                    "auto_renew_product_id": "com.example.news",
                    "original_transaction_id": "200000000000003",
                    "product_id": "com.example.news", "auto_renew_status": "0",
                ],
            ]
        )
    }

    @Test("A refunded period shows its cancellation and is not said to renew")
    func refund() throws {
        var period = InAppPurchase.period(
            "200000000000002",
            of: "200000000000001",
            from: "2026-01-10T08:00:00Z",
            to: "2026-02-10T08:00:00Z"
        )
        period.cancellationDate = Issued.instant("2026-01-12T09:00:00Z")
        period.cancellationReason = "1"
        let json = try Self.json(Issued.receipt(.production, [period]))
        for element in [json["receipt"]?["in_app"], json["latest_receipt_info"]] {
            let purchase = try #require(element?.array?.first)
            #expect(purchase["cancellation_date"]?.string == "2026-01-12 09:00:00 Etc/GMT")
            #expect(purchase["cancellation_date_ms"]?.string == "1768208400000")
            #expect(
                purchase["cancellation_date_pst"]?.string
                    == "2026-01-12 01:00:00 America/Los_Angeles"
            )
            #expect(purchase["cancellation_reason"]?.string == "1")
        }
        #expect(json["pending_renewal_info"]?.array?.first?["auto_renew_status"] == "0")
    }

    @Test("A refunded non-consumable shows its cancellation, without the keys of subscriptions")
    func refundedNonConsumable() throws {
        var purchase = InAppPurchase.bought(
            "200000000000007",
            "com.example.full",
            .nonConsumable,
            on: "2025-10-01T08:00:00Z"
        )
        purchase.cancellationDate = Issued.instant("2025-10-02T08:00:00Z")
        let json = try Self.json(Issued.receipt(.production, [purchase]))
        let element = try #require(json["receipt"]?["in_app"]?.array?.first)
        #expect(element["cancellation_date_ms"]?.string == "1759392000000")
        #expect(element["is_trial_period"] == "false")
        #expect(element["expires_date"] == nil)
        #expect(element["web_order_line_item_id"] == nil)
        #expect(element["is_in_intro_offer_period"] == nil)
        #expect(json.object?.keys == ["receipt", "environment", "status"])
    }

    @Test("Trials, introductory and promotional offers are shown as Apple words them")
    func offers() throws {
        var trial = Self.purchases[0]
        trial.isTrialPeriod = true
        var intro = Self.purchases[2]
        intro.isInIntroOfferPeriod = true
        var offered = Self.purchases[1]
        offered.promotionalOfferId = "winter \"26\""
        let json = try Self.json(Issued.receipt(.production, [trial, intro, offered]))
        let elements = try #require(json["latest_receipt_info"]?.array)
        #expect(elements.map { $0["is_trial_period"]?.string } == ["false", "false", "true"])
        #expect(
            elements.map { $0["is_in_intro_offer_period"]?.string } == ["false", "true", "false"]
        )
        #expect(elements[0]["promotional_offer_id"]?.string == "winter \"26\"")
        #expect(elements[1]["promotional_offer_id"] == nil)
    }

    @Test("A Volume Purchase Program receipt shows its type and expiry, a preorder its date")
    func volumePurchase() throws {
        var receipt = Issued.receipt(.productionVPP)
        receipt.expirationDate = Issued.instant("2030-06-01T00:00:00Z")
        receipt.preorderDate = Issued.instant("2024-06-01T00:00:00Z")
        let json = try Self.json(receipt)
        #expect(json["environment"] == "Production")
        #expect(json["receipt"]?["receipt_type"] == "ProductionVPP")
        #expect(json["receipt"]?["expiration_date_ms"] == "1906502400000")
        #expect(json["receipt"]?["expiration_date"] == "2030-06-01 00:00:00 Etc/GMT")
        #expect(json["receipt"]?["preorder_date_ms"] == "1717200000000")
        let (outcome, _) = try answer(
            body(Issued.sign(Issued.receipt(.productionVPPSandbox))),
            from: Self.apps
        )
        #expect(outcome.status == .sandboxReceipt)
    }

    @Test("Five thousand purchases give one whole JSON text")
    func manyPurchases() throws {
        let purchases = (0..<5_000).map { index in
            var purchase = InAppPurchase.period(
                String(200_000_000_000_000 + index),
                of: "200000000000000",
                from: "2025-01-01T00:00:00Z",
                to: "2025-02-01T00:00:00Z"
            )
            purchase.purchaseDate = purchase.purchaseDate?.advanced(by: .seconds(index * 60))
            return purchase
        }
        // Only what an answer shows: writing twenty attributes of each takes a debug build long.
        var payload = try ReceiptPayload(Issued.receipt(.production, purchases))
        let shown: Set<Int64> = [1701, 1702, 1703, 1704, 1705, 1706, 1707, 1708]
        for index in payload.purchases.indices {
            payload.purchases[index].attributes.removeAll { !shown.contains($0.type) }
        }
        payload.order = .asListed
        let bytes = try AppReceiptIssuer(authority: Issued.authority).sign(payload)
        #expect(bytes.count > 1_000_000)
        let (outcome, json) = try answer(body(bytes), from: Self.apps)
        #expect(outcome.purchases == 5_000)
        #expect(json["receipt"]?["in_app"]?.array?.count == 5_000)
        let latest = Self.identifiers(json["latest_receipt_info"])
        #expect(latest == (0..<5_000).reversed().map { String(200_000_000_000_000 + $0) })
        #expect(json["pending_renewal_info"]?.array?.count == 1)
        #expect(json["latest_receipt"]?.string == Base64.encode(bytes.span))
    }

    @Test("latest_receipt is the receipt in standard base 64, however it was sent")
    func latestReceipt() throws {
        for count in 1...3 {
            // Receipts of every length modulo three.
            var receipt = Issued.receipt(.production, Array(Self.purchases.prefix(1)))
            receipt.applicationVersion = String(repeating: "1", count: count)
            let bytes = try Issued.sign(receipt)
            let text = Base64.encode(bytes.span)
            let urlSafe = text.replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
            let sent = [
                text, urlSafe, text.replacingOccurrences(of: "=", with: ""), " \(text)",
                text.prefix(64) + "\\r\\n" + text.dropFirst(64),
                text.replacingOccurrences(of: "/", with: "\\/"),
                text.replacingOccurrences(of: "+", with: " "),
                Base64.encode(Array(text.utf8).span),
            ]
            for form in sent {
                let (_, json) = try answer(body(String(form)), from: Self.apps)
                #expect(json["latest_receipt"]?.string == text, "\(form.prefix(80))")
            }
        }
    }

    @Test("An identifier beyond 2^53 stays as it is")
    func longIdentifiers() throws {
        let id = "9223372036854775807123"
        let json = try Self.json(
            Issued.receipt(
                .production,
                [.bought(id, "com.example.full", .nonConsumable, on: "2025-10-01T08:00:00Z")]
            )
        )
        #expect(Self.identifiers(json["receipt"]?["in_app"]) == [id])
    }
}
