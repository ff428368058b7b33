import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Reading JSON")
struct JSONReadingTests {
    @Test(
        "Takes every form of RFC 8259",
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("\"\"", ""),
            ("[]", []), ("{}", [:]), (" \t\r\n[ \n] \t", []), ("{ }", [:]), ("\u{FEFF}1", 1),
            ("[null,true,false,1,\"a\",[],{}]", [.null, true, false, 1, "a", [], [:]]),
            ("{\"a\" : 1 , \"b\":[ 2 ]}", ["a": 1, "b": [2]]),
            ("{\"\":{\"\":{}}}", ["": ["": [:]]]),
            ("[1,[2,[3,[4]]],5]", [1, [2, [3, [4]]], 5]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u8CFC\u0000""#, "Aé購\u{0}"),
            (#""\ud83e\uddfe \uD834\uDD1E""#, "🧾 𝄞"),
            (#""grün \u00fc 購 🧾""#, "grün ü 購 🧾"),
            (
                "\"\u{7F}\u{80}\u{2028}\u{FFFD}\u{FFFF}\u{10FFFF}\"",
                "\u{7F}\u{80}\u{2028}\u{FFFD}\u{FFFF}\u{10FFFF}"
            ),
            (#""0123456\n789abcdef0\\123456789""#, "0123456\n789abcdef0\\123456789"),
            (#"{"\u0061\/":1}"#, ["a/": 1]),
        ] as [(String, JSONValue)]
    )
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "Keeps numbers as they are written",
        arguments: [
            "-0", "1.0", "1e400", "500935934584949200", "9007199254740993",
            "12345678901234567890123", "1E+2",
        ]
    )
    func numbers(text: String) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).number?.text == text)
        let array = try JSONValue(parsing: Array("[\(text) ,\(text)]".utf8))
        #expect(array.array?.compactMap(\.number?.text) == [text, text])
    }

    @Test(
        "Says what is wrong and where",
        arguments: [
            ("", JSONError.empty, 0), (" \n ", JSONError.empty, 3),
            ("\u{FEFF}", JSONError.empty, 3),
            ("[", JSONError.truncated, 1), ("[1", JSONError.truncated, 2),
            ("[1,", JSONError.truncated, 3), ("{", JSONError.truncated, 1),
            ("{\"a\"", JSONError.truncated, 4), ("{\"a\":", JSONError.truncated, 5),
            ("{\"a\":1", JSONError.truncated, 6), ("{\"a\":1,", JSONError.truncated, 7),
            ("[\"abc", JSONError.truncated, 1), (#"["a\"]"#, JSONError.truncated, 1),
            ("[1,]", JSONError.syntax, 3), ("[,1]", JSONError.syntax, 1),
            ("[1 2]", JSONError.syntax, 3), ("[1:2]", JSONError.syntax, 2),
            ("[1}", JSONError.syntax, 2), ("]", JSONError.syntax, 0), ("}", JSONError.syntax, 0),
            (",", JSONError.syntax, 0), (":", JSONError.syntax, 0), ("{,}", JSONError.syntax, 1),
            ("{\"a\":1,}", JSONError.syntax, 7), ("{\"a\" 1}", JSONError.syntax, 5),
            ("{\"a\",1}", JSONError.syntax, 4), ("{a:1}", JSONError.syntax, 1),
            ("{1:1}", JSONError.syntax, 1), ("{null:1}", JSONError.syntax, 1),
            ("{\"a\":1 \"b\":2}", JSONError.syntax, 7), ("{\"a\":}", JSONError.syntax, 5),
            ("{\"a\":1]", JSONError.syntax, 6), ("['a']", JSONError.syntax, 1),
            ("nul", JSONError.syntax, 0), ("nulll", JSONError.syntax, 0),
            ("True", JSONError.syntax, 0), ("[tru\"e\"]", JSONError.syntax, 1),
            ("NaN", JSONError.syntax, 0), ("[Infinity]", JSONError.syntax, 1),
            ("undefined", JSONError.syntax, 0), ("[1,\u{A0}2]", JSONError.syntax, 3),
            ("[\u{C}1]", JSONError.syntax, 1), ("[\u{0}]", JSONError.syntax, 1),
            ("\u{FEFF}\u{FEFF}1", JSONError.syntax, 3), ("// a\n1", JSONError.syntax, 0),
            ("[\"a\"\"b\"]", JSONError.syntax, 4), ("[\"a\"b]", JSONError.syntax, 4),
            ("-Infinity", JSONError.invalidNumber, 0), ("[01]", JSONError.invalidNumber, 1),
            ("[1.]", JSONError.invalidNumber, 1), ("[.5]", JSONError.invalidNumber, 1),
            ("[+1]", JSONError.invalidNumber, 1), ("[-]", JSONError.invalidNumber, 1),
            ("[1e]", JSONError.invalidNumber, 1), ("[0x1F]", JSONError.invalidNumber, 1),
            ("[1\"a\"]", JSONError.invalidNumber, 1), ("[1\u{0}]", JSONError.invalidNumber, 1),
            ("1 2", JSONError.trailingContent, 2), ("{}{}", JSONError.trailingContent, 2),
            ("[]]", JSONError.trailingContent, 2), ("null,", JSONError.trailingContent, 4),
            ("\"a\" \"b\"", JSONError.trailingContent, 4), ("{} x", JSONError.trailingContent, 3),
            ("[\"a\nb\"]", JSONError.unescapedControl, 3),
            ("[\"\u{0}\"]", JSONError.unescapedControl, 2),
            ("{\"a\tb\":1}", JSONError.unescapedControl, 3),
            (#"["a\x"]"#, JSONError.invalidEscape, 3), (#"["\u12"]"#, JSONError.invalidEscape, 2),
            (#"["\u12G4"]"#, JSONError.invalidEscape, 2), (#"["\u"]"#, JSONError.invalidEscape, 2),
            (#"["\U0041"]"#, JSONError.invalidEscape, 2),
            (#"{"\'":1}"#, JSONError.invalidEscape, 2),
            (#"["\ud800"]"#, JSONError.loneSurrogate, 2),
            (#"["ab\udc00"]"#, JSONError.loneSurrogate, 4),
            (#"["\ud800\u0041"]"#, JSONError.loneSurrogate, 2),
            (#"["\ud800\ud800"]"#, JSONError.loneSurrogate, 2),
            (#"["\ud83e\uddfe\uddfe"]"#, JSONError.loneSurrogate, 14),
            (#"["\ud800 \udc00"]"#, JSONError.loneSurrogate, 2),
            (#"["\ud800\udc0"]"#, JSONError.loneSurrogate, 2),
            (#"{"\udfff":1}"#, JSONError.loneSurrogate, 2),
        ]
    )
    func refuses(text: String, code: ErrorCode, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.code == code, "\(text): \(error?.reason ?? "accepted")")
        #expect(error?.offset == offset, "\(text): \(error?.reason ?? "accepted")")
        #expect(error?.reason.hasSuffix(", at byte \(offset)") == true)
    }

    @Test(
        "Refuses what is not UTF-8 and says where",
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0x80, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0x22], 1), ([0x5B, 0xFE, 0x5D], 1), ([0x31, 0xC3], 1),
        ] as [([UInt8], Int)]
    )
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.code == JSONError.invalidUTF8)
        #expect(error?.offset == offset)
    }

    @Test("Keeps the order of members and keys that nobody knows")
    func order() throws {
        let text = #"{"z":1,"a":{"y":[],"b":null},"new_in_2031":"?"}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(value.object?.keys == ["z", "a", "new_in_2031"])
        #expect(value.description == text)
    }

    @Test(
        "A key may stand in an object once, however it is written",
        arguments: [
            (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"b":2,"\u0061":3}"#, 13),
            (#"{"\u0061":1,"a":2}"#, 12), (#"{"\u0061":1,"\u0061":2}"#, 12), (#"{"":1,"":2}"#, 6),
            (#"{"a":{"a":1},"a":2}"#, 13), (#"[{"a":[{"b":1,"b":2}]}]"#, 14),
            (#"{"original_purchase_date":1,"original_purchase_date":2}"#, 28),
        ]
    )
    func duplicates(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.code == JSONError.duplicateKey)
        #expect(error?.offset == offset)
    }

    @Test(
        "Finds a repeated key in objects of any size",
        arguments: [2, 47, 48, 49, 50, 51, 100, 1000]
    )
    func duplicatesInLargeObjects(count: Int) throws {
        let keys = (0..<count).map { "a_long_key_number_\($0)" }
        let members = keys.map { "\"\($0)\":[{\"\($0)\":0}]" }
        let object = try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(object.object?.keys == keys)
        #expect(object["a_long_key_number_\(count - 1)"] != nil)
        for repeated in [0, count / 2, count - 1] {
            let again = (members + [members[repeated]]).joined(separator: ",")
            let error = #expect(throws: JSONError.self) {
                try JSONValue(parsing: Array("{\(again)}".utf8))
            }
            #expect(error?.code == JSONError.duplicateKey)
        }
    }

    @Test(
        "An object of very many keys, made to be confused, is read without comparing all with all",
        .timeLimit(.minutes(1))
    )
    func manyKeys() throws {
        let count = 50_000
        let members = (0..<count).map { "\"beginning\(1_000_000 + $0)the same end\":0" }
        let value = try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        #expect(value.object?.count == count)
        #expect(value["beginning1049999the same end"] == 0)
    }

    @Test("Keys that only look alike are two keys")
    func lookalikeKeys() throws {
        let text = "{\"appKey\":1,\"app\u{212A}ey\":2,\"\u{C5}\":3,\"A\u{30A}\":4,\"\u{212B}\":5}"
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(value.object?.count == 5)
        #expect(value["appKey"] == 1)
    }

    @Test("A repeated key with line breaks cannot forge a line of a log")
    func keysInErrors() {
        let long = String(repeating: "x", count: 500)
        for key in [#"a\nb"#, long] {
            let error = #expect(throws: JSONError.self) {
                try JSONValue(parsing: Array("{\"\(key)\":1,\"\(key)\":2}".utf8))
            }
            #expect(error?.reason.contains("\n") == false)
            #expect((error?.reason.count ?? 0) < 200)
        }
    }
}
