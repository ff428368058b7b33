import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import AppStoreModel

@Suite("Notifications of version 1")
struct NotificationV1Tests {
    private func object(_ text: String) throws -> JSONObject {
        try #require(JSONValue(parsing: Array(text.utf8)).object)
    }

    @Test("The password is handed over once, and is nowhere else")
    func password() throws {
        let secret = "0123456789abcdef0123456789abcdef"
        let text = "{\"a\":1,\"password\":\"\(secret)\",\"notification_type\":\"REFUND\",\"b\":2}"
        let (body, password) = try ResponseBodyV1.decode(object(text))
        #expect(password?.secret == secret)
        #expect(
            String(decoding: body.json, as: UTF8.self)
                == #"{"a":1,"notification_type":"REFUND","b":2}"#
        )
        var dumped = ""
        dump((body, password), to: &dumped)
        let envelope = try NotificationEnvelope(JSONValue(parsing: Array(text.utf8)))
        let descriptions = [
            "\(body)", String(reflecting: body), "\(body.object)", dumped, "\(password as Any)",
            "\(envelope)", String(reflecting: envelope),
        ]
        for description in descriptions { #expect(!description.contains(secret)) }
        #expect(try ResponseBodyV1(object(text)) == body)
        let sent = try ResponseBodyV1.decode(
            object(String(decoding: body.json(password: Redacted("p")), as: UTF8.self))
        )
        #expect(sent.body == body)
        #expect(sent.password?.secret == "p")
    }

    @Test("A password that is none is nil, one of a wrong type is refused and not shown")
    func noPassword() throws {
        for value in ["null", "\"\""] {
            let (body, password) = try ResponseBodyV1.decode(object("{\"password\":\(value)}"))
            #expect(password == nil)
            #expect(body.object.isEmpty)
        }
        #expect(try ResponseBodyV1.decode([:]).password == nil)
        #expect(try ResponseBodyV1.decode(["password": 12345]).password?.secret == "12345")
        for value in ["4711.25", "[\"4711.25\"]"] {
            let error = #expect(throws: JSONError.self) {
                try ResponseBodyV1.decode(object("{\"password\":\(value)}"))
            }
            #expect(error?.reason.contains("4711") == false)
        }
    }

    @Test(
        "Truth values are read in every form that Apple has sent",
        arguments: [
            ("\"true\"", AutoRenewStatus.on), ("\"false\"", .off), ("\"1\"", .on), ("\"0\"", .off),
            ("true", .on), ("false", .off), ("1", .on), ("0", .off), ("\"\"", nil), ("null", nil),
            ("2", AutoRenewStatus(rawValue: 2)),
        ] as [(String, AutoRenewStatus?)]
    )
    func statuses(json: String, status: AutoRenewStatus?) throws {
        let text = "{\"auto_renew_status\":\(json)}"
        let body = try ResponseBodyV1(object(text))
        #expect(body.autoRenewStatus == status)
        #expect(String(decoding: body.json, as: UTF8.self) == text)
        let pending = try UnifiedReceipt.PendingRenewalInfo(object(text))
        #expect(pending.autoRenewStatus == status)
        let trial = "{\"is_trial_period\":\(json)}"
        guard let status, status.rawValue < 2 else { return }
        #expect(
            try UnifiedReceipt.LatestReceiptInfo(object(trial)).isTrialPeriod == (status == .on)
        )
    }

    @Test(
        "Numbers and ids are read in every form that Apple has sent, with all their digits",
        arguments: ["9007199254740993", "\"9007199254740993\""]
    )
    func numbers(json: String) throws {
        let body = try ResponseBodyV1(
            object("{\"original_transaction_id\":\(json),\"expiration_intent\":\(json)}")
        )
        #expect(body.originalTransactionId == "9007199254740993")
        #expect(body.expirationIntent?.rawValue == 9_007_199_254_740_993)
        let element = try UnifiedReceipt.LatestReceiptInfo(
            object("{\"transaction_id\":\(json),\"quantity\":\(json),\"expires_date_ms\":\(json)}")
        )
        #expect(element.transactionId == "9007199254740993")
        #expect(element.quantity == 9_007_199_254_740_993)
        #expect(element.expiresDate?.millisecondsSince1970 == 9_007_199_254_740_993)
        #expect(
            try UnifiedReceipt.LatestReceiptInfo(["web_order_line_item_id": ""]).webOrderLineItemId
                == nil
        )
        #expect(try UnifiedReceipt.LatestReceiptInfo(["quantity": ""]).quantity == nil)
    }

    @Test(
        "A date is read from whichever of its keys can be",
        arguments: [
            #"{"expires_date":"2019-12-22 19:03:49 Etc/GMT"}"#,
            #"{"expires_date_ms":"1577041429000"}"#,
            #"{"expires_date_pst":"2019-12-22 11:03:49 America/Los_Angeles"}"#,
            #"{"expires_date_ms":1577041429000}"#, #"{"expires_date_ms":1577041429000.75}"#,
            #"{"expires_date":"2019-12-22T19:03:49Z","expires_date_ms":""}"#,
            #"{"expires_date":"soon","expires_date_ms":"1577041429000"}"#,
            #"{"expires_date":"2019-12-22 19:03:49 Etc/GMT","expires_date_ms":"soon"}"#,
            #"{"expires_date":"1577041429000"}"#,
        ]
    )
    func dates(text: String) throws {
        let element = try UnifiedReceipt.LatestReceiptInfo(object(text))
        #expect(element.expiresDate?.millisecondsSince1970 == 1_577_041_429_000)
        #expect(String(decoding: element.json, as: UTF8.self) == text)
        let flat = text.replacing("expires_date_pst", with: "expires_date_formatted_pst")
        #expect(
            try ResponseBodyV1.ReceiptInfo(object(flat.replacing("_ms", with: "_formatted")))
                .expiresDate?.millisecondsSince1970 == 1_577_041_429_000
        )
    }

    @Test("A date that cannot be read is refused, not lost")
    func unreadableDates() throws {
        let body = #"{"unified_receipt":{"latest_receipt_info":[{},{"expires_date":"soon"}]}}"#
        let error = #expect(throws: JSONError.self) { try ResponseBodyV1(object(body)) }
        #expect(
            error?.reason
                == "expected unified_receipt.latest_receipt_info[1].expires_date to be "
                + "a date of Apple's, found a string"
        )
        #expect(throws: JSONError.self) {
            try UnifiedReceipt.LatestReceiptInfo(["expires_date_ms": true])
        }
        let none = try UnifiedReceipt.LatestReceiptInfo([
            "expires_date": "", "expires_date_ms": .null,
        ])
        #expect(none.expiresDate == nil)
    }

    @Test("What is set is written as Apple writes it")
    func setting() throws {
        var body = ResponseBodyV1()
        body.notificationType = .didRenew
        body.environment = .production
        body.autoRenewStatus = .on
        body.originalTransactionId = "1000000723811158"
        body.expirationIntent = .billingError
        body.autoRenewStatusChangeDate = Instant(millisecondsSince1970: 1_574_452_735_000)
        var element = UnifiedReceipt.LatestReceiptInfo()
        element.quantity = 1
        element.isTrialPeriod = false
        element.cancellationReason = .other
        var renewal = UnifiedReceipt.PendingRenewalInfo()
        renewal.autoRenewStatus = .off
        renewal.isInBillingRetryPeriod = true
        var receipt = UnifiedReceipt()
        receipt.environment = .production
        receipt.status = .ok
        receipt.latestReceiptInfo = [element]
        receipt.pendingRenewalInfo = [renewal]
        body.unifiedReceipt = receipt
        let expected =
            #"{"notification_type":"DID_RENEW","environment":"PROD","auto_renew_status":"true","#
            + #""original_transaction_id":1000000723811158,"expiration_intent":2,"#
            + #""auto_renew_status_change_date":"2019-11-22 19:58:55 Etc/GMT","#
            + #""auto_renew_status_change_date_ms":"1574452735000","#
            + #""auto_renew_status_change_date_pst":"2019-11-22 11:58:55 America/Los_Angeles","#
            + #""unified_receipt":{"environment":"Production","status":0,"latest_receipt_info":"#
            + #"[{"quantity":"1","is_trial_period":"false","cancellation_reason":"0"}],"#
            + #""pending_renewal_info":[{"auto_renew_status":"0","is_in_billing_retry_period":"1"}]}}"#
        #expect(String(decoding: body.json, as: UTF8.self) == expected)
        #expect(try ResponseBodyV1(parsing: body.json) == body)
        var flat = ResponseBodyV1.ReceiptInfo()
        flat.expiresDate = Instant(millisecondsSince1970: 1_574_452_735_000)
        #expect(
            String(decoding: flat.json, as: UTF8.self)
                == #"{"expires_date_formatted":"2019-11-22 19:58:55 Etc/GMT","expires_date":"1574452735000","#
                + #""expires_date_formatted_pst":"2019-11-22 11:58:55 America/Los_Angeles"}"#
        )
        flat.expiresDate = nil
        #expect(flat.object.isEmpty)
    }

    @Test("Both of its words for production are read")
    func environments() throws {
        for word: JSONValue in ["PROD", "Production"] {
            #expect(try ResponseBodyV1(["environment": word]).environment == .production)
        }
        #expect(try ResponseBodyV1(["environment": "Sandbox"]).environment == .sandbox)
        #expect(try ResponseBodyV1(["environment": "prod"]).environment?.rawValue == "prod")
    }

    @Test("A word in the place of the receipt's status is kept")
    func status() throws {
        let receipt = try UnifiedReceipt(["status": "OK"])
        #expect(receipt.status == nil)
        #expect(String(decoding: receipt.json, as: UTF8.self) == #"{"status":"OK"}"#)
        #expect(try UnifiedReceipt(["status": "21006"]).status == .subscriptionExpired)
        #expect(throws: JSONError.self) { try UnifiedReceipt(["status": []]) }
    }
}

@Suite(
    "Real notifications of version 1",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct CorpusNotificationV1Tests {
    static let names = Corpus.names(in: "notifications-v1", ending: ".json")

    @Test("A body is read whole, and written as it came but for its password", arguments: names)
    func roundTrip(name: String) throws {
        let original = try #require(JSONValue(parsing: Corpus.bytes(name)).object)
        guard case .v1(let body, let password) = try NotificationEnvelope(.object(original)) else {
            Issue.record("not version 1")
            return
        }
        #expect(password?.secret == original["password"]?.string)
        var expected = original
        expected["password"] = nil
        #expect(try JSONValue(parsing: body.json) == .object(expected))
        #expect(body.object.keys == expected.keys)
        #expect(NotificationLabel(body) != .unknown)
        let elements = body.unifiedReceipt?.latestReceiptInfo ?? []
        #expect(
            elements.count == original["unified_receipt"]?["latest_receipt_info"]?.array?.count ?? 0
        )
        for element in elements {
            #expect(
                element.expiresDate?.millisecondsSince1970.description
                    == element.object["expires_date_ms"]?.string
            )
            #expect(
                element.purchaseDate.map(AppStoreDate.gmt)
                    == element.object["purchase_date"]?.string
            )
            #expect(element.isTrialPeriod == false)
        }
        for flat in [body.latestReceiptInfo, body.latestExpiredReceiptInfo].compactMap(\.self) {
            #expect(
                flat.expiresDate?.millisecondsSince1970.description
                    == flat.object["expires_date"]?.string
            )
            #expect(flat.bid != nil)
        }
    }

    @Test("Everything Apple wrote is known by name", arguments: names)
    func knownMembers(name: String) throws {
        func unknown<Root: FieldedObject>(_ value: Root) -> Set<String> {
            Set(value.object.keys).subtracting(Root.fields.fields.map(\.name))
                .subtracting(Root.fields.dates.flatMap(\.keys))
        }
        let body = try ResponseBodyV1(parsing: Corpus.bytes(name))
        #expect(unknown(body) == [])
        guard let receipt = body.unifiedReceipt else { return }
        #expect(unknown(receipt) == [])
        #expect((receipt.latestReceiptInfo ?? []).allSatisfy { unknown($0).isEmpty })
        #expect((receipt.pendingRenewalInfo ?? []).allSatisfy { unknown($0).isEmpty })
        for flat in [body.latestReceiptInfo, body.latestExpiredReceiptInfo].compactMap(\.self) {
            #expect(unknown(flat) == [])
        }
    }

    @Test("The elements of verifyReceipt answers are of the same form")
    func verifyReceiptAnswers() throws {
        var read = 0
        for name in Corpus.names(in: "verify-receipt-responses", ending: ".json") {
            guard let answer = try? JSONValue(parsing: Corpus.bytes(name)) else { continue }
            let transactions = [answer["latest_receipt_info"], answer["receipt"]?["in_app"]]
                .flatMap { $0?.array ?? [] }
            for object in transactions.compactMap(\.object) {
                #expect(throws: Never.self, "\(name)") {
                    try UnifiedReceipt.LatestReceiptInfo(object)
                }
                read += 1
            }
            for object in (answer["pending_renewal_info"]?.array ?? []).compactMap(\.object) {
                #expect(throws: Never.self, "\(name)") {
                    try UnifiedReceipt.PendingRenewalInfo(object)
                }
            }
        }
        #expect(read > 100)
    }
}
