import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import AppStoreModel

/// A type of Apple's objects, as a test's argument.
struct ObjectType: Sendable, CustomTestStringConvertible {
    let type: any FieldedObject.Type
    var testDescription: String { "\(type)" }

    init(_ type: any FieldedObject.Type) { self.type = type }

    static let all: [ObjectType] = [
        ObjectType(JWSTransactionDecodedPayload.self),
        ObjectType(JWSRenewalInfoDecodedPayload.self),
        ObjectType(AppTransaction.self), ObjectType(DecodedRealtimeRequestBody.self),
        ObjectType(TransactionCommitmentInfo.self), ObjectType(RenewalCommitmentInfo.self),
        ObjectType(AdvancedCommerceTransactionInfo.self),
        ObjectType(AdvancedCommerceTransactionItem.self), ObjectType(AdvancedCommerceRefund.self),
        ObjectType(AdvancedCommerceRenewalInfo.self), ObjectType(AdvancedCommerceRenewalItem.self),
        ObjectType(AdvancedCommercePriceIncreaseInfo.self), ObjectType(AdvancedCommerceOffer.self),
        ObjectType(AdvancedCommerceDescriptors.self), ObjectType(ResponseBodyV2DecodedPayload.self),
        ObjectType(ResponseBodyV2DecodedPayload.Data.self),
        ObjectType(ResponseBodyV2DecodedPayload.Summary.self),
        ObjectType(ResponseBodyV2DecodedPayload.ExternalPurchaseToken.self),
        ObjectType(ResponseBodyV2DecodedPayload.AppData.self), ObjectType(ResponseBodyV1.self),
        ObjectType(ResponseBodyV1.ReceiptInfo.self), ObjectType(UnifiedReceipt.self),
        ObjectType(UnifiedReceipt.LatestReceiptInfo.self),
        ObjectType(UnifiedReceipt.PendingRenewalInfo.self),
    ]
}

@Suite("Apple's objects")
struct AppStoreObjectTests {
    @Test("Every member is set, written, read again and taken out", arguments: ObjectType.all)
    func properties(type: ObjectType) throws {
        try roundTrips(type.type)
    }

    private func roundTrips<Root: FieldedObject>(_ type: Root.Type) throws {
        for seed in 0..<UInt64(Soak.size(20, soak: 2_000)) {
            var samples = SampleFields(seed: seed)
            var root = Root()
            var written: [(String, JSONValue)] = []
            for field in Root.fields.fields.shuffled(using: &samples.random) {
                let value = samples.json(of: field.form)
                root.set(field, value)
                #expect(root.get(field) == value, "\(field.name)")
                written.append((field.name, value))
            }
            #expect(root.object.keys == written.map(\.0))
            let again = try Root(parsing: root.json)
            #expect(again == root)
            #expect(again.json == root.json)
            for field in Root.fields.fields {
                #expect(again.get(field) == root.get(field), "\(field.name)")
                root.remove(field)
            }
            #expect(root.object.isEmpty)
        }
    }

    @Test("A known member of a wrong type is refused by its path", arguments: ObjectType.all)
    func wrongTypes(type: ObjectType) throws {
        try refuses(type.type)
    }

    private func refuses<Root: FieldedObject>(_ type: Root.Type) throws {
        let others: [JSONValue] = ["text", 1, true, [], [:]]
        for field in Root.fields.fields {
            #expect(throws: Never.self) { try Root([field.name: .null]) }
            #expect(try Root([field.name: .null]).get(field) == nil)
            let wrong = others.filter { !field.form.accepts($0) }
            let least = field.form is any SentForm.Type ? 2 : 4
            #expect(wrong.count >= least, "\(field.name) takes too much")
            for value in wrong {
                let error = #expect(throws: JSONError.self) { try Root([field.name: value]) }
                #expect(error?.code == JSONError.wrongType)
                let reason = error?.reason ?? ""
                #expect(
                    reason.hasPrefix("expected \(field.name) to be \(field.form.expected), found"),
                    "\(reason)"
                )
            }
        }
    }

    @Test("The path of a member deep inside is named")
    func deepPaths() {
        let object: JSONObject = [
            "advancedCommerceInfo": ["items": [["SKU": "a"], ["refunds": [["refundDate": "1"]]]]]
        ]
        let error = #expect(throws: JSONError.self) { try JWSTransactionDecodedPayload(object) }
        #expect(
            error?.reason
                == "expected advancedCommerceInfo.items[1].refunds[0].refundDate to be "
                + "a date in milliseconds, found a string"
        )
    }

    @Test("What nobody knows yet stays, in its place")
    func unknown() throws {
        let text =
            #"{"transactionId":"1","later":{"b":[1.50,null]},"type":"Subscription 2","a":1e999}"#
        let transaction = try JWSTransactionDecodedPayload(parsing: Array(text.utf8))
        #expect(transaction.type == InAppPurchaseType(rawValue: "Subscription 2"))
        #expect(String(decoding: transaction.json, as: UTF8.self) == text)
        var changed = transaction
        changed.type = .consumable
        #expect(
            String(decoding: changed.json, as: UTF8.self)
                == text.replacing("Subscription 2", with: "Consumable")
        )
    }

    @Test("A key that only looks like a known one is unknown")
    func lookalikes() throws {
        // U+212A, the Kelvin sign, which Swift takes for a K.
        let text = "{\"S\u{212A}U\":1,\"SKU\":\"a\"}"
        let item = try AdvancedCommerceTransactionItem(parsing: Array(text.utf8))
        #expect(item.SKU == "a")
        #expect(String(decoding: item.json, as: UTF8.self) == text)
    }

    @Test("What is no object is refused", arguments: ["[]", "null", "1", "\"{}\""])
    func others(text: String) {
        let error = #expect(throws: JSONError.self) {
            try AppTransaction(parsing: Array(text.utf8))
        }
        #expect(error?.code == JSONError.wrongType)
    }

    @Test(
        "Dates keep their number, and are the whole millisecond before",
        arguments: [
            ("1697679936049.7297", 1_697_679_936_049), ("-62135769600000", -62_135_769_600_000),
            ("64092211200000", 64_092_211_200_000), ("0", 0), ("-0.5", -1),
            ("1.7e12", 1_700_000_000_000),
            ("1.6976799360499999999999e12", 1_697_679_936_049), ("-1.5e3", -1500),
            ("-15001e-1", -1501),
            ("9223372036854775807", Int64.max), ("9223372036854775807.9", Int64.max),
            ("-9223372036854775808", Int64.min), ("1e-999", 0), ("-1e-999", -1),
        ]
    )
    func dates(number: String, milliseconds: Int64) throws {
        let text = "{\"expiresDate\":\(number)}"
        let transaction = try JWSTransactionDecodedPayload(parsing: Array(text.utf8))
        #expect(transaction.expiresDate == Instant(millisecondsSince1970: milliseconds))
        #expect(String(decoding: transaction.json, as: UTF8.self) == text)
    }

    @Test(
        "A date beyond 64 bits is refused, not lost",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "-9223372036854775808.5", "1e400",
            "1e99999999999999999999", "-1.5e400",
        ]
    )
    func farDates(number: String) {
        let text = "{\"expiresDate\":\(number)}"
        let error = #expect(throws: JSONError.self) {
            try JWSTransactionDecodedPayload(parsing: Array(text.utf8))
        }
        #expect(error?.code == JSONError.wrongType)
    }

    @Test("Prices and ids have all their digits")
    func largeNumbers() throws {
        let text =
            #"{"appAppleId":9007199254740993,"versionExternalIdentifier":9223372036854775807}"#
        let app = try AppTransaction(parsing: Array(text.utf8))
        #expect(app.appAppleId == 9_007_199_254_740_993)
        #expect(app.versionExternalIdentifier == .max)
        let transaction = try JWSTransactionDecodedPayload(["price": 3_300_000_000_000])
        #expect(transaction.price == Milliunits(rawValue: 3_300_000_000_000))
        for price: JSONValue in [
            .number(JSONNumber(text: "1.5")!), .number(JSONNumber(text: "1e19")!),
        ] {
            #expect(throws: JSONError.self) { try JWSTransactionDecodedPayload(["price": price]) }
        }
    }

    @Test("Periods are a count and a unit, or unknown")
    func periods() {
        func length(_ text: String) -> String {
            CalendarPeriod(rawValue: text).length.map { "\($0.count) \($0.unit)" } ?? "unknown"
        }
        #expect(length("P3D") == "3 day")
        #expect(length("P1W") == "1 week")
        #expect(length("P18M") == "18 month")
        #expect(length("P1Y") == "1 year")
        for text in ["", "P", "PD", "P1", "1M", "P1M2D", "PT1M", "P1S", "P-1M", "P99999D", "P٣D"] {
            #expect(length(text) == "unknown", "\(text)")
        }
    }
}
