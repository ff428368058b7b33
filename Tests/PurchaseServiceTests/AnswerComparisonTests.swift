import CounterfoilJSON
import Testing

@testable import PurchaseService

@Suite("In what two answers differ")
struct AnswerComparisonTests {
    private static func object(_ text: String) throws -> JSONObject {
        try #require(JSONValue(parsing: Array(text.utf8)).object)
    }

    /// Differences as lines: path, kind.
    private static func lines(_ apples: String, _ ours: String) throws -> [String] {
        try AnswerDifference.between(object(apples), object(ours)).map {
            "\($0.path) | \($0.kind.rawValue)"
        }
    }

    @Test("The order of members, of transactions and of renewals means nothing")
    func order() throws {
        let found = try Self.lines(
            """
            {"status":0,"receipt":{"bundle_id":"a","in_app":[
               {"transaction_id":"1","quantity":"1"},{"transaction_id":"2","quantity":"2"}]},
             "latest_receipt_info":[{"transaction_id":"2"},{"transaction_id":"1"}],
             "pending_renewal_info":[{"original_transaction_id":"1"},
               {"original_transaction_id":"2"}]}
            """,
            """
            {"pending_renewal_info":[{"original_transaction_id":"2"},
               {"original_transaction_id":"1"}],
             "latest_receipt_info":[{"transaction_id":"1"},{"transaction_id":"2"}],
             "receipt":{"in_app":[{"quantity":"2","transaction_id":2},
               {"quantity":"1","transaction_id":"1"}],"bundle_id":"a"},"status":0}
            """
        )
        #expect(found == ["receipt.in_app[1].transaction_id | another form"])
    }

    @Test("Members and elements that one alone has, with the place in that one")
    func onlyOne() throws {
        let found = try Self.lines(
            """
            {"a":1,"receipt":{"in_app":[{"transaction_id":"1","x":"1"},{"transaction_id":"3"}]},
             "n":null}
            """,
            """
            {"b":[1],"receipt":{"in_app":[{"transaction_id":"2"},{"transaction_id":"1"},
              {"transaction_id":"4"}]}}
            """
        )
        #expect(
            found == [
                "a | only Apple's", "receipt.in_app[0].x | only Apple's",
                "receipt.in_app[1] | only Apple's", "receipt.in_app[0] | only ours",
                "receipt.in_app[2] | only ours", "b | only ours",
            ]
        )
    }

    @Test("One transaction listed twice is two elements")
    func twice() throws {
        let twice =
            "{\"receipt\":{\"in_app\":[{\"transaction_id\":\"1\",\"a\":\"x\"},"
            + "{\"transaction_id\":\"1\",\"a\":\"y\"}]}}"
        let once = "{\"receipt\":{\"in_app\":[{\"transaction_id\":\"1\",\"a\":\"x\"}]}}"
        #expect(try Self.lines(twice, twice).isEmpty)
        #expect(try Self.lines(twice, once) == ["receipt.in_app[1] | only Apple's"])
        #expect(try Self.lines(once, twice) == ["receipt.in_app[1] | only ours"])
    }

    @Test(
        "One meaning in two types is another form, two meanings are another value",
        arguments: [
            ("1", "\"1\"", "form"), ("\"false\"", "false", "form"), ("1", "true", "form"),
            ("\"0\"", "false", "form"), ("9007199254740993", "\"9007199254740993\"", "form"),
            ("1", "\"2\"", "value"), ("\"1\"", "\"2\"", "value"), ("1", "false", "value"),
            ("\"\"", "0", "value"), ("{}", "[]", "value"), ("\"a\"", "{}", "value"),
            ("9007199254740993", "9007199254740992", "value"),
        ]
    )
    func forms(apples: String, ours: String, word: String) throws {
        let found = try Self.lines("{\"x\":\(apples)}", "{\"x\":\(ours)}")
        #expect(found == ["x | another \(word)"])
    }

    @Test("Both spellings of is_retryable are one key")
    func spelling() throws {
        let (one, two) = ("{\"is-retryable\":1}", "{\"is_retryable\":true}")
        #expect(try Self.lines(one, two) == ["is_retryable | another form"])
        #expect(try Self.lines(two, "{\"is-retryable\":true}").isEmpty)
    }

    @Test(
        "What differs between any two answers of Apple's is passed over, and nothing else like it"
    )
    func alwaysDifferent() throws {
        let apples = """
            {"latest_receipt":"a","receipt":{"request_date":"a","request_date_ms":"1",
             "request_date_pst":"b"}}
            """
        #expect(try Self.lines(apples, "{\"receipt\":{}}").isEmpty)
        #expect(
            try Self.lines("{\"request_date\":1,\"receipt\":{\"latest_receipt\":2}}", "{}").count
                == 2
        )
    }

    @Test("Fields are counted over the elements, without their numbers")
    func fields() throws {
        let apples = try Self.object(
            """
            {"latest_receipt_info":[{"transaction_id":"1","g":"1"},{"transaction_id":"2","g":"1"},
              {"transaction_id":"3","g":"5"}],"x y":1}
            """
        )
        let ours = try Self.object(
            """
            {"latest_receipt_info":[{"transaction_id":"1"},{"transaction_id":"2"},
              {"transaction_id":"3","g":"4"}]}
            """
        )
        let fields = DifferingField.fields(of: AnswerDifference.between(apples, ours))
        #expect(
            fields.map { "\($0.field) \($0.kind.rawValue) \($0.count)" } == [
                "[\"x y\"] only Apple's 1", "latest_receipt_info[].g only Apple's 2",
                "latest_receipt_info[].g another value 1",
            ]
        )
    }
}
