import AppStoreModel
import CounterfoilJSON
import Testing

@Suite("Answers of verifyReceipt from outside")
struct VerifyReceiptReplyTests {
    private static func reply(_ text: String) throws -> VerifyReceiptReply {
        try VerifyReceiptReply(#require(JSONValue(parsing: Array(text.utf8)).object))
    }

    @Test("A status is a number, as such or in a string", arguments: ["21007", "\"21007\""])
    func status(text: String) throws {
        let reply = try Self.reply("{\"status\": \(text)}")
        #expect(reply.status == .sandboxReceipt)
        #expect(reply.environment == nil)
        #expect(reply.isRetryable == nil)
        #expect(!reply.hasReceipt)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "\"status\": null", "\"status\": \"\"", "\"status\": \"ok\"",
            "\"status\": true", "\"status\": 1.5", "\"status\": 99999999999999999999",
            "\"status\": []",
        ]
    )
    func noStatus(members: String) {
        #expect(throws: JSONError.self) { try Self.reply("{\(members)}") }
    }

    @Test(
        "Whether to ask again is read in both spellings and in every type",
        arguments: [
            ("\"is_retryable\": true", true), ("\"is_retryable\": false", false),
            ("\"is-retryable\": 1", true), ("\"is-retryable\": 0", false),
            ("\"is_retryable\": \"1\"", true), ("\"is-retryable\": \"false\"", false),
            ("\"is-retryable\": \"true\"", true), ("\"is_retryable\": \"\"", nil),
            ("\"is_retryable\": \"maybe\"", nil), ("\"is_retryable\": 2", nil),
            ("\"is_retryable\": null, \"is-retryable\": true", true),
            ("\"is_retryable\": false, \"is-retryable\": true", false),
        ] as [(String, Bool?)]
    )
    func retryable(member: String, expected: Bool?) throws {
        #expect(try Self.reply("{\"status\": 21104, \(member)}").isRetryable == expected)
    }

    @Test(
        "The app is named by either style of receipt, its Apple ID in either type",
        arguments: [
            ("{\"bundle_id\":\"a.b\",\"app_item_id\":7}", "a.b", 7),
            ("{\"bundle_id\":\"a.b\",\"app_item_id\":\"7\"}", "a.b", 7),
            ("{\"bundle_id\":\"a.b\",\"app_item_id\":0,\"adam_id\":7}", "a.b", 7),
            ("{\"bundle_id\":\"a.b\",\"app_item_id\":0,\"adam_id\":\"\"}", "a.b", nil),
            ("{\"bid\":\"a.b\",\"item_id\":\"8\"}", "a.b", 8),
            ("{\"bid\":\"\"}", nil, nil), ("{\"bundle_id\":7}", nil, nil), ("[]", nil, nil),
        ] as [(String, String?, Int64?)]
    )
    func app(receipt: String, bundleId: String?, appAppleId: Int64?) throws {
        let reply = try Self.reply("{\"status\":0,\"receipt\":\(receipt)}")
        #expect(reply.bundleId == bundleId)
        #expect(reply.appAppleId == appAppleId)
        #expect(reply.hasReceipt)
    }

    @Test("Of all numbers, these may be others in a moment")
    func passing() {
        let passing = [21005, 21009] + Array(21100...21199)
        for number in [-1, 0, 20999] + Array(21000...21300) + [22000] {
            #expect(
                VerifyReceiptStatus(rawValue: number).isPassing == passing.contains(number),
                "\(number)"
            )
        }
    }
}
