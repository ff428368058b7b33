import CounterfoilBasics
import CounterfoilJSON
import Foundation
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    private func text(
        _ form: JSONWriter.Form = .compact,
        _ body: (inout JSONWriter) -> Void
    ) -> String {
        var writer = JSONWriter(form)
        body(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test("Puts commas between members and elements and nowhere else")
    func commas() {
        let written = text {
            $0.object { writer in
                writer.member("status", 0)
                writer.key("in_app")
                writer.array { writer in
                    writer.object { _ in }
                    writer.array { _ in }
                    writer.object { $0.member("quantity", "1") }
                    writer.null()
                    writer.bool(true)
                    writer.number(12)
                }
                writer.member("environment", "Sandbox")
            }
        }
        #expect(
            written == #"{"status":0,"in_app":[{},[],{"quantity":"1"},null,true,12],"#
                + #""environment":"Sandbox"}"#
        )
    }

    @Test("The pretty form has a line for each member and element and none in empty containers")
    func pretty() {
        let value: JSONValue = ["a": [1, [], ["b": "c"]], "d": [:]]
        #expect(
            String(decoding: value.document(.pretty), as: UTF8.self) == """
                {
                  "a": [
                    1,
                    [],
                    {
                      "b": "c"
                    }
                  ],
                  "d": {}
                }
                """
        )
    }

    @Test("Objects in a list can stand on a line each")
    func objectsOnOneLine() {
        var writer = JSONWriter(.pretty)
        writer.array { writer in
            for number in 1...2 {
                writer.objectOnOneLine { writer in
                    writer.member("a", Int64(number))
                    writer.member("b", "c")
                }
            }
        }
        #expect(
            String(decoding: writer.finish(), as: UTF8.self) == """
                [
                  {"a":1,"b":"c"},
                  {"a":2,"b":"c"}
                ]
                """
        )
    }

    @Test("Leaves out members that have no value")
    func absentMembers() {
        let written = text {
            $0.object { writer in
                writer.member("a", nil as String?)
                writer.member("b", nil as Int64?)
                writer.member("c", nil as Bool?)
                writer.member("d", digitsOf: nil)
                writer.member("e", value: nil)
                writer.member("f", false)
            }
        }
        #expect(written == #"{"f":false}"#)
    }

    @Test(
        "Escapes what RFC 8259 §7 asks for and nothing else",
        arguments: [
            ("", #""""#),
            ("a/b", #""a/b""#),
            ("\"\\", #""\"\\""#),
            ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
            ("\u{0}\u{1}\u{B}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u000b\\u001f\u{7F}\""),
            ("grün 購 🧾 \u{2028}", "\"grün 購 🧾 \u{2028}\""),
            ("seven77\"seven77\\seven77\n", #""seven77\"seven77\\seven77\n""#),
        ]
    )
    func escapes(string: String, json: String) {
        #expect(text { $0.string(string) } == json)
        #expect(text { $0.string(utf8: Array(string.utf8).span) } == json)
        #expect(
            text {
                $0.object {
                    $0.key(text: string); $0.null()
                }
            } == "{\(json):null}"
        )
    }

    @Test("Finds every byte that needs an escape, wherever it stands")
    func everyByteAtEveryOffset() throws {
        for length in 1...19 {
            for offset in 0..<length {
                for byte in UInt8(0)...0x7F {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    bytes[offset] = byte
                    let string = String(decoding: bytes, as: UTF8.self)
                    let written = text { $0.string(string) }
                    let read = try JSONSerialization.jsonObject(
                        with: Data(written.utf8),
                        options: .fragmentsAllowed
                    )
                    guard read as? String == string else {
                        Issue.record("byte \(byte) at \(offset) of \(length): \(written)")
                        return
                    }
                }
            }
        }
    }

    @Test("Bytes that are no UTF-8 are replaced, so that the document stays JSON")
    func invalidUTF8() {
        let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0x22]
        #expect(text { $0.string(utf8: bytes.span) } == "\"a\u{FFFD}\u{FFFD}(\\\"\"")
    }

    @Test(
        "Integers come out exactly, with or without quotes",
        arguments: [
            0, 7, -7, 10, 99, 100, 101, 1_717_402_530_000, 9_007_199_254_740_993, Int64.max,
            Int64.min,
        ]
    )
    func integers(integer: Int64) {
        #expect(text { $0.integer(integer) } == "\(integer)")
        #expect(text { $0.string(digitsOf: integer) } == "\"\(integer)\"")
        #expect(text { $0.number(JSONNumber(integer)) } == "\(integer)")
    }

    @Test("A writer begins anew in its buffer, and a copy goes its own way")
    func reuse() {
        var writer = JSONWriter(capacity: 100)
        writer.beginArray()
        var copy = writer
        copy.integer(1)
        copy.endArray()
        writer.reset()
        writer.string("a")
        #expect(
            writer.withDocument { String(decoding: Array(copying: $0), as: UTF8.self) } == "\"a\""
        )
        #expect(String(decoding: writer.finish(), as: UTF8.self) == "\"a\"")
        #expect(String(decoding: copy.finish(), as: UTF8.self) == "[1]")
        writer.null()
        #expect(String(decoding: writer.finish(), as: UTF8.self) == "null")
    }
}

extension Array {
    fileprivate init(copying span: Span<Element>) {
        self = span.indices.map { span[$0] }
    }
}
