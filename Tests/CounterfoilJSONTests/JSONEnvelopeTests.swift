import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("JSON envelopes")
struct JSONEnvelopeTests {
    private func envelope(_ text: String) throws(JSONError) -> JSONEnvelope {
        try JSONEnvelope(parsing: Array(text.utf8))
    }

    @Test("Lend long strings as bytes and build the other members when asked")
    func verifyReceiptBody() throws {
        let receipt = [UInt8](repeating: 0x5A, count: 30_000)
        let text = Base64.encode(receipt.span)
        let body = try envelope(
            "{\"receipt-data\" : \"\(text)\", \"password\":\"secret\","
                + "\"exclude-old-transactions\":true, \"more\":{\"a\":[1]}}"
        )
        #expect(try body.withString("receipt-data") { try Base64.decode($0) } == receipt)
        #expect(body["receipt-data"]?.string == text)
        #expect(body["password"] == "secret")
        #expect(body["exclude-old-transactions"] == true)
        #expect(body["more"] == ["a": [1]])
        #expect(body["other"] == nil)
        #expect(body.withString("exclude-old-transactions") { $0.count } == nil)
        #expect(body.withString("other") { $0.count } == nil)
        #expect(body.keys == ["receipt-data", "password", "exclude-old-transactions", "more"])
    }

    @Test("Resolve escapes, as in base 64 whose slashes and line breaks a client escaped")
    func escapes() throws {
        let body = try envelope(#"{"receipt-data":"MII\/\u002B\r\nQUI="}"#)
        let text = body.withString("receipt-data") { String(copying: $0) }
        #expect(text == "MII/+\r\nQUI=")
        #expect(body["receipt-data"]?.string == text)
    }

    @Test("Lend the right bytes behind a byte order mark")
    func byteOrderMark() throws {
        let body = try envelope("\u{FEFF}{\"a\":\"bcd\"}")
        #expect(body.withString("a") { String(copying: $0) } == "bcd")
    }

    @Test(
        "Are the same document that is read whole, or the same refusal",
        arguments: [
            #"{}"#, #"{"a":"b","c":"d\n","e":[{"f":null}],"g":1e400}"#, #" { "a" : "ü" } "#,
            #"{"a":"b""#, #"{"a":"b",}"#, #"{"a":"b","a":"c"}"#, #"{"a":"\ud800"}"#, #"{"a":"\x"}"#,
            #"{"a":"b"} x"#, #"{"a" "b"}"#, #"["#, #""#, #"{"a":"b" "c":"d"}"#, #"{"a":nul}"#,
            #"[1] 2"#, "\u{FEFF}{\"a\":\"b\",}",
        ]
    )
    func agreement(text: String) {
        let whole = Result { () throws(JSONError) in try JSONValue(parsing: Array(text.utf8)) }
        let body = Result { () throws(JSONError) in try envelope(text).value }
        #expect(whole == body)
    }

    @Test("Are objects", arguments: ["[]", "1", "\"a\"", "null", "[{}]"])
    func otherValues(text: String) {
        let error = #expect(throws: JSONError.self) { try envelope(text) }
        #expect(error?.code == JSONError.wrongType)
        #expect(error?.offset == 0)
    }
}

extension String {
    fileprivate init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
