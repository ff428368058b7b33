import CounterfoilBasics
import CounterfoilPropertyList
import Foundation
import Testing

@Suite("OpenStep property lists")
struct PropertyListTests {
    @Test("Dictionaries, arrays, data, quoted and unquoted text are read in their order")
    func everyKind() throws {
        let text = """
            // A list
            { b = "two words"; a = (1, two, "three",); /* and */ data = <0f bd 77>;
              'c' = { nested = yes } }
            """
        let list = try #require(try parse(text).dictionary)
        #expect(list.entries.map(\.key) == ["b", "a", "data", "c"])
        #expect(list["b"]?.string == "two words")
        #expect(list["a"] == .array([.string("1"), .string("two"), .string("three")]))
        #expect(list["data"] == .data([0x0F, 0xBD, 0x77]))
        #expect(list["c"]?.dictionary?["nested"]?.string == "yes")
    }

    @Test(
        "Every escape stands for its character",
        arguments: [
            (#"\n\r\t\a\b\f\v"#, "\n\r\t\u{07}\u{08}\u{0C}\u{0B}"), (#"\\\"\'\/"#, "\\\"'/"),
            (#"\101\60"#, "A0"), (#"\341"#, "Æ"), (#"\0"#, "\0"), (#"\U00e9\U20ac"#, "é€"),
            (#"\Ud83d\Ude00!"#, "😀!"), (#"\UD83D\UDE00"#, "😀"), (#"\é"#, "é"), ("é€😀", "é€😀"),
            (#"a\101b\1011\18"#, "aAbA1\u{01}8"), (#"\377\376"#, "\u{FFFD}\u{FFFD}"),
            (#"\u0041\q\8"#, "u0041q8"), ("one\\\ntwo", "one\ntwo"), ("'", "'"), ("", ""),
        ]
    )
    func escapes(text: String, expected: String) throws {
        #expect(try parse("\"\(text)\"").string == expected)
    }

    @Test(
        "What is no list is refused with its code",
        arguments: [
            ("", "plist.truncated"), ("{", "plist.truncated"), ("{ a", "plist.truncated"),
            ("{ a = ", "plist.truncated"), ("\"a", "plist.truncated"), ("(a", "plist.truncated"),
            ("<0f", "plist.truncated"), ("\"\\", "plist.truncated"), ("/* a", "plist.truncated"),
            ("{ a b }", "plist.unexpected_character"),
            ("{ a = b c }", "plist.unexpected_character"),
            ("(a b)", "plist.unexpected_character"), ("[", "plist.unexpected_character"),
            ("{ = b; }", "plist.unexpected_character"), ("<0>", "plist.bad_data"),
            ("<zz>", "plist.bad_data"), ("\"\\Ud83d\"", "plist.bad_text"),
            ("\"\\Uzzzz\"", "plist.bad_text"), (#""\400""#, "plist.bad_text"),
            (#""\Ud83d\U0041""#, "plist.bad_text"), (#""\Ude00""#, "plist.bad_text"),
            (#""\Ud83d\u de00""#, "plist.bad_text"), (#""\U00e"#, "plist.truncated"),
            ("{ a = 1; \"\\101\" = 2; A = 3; }", "plist.duplicate_key"),
            ("(a,,b)", "plist.unexpected_character"), ("<0f 1>", "plist.bad_data"),
            ("{ a; }", "plist.unexpected_character"), ("{} x", "plist.trailing_bytes"),
            ("{}/", "plist.trailing_bytes"), ("{} /* a", "plist.truncated"),
            ("{ a = 1; a = 2; }", "plist.duplicate_key"),
            ("a b", "plist.trailing_bytes"), ("{} {}", "plist.trailing_bytes"),
        ]
    )
    func refusals(text: String, code: String) {
        let error = #expect(throws: PropertyListError.self) { try parse(text) }
        #expect(error?.code.rawValue == code)
    }

    @Test("Zeros and white space behind a list are no part of it")
    func padding() throws {
        #expect(try parse("{ a = b; }\n\0\0 \r\n").dictionary?["a"]?.string == "b")
        #expect(try parse("{}\0\0 // end").dictionary?.entries.isEmpty == true)
    }

    @Test("Comments stand wherever white space may, up to either line end")
    func comments() throws {
        let list = try parse("/**/{//a\r\"k\"/* = */=//b\n v /***/ ; }// end")
        #expect(list == ["k": "v"])
    }

    @Test("Unquoted text has letters, digits and a few signs")
    func unquoted() throws {
        let text = "(a1, com.example.app, A-B_C, $x/y:z, 42, -1.5)"
        let expected = ["a1", "com.example.app", "A-B_C", "$x/y:z", "42", "-1.5"]
        #expect(try parse(text) == .array(expected.map { .string($0) }))
    }

    @Test("Octal escapes agree with Foundation's NeXTSTEP encoding", arguments: 0..<256)
    func nextstep(code: Int) throws {
        let text = try parse("\"\\\(String(code, radix: 8))\"").string
        let theirs = String(bytes: [UInt8(code)], encoding: .nextstep)
        #expect(text == (code >= 0xFE ? "\u{FFFD}" : theirs))
    }

    @Test("An error says where it stands")
    func offset() {
        let error = #expect(throws: PropertyListError.self) { try parse("{ a = b; c ? d; }") }
        #expect(error?.offset == 11)
        #expect(error?.description.hasSuffix("at byte 11") == true)
    }

    @Test("Each code can be provoked, and codes are distinct")
    func codes() {
        let limits = PropertyListLimits(bytes: 9, nesting: 1, keys: 1, values: 9)
        let provoking = [
            "{", "[", "\"\\400\"", "<0>", "{a=1;a=2}", "{}x", "aaaaaaaaaa", "(())", "{a=1;b=2}",
        ]
        let found = provoking.map { text in
            code(of: text, text == "{a=1;a=2}" ? .default : limits)
        }
        #expect(Set(found) == Set(PropertyListError.allCodes.map(Optional.some)))
        #expect(Set(PropertyListError.allCodes).count == PropertyListError.allCodes.count)
    }

    @Test("Invalid UTF-8 is refused")
    func badText() {
        let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue(parsing: bytes.span)
        }
        #expect(error?.code == PropertyListError.badText)
    }

    @Test("Every limit is read at and refused one past it")
    func limits() throws {
        let limits = PropertyListLimits(bytes: 40, nesting: 3, keys: 2, values: 4)
        #expect(throws: Never.self) { try parse("((()))", limits) }
        #expect(code(of: "(((())))", limits) == PropertyListError.tooDeep)
        #expect(throws: Never.self) { try parse("{a=1;b=2;}", limits) }
        #expect(code(of: "{a=1;b=2;c=3;}", limits) == PropertyListError.tooManyValues)
        #expect(throws: Never.self) { try parse("(1,2,3)", limits) }
        #expect(code(of: "(1,2,3,4)", limits) == PropertyListError.tooManyValues)
        #expect(throws: Never.self) { try parse(String(repeating: "a", count: 40), limits) }
        #expect(code(of: String(repeating: "a", count: 41), limits) == PropertyListError.tooLong)
    }

    @Test("Deep nesting and random text end quickly, whatever they are")
    func hostile() {
        _ = try? parse(String(repeating: "(", count: 100_000))
        _ = try? parse(String(repeating: "{a=", count: 100_000))
        var random = SeededRandom(seed: 5)
        let letters = Array("{}()<>=;,\"'\\/*aU0f \n\u{00}é".utf8)
        for _ in 0..<5000 {
            let count = Int.random(in: 0...60, using: &random)
            let bytes = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
            _ = try? PropertyListValue(parsing: bytes.span)
        }
    }

    private func parse(
        _ text: String,
        _ limits: PropertyListLimits = .default
    ) throws -> PropertyListValue {
        try PropertyListValue(parsing: Array(text.utf8).span, limits: limits)
    }

    private func code(of text: String, _ limits: PropertyListLimits) -> ErrorCode? {
        #expect(throws: PropertyListError.self) { try parse(text, limits) }?.code
    }
}
