import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Apple's unsigned word")
struct VouchedReplyTests {
    private static func vouched(
        _ text: String,
        answering environment: StoreEnvironment = .production
    ) throws -> Vouched<VerifyReceiptReply> {
        try Vouched(
            VerifyReceiptReply(#require(JSONValue(parsing: Array(text.utf8)).object)),
            from: "buy.itunes.apple.com",
            answering: environment,
            realm: .appStore
        )
    }

    @Test("A receipt in an answer is vouched for by the host, in the environment of its address")
    func vouched() throws {
        let found = try Self.vouched(
            "{\"status\":0,\"environment\":\"Production\",\"receipt\":{\"bundle_id\":\"a.b\"}}"
        )
        #expect(found.voucher == .appleChannel(host: "buy.itunes.apple.com"))
        #expect(found.scope.bundleId == "a.b")
        #expect(found.scope.environment == .production)
        #expect(found.scope.realm == .appStore)
        #expect(found.content.status == .ok)
        // iOS 6-style answers name no environment.
        let flat = "{\"status\":21006,\"receipt\":{\"bid\":\"a.b\"}}"
        #expect(try Self.vouched(flat, answering: .sandbox).scope.environment == .sandbox)
    }

    @Test(
        "Without a receipt that names its app, or of the other environment, there is nothing",
        arguments: [
            ("{\"status\":0}", "payload.field_missing"),
            ("{\"status\":0,\"receipt\":{}}", "payload.field_missing"),
            ("{\"status\":21003,\"receipt\":{\"bundle_id\":\"a.b\"}}", "payload.field_missing"),
            (
                "{\"status\":0,\"environment\":\"Sandbox\",\"receipt\":{\"bundle_id\":\"a.b\"}}",
                "environment.mismatch"
            ),
        ]
    )
    func refused(text: String, code: String) {
        let error = #expect(throws: VerificationError.self) { try Self.vouched(text) }
        #expect(error?.code.rawValue == code)
    }
}
