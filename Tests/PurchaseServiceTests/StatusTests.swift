import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import PurchaseService

@Suite("Statuses of verifyReceipt for genuine receipts", corpus)
struct StatusTests {
    typealias Address = VerifyReceiptRequest.Address

    @Test(
        "Each address answers its own environment and sends the other's elsewhere",
        arguments: [
            ("prod-org-getpure", Address.production, 0), ("prod-org-getpure", .sandbox, 21008),
            ("sandbox-com-revenuecat", .production, 21007),
            ("sandbox-com-revenuecat", .sandbox, 0),
            ("prod-com-educreations-ios-Educreations-sub-v3", .sandbox, 21008),
            ("sandbox-com-d-buzz-gag-plus-ios-001-oneoff", .production, 21007),
            ("sandbox-com-d-buzz-gag-plus-ios-001-oneoff", .sandbox, 0),
            // Its environment line was removed; its identifiers are the sandbox's.
            ("prod-com-mindmobapp", .production, 21007), ("prod-com-mindmobapp", .sandbox, 0),
        ]
    )
    func environment(part: String, address: Address, status: Int) throws {
        let (outcome, json) = try answer(body(Real.text(Real.name(part))), at: address)
        #expect(outcome.status.rawValue == status)
        #expect(outcome.scope?.realm == .appStore)
        #expect(outcome.purchases != nil)
        #expect(outcome.appMatched == nil)
        if status == 0 {
            #expect(outcome.refusal == nil)
        } else {
            #expect(json == ["status": JSONValue(status)])
            let codes = [
                21007: VerifyReceiptRefusal.sandboxReceipt,
                21008: VerifyReceiptRefusal.productionReceipt,
            ]
            #expect(outcome.refusal?.code == codes[status])
        }
    }

    @Test(
        "What was not signed by the App Store is not authenticated",
        arguments: [
            "testca-receipt-89d593", "foreign-cms", "noenv-com-example",
            "xcode-com-example-naturelab-backyardbird-1iap",
        ]
    )
    func foreign(part: String) throws {
        for address in Address.allCases {
            let (outcome, json) = try answer(body(Real.text(Real.name(part))), at: address)
            #expect(json == ["status": 21003])
            #expect(outcome.refusal?.code.rawValue.contains("chain.") == true)
        }
    }

    @Test(
        "What cannot be taken apart is malformed",
        arguments: ["broken-truncated-49bee7", "bad-prod-com-company-productname"]
    )
    func broken(part: String) throws {
        let (_, json) = try answer(body(Real.text(Real.name(part))))
        #expect(json == ["status": 21002])
    }

    @Test("A receipt with one bit turned over in its signed content is not authenticated")
    func forged() throws {
        let bytes = try Base64.decode(Array(Real.text(Real.production).utf8).span)
        let bundleId = Array("org.getpure.pure".utf8)
        let start = try #require(
            bytes.indices.dropLast(bundleId.count).first {
                Array(bytes[$0..<$0 + bundleId.count]) == bundleId
            }
        )
        let (outcome, json) = try answer(body(Spoiling.flip(start * 8, of: bytes)))
        #expect(json == ["status": 21003])
        #expect(outcome.refusal?.code.rawValue.hasPrefix("signature.") == true)
    }

    @Test("A receipt of the future is undecided: ask again later")
    func future() throws {
        let early = Issued.instant("2014-01-01T00:00:00Z")
        let (outcome, json) = try answer(body(Real.text(Real.production)), now: early)
        #expect(json == ["status": 21009])
        #expect(outcome.isWorthRepeating)
        #expect(outcome.refusal?.code == "time.in_future")
    }

    @Test("An iOS 6 subscription whose period is over is 21006, with the receipt and its keys")
    func expired() throws {
        let name = try Real.name("sandbox-com-d-buzz-gag-plus-ios-001-sub-v2")
        let (outcome, json) = try answer(body(Real.text(name)), at: .sandbox)
        #expect(outcome.status == .subscriptionExpired)
        #expect(outcome.refusal == nil)
        #expect(outcome.purchases == 1)
        #expect(
            json.object?.keys == [
                "auto_renew_status", "latest_expired_receipt_info", "status",
                "auto_renew_product_id", "receipt",
            ]
        )
        #expect(json["auto_renew_status"] == 0)
        #expect(json["latest_expired_receipt_info"] == json["receipt"])
        #expect(json["auto_renew_product_id"] == json["receipt"]?["product_id"])
        #expect(outcome.inferred == ["auto_renew_status", "auto_renew_product_id"])
    }

    @Test("The same subscription, asked while it ran, is 0, with latest_receipt")
    func running() throws {
        let text = try Real.text(Real.name("sandbox-com-d-buzz-gag-plus-ios-001-sub-v2"))
        let (_, past) = try answer(body(text), at: .sandbox)
        let expiry = try #require(past["receipt"]?["expires_date"]?.string.flatMap { Int64($0) })
        for (before, status): (Int64, Int) in [(1, 0), (0, 21006)] {
            let now = Instant(millisecondsSince1970: expiry - before)
            let (_, json) = try answer(body(text), at: .sandbox, now: now)
            #expect(json["status"] == JSONValue(status))
            #expect(json["auto_renew_status"] == JSONValue(status == 0 ? 1 : 0))
            #expect((json["latest_receipt_info"] != nil) == (status == 0))
            #expect((json["latest_receipt"] != nil) == (status == 0))
            #expect(json["environment"] == nil)
        }
    }

    @Test("An iOS 6 receipt of a product without a subscription has the flat keys alone")
    func flat() throws {
        let text = try Real.text(Real.name("sandbox-com-intomylife-ios-oneoff-v2"))
        let (outcome, json) = try answer(body(text), at: .sandbox)
        #expect(json.object?.keys == ["receipt", "status"])
        #expect(json["receipt"]?["bid"]?.string == "com.intomylife.ios")
        #expect(json["receipt"]?.object?.allSatisfy { $0.value.string != nil } == true)
        #expect(json["receipt"]?.object?.allSatisfy { !$0.key.contains("-") } == true)
        #expect(outcome.inferred.isEmpty)
    }

    @Test("download_id keeps all its digits, and numbers are numbers")
    func exactIntegers() throws {
        let names = Corpus.names(in: "app-receipts", ending: ".b64").filter {
            $0.contains("/prod-")
        }
        var beyond = 0
        for name in names {
            let (_, json) = try answer(body(Real.text(name)))
            let receipt = try #require(json["receipt"])
            let expected = try JSONValue(
                parsing: Corpus.bytes(
                    String(name.dropLast(4)) + ".expected.json"
                )
            )
            let attributes = try #require(expected["attributes"]?.array)
            for (type, key): (JSONValue, String) in [
                (1, "adam_id"), (1, "app_item_id"), (15, "download_id"),
                (16, "version_external_identifier"),
            ] {
                let attribute = attributes.first { $0["type"] == type }
                #expect(receipt[key]?.number?.text == attribute?["value"]?.number?.text)
            }
            if let id = receipt["download_id"]?.number?.int64, id > 1 << 53 { beyond += 1 }
        }
        #expect(beyond > 0)
    }

    @Test("request_date has the milliseconds of the request, in the three renderings")
    func requestDate() throws {
        let now = Instant(millisecondsSince1970: 1_762_072_200_402)
        let (_, json) = try answer(body(Real.text(Real.production)), now: now)
        let receipt = try #require(json["receipt"])
        #expect(receipt["request_date_ms"]?.string == "1762072200402")
        #expect(receipt["request_date"]?.string == "2025-11-02 08:30:00 Etc/GMT")
        // The first of the two half past one of that night.
        #expect(receipt["request_date_pst"]?.string == "2025-11-02 01:30:00 America/Los_Angeles")
    }

    @Test("A receipt without purchases is 0 with an empty in_app and a note to refresh it")
    func empty() throws {
        let text = try Real.text(Real.name("prod-com-mustafadur-Kargotakip-0iap"))
        let (outcome, json) = try answer(body(text))
        #expect(json["status"] == 0)
        #expect(json["receipt"]?["in_app"] == [])
        #expect(json["latest_receipt_info"] == nil)
        #expect(json.object?.keys == ["receipt", "environment", "status"])
        #expect(outcome.notes.map(\.code.rawValue).contains("receipt.no_purchases"))
        #expect(outcome.purchases == 0)
    }
}
