import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Configuration files in JSON")
struct JSONConfigurationTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue(parsingConfiguration: Array(text.utf8).span)
    }

    @Test("May have comments wherever white space may stand")
    func comments() throws {
        let text = """
            // Counterfoil
            { /* where */ "listen" /* to */ : /* … */ "127.0.0.1:8080", // here
              "apps": [ /**/ 1, /***/ 2 /* * / ** */ ] //
            }
            // the end
            """
        #expect(try read(text) == ["listen": "127.0.0.1:8080", "apps": [1, 2]])
    }

    @Test(
        "What looks like a comment in a string is text",
        arguments: ["https://example.com/*", "/* a */", "a \\\" // b", "\\\\", "// \\u0041"]
    )
    func strings(content: String) throws {
        let text = "{\"a\":\"\(content)\"} // \" a quotation mark"
        let plain = try JSONValue(parsing: Array("{\"a\":\"\(content)\"}".utf8))
        #expect(try read(text) == plain)
    }

    @Test(
        "May have a comma behind the last member or element",
        arguments: [
            ("[1,]", [1]), ("[1, // 2\n]", [1]), ("{\"a\":1,}", ["a": 1]),
            ("{\"a\":[[],{},],/* b */}", ["a": [[], [:]]]), ("[\"a\" , \n]", ["a"]),
        ] as [(String, JSONValue)]
    )
    func trailingCommas(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "Says what is wrong by line and column",
        arguments: [
            ("[,]", JSONError.syntax, 1, 2), ("[1,,]", JSONError.syntax, 1, 4),
            ("{,}", JSONError.syntax, 1, 2), ("{\"a\":,}", JSONError.syntax, 1, 6),
            ("[1],", JSONError.trailingContent, 1, 4), (",", JSONError.syntax, 1, 1),
            ("{\n  // ä\n  /* ü */ \"grün\" 1 }", JSONError.syntax, 3, 18),
            ("{\r\n\"a\":1,\r\n\"a\":2}", JSONError.duplicateKey, 3, 1),
            ("[1,\n/* 2]", JSONError.unterminatedComment, 2, 1),
            ("[1, /*/ 2]", JSONError.unterminatedComment, 1, 5),
            ("[1 / 2]", JSONError.syntax, 1, 4),
            ("[1,\n2 /", JSONError.syntax, 2, 3), ("[\"a\n\"]", JSONError.unescapedControl, 1, 4),
            ("[\n\"a // ]", JSONError.truncated, 2, 1), ("// only\n", JSONError.empty, 2, 1),
            ("/**/ [1\n", JSONError.truncated, 2, 1), ("[1/**/2]", JSONError.syntax, 1, 7),
            ("# a\n{}", JSONError.syntax, 1, 1), ("[1] */", JSONError.trailingContent, 1, 5),
        ]
    )
    func refusals(text: String, code: ErrorCode, line: Int, column: Int) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.code == code, "\(text): \(error?.reason ?? "accepted")")
        #expect(error?.position?.line == line, "\(text): \(error?.reason ?? "accepted")")
        #expect(error?.position?.column == column, "\(text): \(error?.reason ?? "accepted")")
        #expect(error?.reason.hasSuffix(", at line \(line), column \(column)") == true)
    }

    @Test("Has the limits of any document")
    func limits() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(
                parsingConfiguration: Array("[1]//".utf8).span,
                limits: JSONLimits(bytes: 4)
            )
        }
        #expect(error?.code == JSONError.tooLarge)
    }
}
