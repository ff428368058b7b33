import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

@testable import AppStoreModel

@Suite("Notifications of version 2")
struct NotificationV2Tests {
    private func read(_ text: String) throws -> ResponseBodyV2DecodedPayload {
        let notification = try ResponseBodyV2DecodedPayload(parsing: Array(text.utf8))
        #expect(String(decoding: notification.json, as: UTF8.self) == text)
        return notification
    }

    @Test("The four kinds of content are told apart, each with its app and environment")
    func contents() throws {
        let app = #""environment":"Sandbox","appAppleId":5,"bundleId":"a""#
        let kinds = ["data", "summary", "appData"]
        for kind in kinds {
            let notification = try read("{\"\(kind)\":{\(app)}}")
            #expect(!notification.isOdd)
            #expect(notification.environment == .sandbox)
            #expect(notification.bundleId == "a")
            #expect(notification.appAppleId == 5)
            let told =
                switch notification.content {
                case .data: "data"
                case .summary: "summary"
                case .appData: "appData"
                case .externalPurchaseToken: "externalPurchaseToken"
                case .odd: "odd"
                }
            #expect(told == kind)
        }
    }

    @Test(
        "A token's environment is told by its id",
        arguments: [
            ("SANDBOX_b2158121", StoreEnvironment.sandbox), ("SANDBOX", .sandbox),
            ("b2158121", .production), ("sandbox_1", .production), ("", .production),
        ]
    )
    func tokens(id: String, environment: StoreEnvironment) throws {
        let token = "{\"externalPurchaseId\":\"\(id)\",\"bundleId\":\"a\",\"appAppleId\":5}"
        let notification = try read("{\"externalPurchaseToken\":\(token)}")
        #expect(notification.environment == environment)
        #expect(notification.bundleId == "a")
        #expect(notification.appAppleId == 5)
        guard case .externalPurchaseToken = notification.content else {
            Issue.record("no token: \(notification.content)")
            return
        }
        #expect(try read(#"{"externalPurchaseToken":{}}"#).environment == nil)
    }

    @Test(
        "Several contents, none and unknown ones are odd, and kept whole",
        arguments: [
            (#"{"data":{"bundleId":"a"},"summary":{"bundleId":"b"}}"#, "a"),
            (#"{"appData":{"bundleId":"b"},"externalPurchaseToken":{"bundleId":"a"}}"#, "a"),
            (
                #"{"data":{},"summary":{},"externalPurchaseToken":{},"appData":{"bundleId":"b"}}"#,
                nil
            ),
            ("{}", nil), (#"{"data":null}"#, nil), (#"{"newData":{"bundleId":"a"}}"#, nil),
        ] as [(String, String?)]
    )
    func odd(text: String, bundleId: String?) throws {
        let notification = try read(text)
        #expect(notification.isOdd)
        #expect(notification.content == .odd)
        #expect(notification.bundleId == bundleId)
    }

    @Test("Another version is read, and flagged")
    func versions() throws {
        #expect(try read(#"{"version":"2.0","data":{}}"#).isOfKnownVersion)
        for text in [#"{"version":"2.1","data":{"status":1}}"#, #"{"data":{}}"#] {
            let notification = try read(text)
            #expect(!notification.isOfKnownVersion)
            #expect(!notification.isOdd)
        }
    }

    @Test("A content of a wrong type is refused by its path")
    func wrongTypes() {
        let cases = [
            (#"{"data":[]}"#, "expected data to be an object, found an array"),
            (
                #"{"data":{"status":"1"}}"#,
                "expected data.status to be an integer of 64 bits, found a string"
            ),
            (
                #"{"summary":{"storefrontCountryCodes":["USA",1]}}"#,
                "expected summary.storefrontCountryCodes[1] to be a string, found 1"
            ),
        ]
        for (text, reason) in cases {
            let error = #expect(throws: JSONError.self) {
                try ResponseBodyV2DecodedPayload(parsing: Array(text.utf8))
            }
            #expect(error?.reason == reason)
        }
    }

    @Test(
        "Apple's own decoded examples are read",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func examples() throws {
        func example(_ name: String) throws -> ResponseBodyV2DecodedPayload {
            let bytes = try Corpus.bytes("server-api/decoded-signed\(name)Notification.json")
            let notification = try ResponseBodyV2DecodedPayload(parsing: bytes)
            #expect(try JSONValue(parsing: bytes) == JSONValue(parsing: notification.json))
            return notification
        }
        let consumption = try example("ConsumptionRequest")
        #expect(consumption.data?.consumptionRequestReason == .unintendedPurchase)
        #expect(consumption.data?.status == .active)
        #expect(NotificationLabel(consumption).rawValue == "consumption-requested")
        let token = try example("ExternalPurchaseTokenSandbox")
        #expect(token.environment == .sandbox)
        #expect(
            token.externalPurchaseToken?.tokenCreationDate?.description == "2023-10-24T12:02:30Z"
        )
        let summary = try example("Summary")
        #expect(summary.summary?.storefrontCountryCodes == ["CAN", "USA", "MEX"])
        #expect(summary.summary?.failedCount == 2)
        #expect(summary.environment == .localTesting)
        let rescinded = try example("RescindConsent")
        #expect(rescinded.appData?.signedAppTransactionInfo == "signed_app_transaction_info_value")
        #expect(rescinded.appAppleId == 41_234)
    }
}

@Suite("Bodies of notifications")
struct NotificationEnvelopeTests {
    private func read(_ text: String) throws -> NotificationEnvelope {
        let bytes = Array(text.utf8)
        return try NotificationEnvelope(parsing: bytes.span)
    }

    @Test("Each version is told by its content")
    func versions() throws {
        guard case .v2("a.b.c") = try read(#"{"signedPayload":"a.b.c","notification_type":"TEST"}"#)
        else {
            Issue.record("not version 2")
            return
        }
        guard
            case .v1(let body, let password) = try read(
                #"{"password":"s","notification_type":"CANCEL"}"#
            )
        else {
            Issue.record("not version 1")
            return
        }
        #expect(body.notificationType == .cancel)
        #expect(password?.secret == "s")
    }

    @Test(
        "What is neither is refused with what was found",
        arguments: [
            ("[]", "found an array"), ("{}", "found an object without members"),
            (#"{"a":1,"b c":2}"#, #"found an object with a, ["b c"]"#),
            (#"{"signedPayload":5}"#, "found signedPayload as a number"),
            (
                #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}"#,
                "found an object with a, b, c, d, e and 2 more"
            ),
            (#"{"notification_type":null}"#, "found an object with notification_type"),
        ]
    )
    func neither(text: String, found: String) {
        let error = #expect(throws: NotificationError.self) { try read(text) }
        #expect(error?.code == NotificationError.neitherVersion)
        #expect(error?.reason.hasSuffix(found) == true, "\(error?.reason ?? "")")
    }

    @Test("What is no JSON, or has a member of a wrong type, keeps its code")
    func json() {
        let truncated = #expect(throws: NotificationError.self) { try read("{") }
        #expect(truncated?.code == JSONError.truncated)
        let wrong = #expect(throws: NotificationError.self) {
            try read(#"{"notification_type":"CANCEL","unified_receipt":[]}"#)
        }
        #expect(wrong?.code == JSONError.wrongType)
        let type = #expect(throws: NotificationError.self) {
            try read(#"{"notification_type":[]}"#)
        }
        #expect(type?.code == JSONError.wrongType)
    }

    @Test("An error shows no more of a hostile key than fits in a line")
    func longKeys() {
        let key = String(repeating: "\\u001b[31m", count: 2_000)
        let error = #expect(throws: NotificationError.self) { try read("{\"\(key)\":1}") }
        #expect((error?.reason.utf8.count ?? 0) < 600)
        #expect(error?.reason.contains("\u{1B}") == false)
    }
}
