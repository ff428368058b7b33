import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Members of JSON objects, as a model takes them")
struct JSONMembersTests {
    private func members(
        _ text: String,
        forms: JSONMembers.Forms = .asAppleSends
    ) throws -> JSONMembers {
        try JSONMembers(JSONValue(parsing: Array(text.utf8)), forms: forms)
    }

    private func reason(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: JSONError.self) { try body() }
        #expect(error?.code == JSONError.wrongType)
        #expect(error?.offset == nil)
        return error?.reason
    }

    @Test(
        "Integers are taken as numbers, in strings, empty, null and absent",
        arguments: [
            ("1", 1), ("\"1\"", 1), ("\"\"", nil), ("null", nil), ("-5", -5), ("\"-5\"", -5),
            ("1717402530000.0", 1_717_402_530_000), ("\"007\"", 7),
            ("500935934584949200", 500_935_934_584_949_200),
            ("\"9223372036854775807\"", Int64.max),
        ] as [(String, Int64?)]
    )
    func integers(json: String, integer: Int64?) throws {
        #expect(try members("{\"a\":\(json)}").integer("a") == integer)
        #expect(try members("{}").integer("a") == nil)
    }

    @Test(
        "What is no integer of 64 bits is refused by its path",
        arguments: [
            "1.5", "\"1.5\"", "\"abc\"", "true", "[]", "{}", "9223372036854775808",
            "\"9223372036854775808\"", "1e400", "\" 1\"",
        ]
    )
    func notIntegers(json: String) throws {
        let members = try members("{\"a\":\(json)}")
        let reason = reason { _ = try members.integer("a") }
        #expect(reason?.hasPrefix("expected a to be an integer of 64 bits, found ") == true)
    }

    @Test("Ids are strings, exact beyond 2^53, whatever type they came as")
    func identifiers() throws {
        let ids = try members(
            #"{"a":9007199254740993,"b":"9007199254740993","c":"","d":null,"#
                + #""e":123456789012345678901234567890,"f":1.5,"g":true,"h":1e3}"#
        )
        #expect(try ids.identifier("a") == "9007199254740993")
        #expect(try ids.identifier("b") == "9007199254740993")
        #expect(try ids.identifier("c") == nil)
        #expect(try ids.identifier("d") == nil)
        #expect(try ids.identifier("e") == "123456789012345678901234567890")
        for key in ["f", "g", "h"] { _ = reason { _ = try ids.identifier(key) } }
    }

    @Test("Strings keep an empty text, and take a number's")
    func strings() throws {
        let strings = try members(#"{"a":"","b":"x","c":1.50,"d":null,"e":[],"f":true}"#)
        #expect(try strings.string("a")?.isEmpty == true)
        #expect(try strings.string("b") == "x")
        #expect(try strings.string("c") == "1.50")
        #expect(try strings.string("d") == nil)
        #expect(
            reason { _ = try strings.string("e") } == "expected e to be a string, found an array"
        )
        #expect(reason { _ = try strings.string("f") } == "expected f to be a string, found true")
    }

    @Test(
        "Booleans are taken as such, as 1 and 0, and in strings",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), ("\"true\"", true),
            ("\"false\"", false), ("\"1\"", true), ("\"0\"", false), ("\"\"", nil), ("null", nil),
        ] as [(String, Bool?)]
    )
    func booleans(json: String, bool: Bool?) throws {
        #expect(try members("{\"a\":\(json)}").bool("a") == bool)
    }

    @Test("What is no boolean is refused", arguments: ["2", "\"yes\"", "[]", "1.5"])
    func notBooleans(json: String) throws {
        let members = try members("{\"a\":\(json)}")
        _ = reason { _ = try members.bool("a") }
    }

    @Test("Numbers of any kind keep their text")
    func numbers() throws {
        let numbers = try members(#"{"a":1e400,"b":"2.50","c":"","d":"x"}"#)
        #expect(try numbers.number("a")?.text == "1e400")
        #expect(try numbers.number("b")?.text == "2.50")
        #expect(try numbers.number("c") == nil)
        _ = reason { _ = try numbers.number("d") }
    }

    @Test("Errors name the path through arrays and objects, and no content of a string")
    func paths() throws {
        let document = try members(
            #"{"receipt":{"in_app":[{"quantity":"1"},{"quantity":"geheim"}]},"apps":{"a.b":{"l":[1]}}}"#
        )
        let purchases = try #require(try document.object("receipt")?.objects("in_app"))
        #expect(try purchases[0].integer("quantity") == 1)
        #expect(
            reason { _ = try purchases[1].integer("quantity") }
                == "expected receipt.in_app[1].quantity to be an integer of 64 bits, "
                + "found another string"
        )
        let app = try #require(try document.object("apps")?.object("a.b"))
        #expect(
            reason { _ = try app.strings("l") }
                == "expected apps[\"a.b\"].l[0] to be a string, found a number"
        )
        #expect(
            reason { _ = try app.objects("l") }
                == "expected apps[\"a.b\"].l[0] to be an object, found a number"
        )
        #expect(
            reason { _ = try document.array("receipt") }
                == "expected receipt to be an array, found an object"
        )
        #expect(
            reason { _ = try JSONMembers([1]) }
                == "expected the document to be an object, found an array"
        )
    }

    @Test("A member that must be there is asked for by its path")
    func required() throws {
        let object = try #require(try members(#"{"a":{"b":null,"c":0}}"#).object("a"))
        #expect(try object.required("c", object.integer("c")) == 0)
        let error = #expect(throws: JSONError.self) {
            try object.required("b", object.integer("b"))
        }
        #expect(error?.code == JSONError.missingMember)
        #expect(error?.reason == "expected a.b, which is missing or null")
    }

    @Test("Where the exact type is wanted, Apple's other forms are refused")
    func exact() throws {
        let exact = try members(
            #"{"i":"1","s":1,"d":1,"b":1,"t":"true","n":"1","o":{"i":"1"},"e":"","ok":1,"y":true}"#,
            forms: .exact
        )
        _ = reason { _ = try exact.integer("i") }
        _ = reason { _ = try exact.string("s") }
        _ = reason { _ = try exact.identifier("d") }
        _ = reason { _ = try exact.bool("b") }
        _ = reason { _ = try exact.bool("t") }
        _ = reason { _ = try exact.number("n") }
        _ = reason { _ = try exact.integer("e") }
        _ = reason { _ = try exact.object("o")?.integer("i") }
        #expect(try exact.integer("ok") == 1)
        #expect(try exact.bool("y") == true)
        #expect(try exact.integer("absent") == nil)
    }
}
