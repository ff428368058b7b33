import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Flat objects of the JSON writer")
struct JSONWriterFlatObjectTests {
    private static func write(_ form: JSONWriter.Form, _ texts: [String?]) -> String {
        var writer = JSONWriter(form)
        writer.array { writer in
            for text in texts {
                let room = 200 + 6 * (text?.utf8.count ?? 0)
                writer.flatObject(room: room) { members in
                    members.appendMember("text", text)
                    members.appendMember("least", digitsOf: .min)
                    members.appendMember("plain") { $0.append(UInt8(ascii: "x")) }
                }
            }
        }
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test("Members stand in the order written, absent ones not at all")
    func members() {
        #expect(
            Self.write(.compact, ["a", nil])
                == #"[{"text":"a","least":"-9223372036854775808","plain":"x"},"#
                + #"{"least":"-9223372036854775808","plain":"x"}]"#
        )
    }

    @Test("An object without members, and one amid other values")
    func empty() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("none")
            writer.flatObject(room: 0) { _ in }
            writer.member("next", true)
        }
        #expect(String(decoding: writer.finish(), as: UTF8.self) == #"{"none":{},"next":true}"#)
    }

    @Test("Every character reads back, in either form, and the forms agree")
    func escapes() throws {
        let texts = ["\u{0}\u{1F}\"\\/\u{8}\u{C}\n\r\t\u{7F}é\u{2028}🧾", "", "plain", "\"", "x\""]
        let compact = try JSONValue(parsing: Array(Self.write(.compact, texts).utf8))
        let pretty = Self.write(.pretty, texts)
        #expect(compact.array?.compactMap { $0["text"]?.string } == texts)
        #expect(try JSONValue(parsing: Array(pretty.utf8)) == compact)
        #expect(pretty.contains("\n    \"least\": "))
    }

    @Test("A text of nothing but escapes fits into the room that six bytes a byte give")
    func room() throws {
        let text = String(repeating: "\u{1}", count: 1000)
        var writer = JSONWriter()
        writer.flatObject(room: 6 * 1000 + 4 + 6) { $0.appendMember("text", text) }
        #expect(try JSONValue(parsing: writer.finish())["text"]?.string == text)
    }

    @Test("Bytes are written as base 64 behind a comma where one is due", arguments: 0..<7)
    func base64(count: Int) {
        let bytes = Array("receipt".utf8.prefix(count))
        var writer = JSONWriter()
        writer.array { writer in
            writer.string(base64Of: bytes.span)
            writer.string(base64Of: bytes.span)
        }
        let text = Base64.encode(bytes.span)
        #expect(String(decoding: writer.finish(), as: UTF8.self) == "[\"\(text)\",\"\(text)\"]")
    }

    @Test("An object is repeated byte for byte, behind a comma where one is due")
    func repetition() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("first")
            let place = writer.flatObject(room: 100) { $0.appendMember("text", "a\"b") }
            writer.key("all")
            writer.array { writer in
                for _ in 0..<3 { place.map { writer.repeatObject(at: $0) } }
                writer.flatObject(room: 0) { _ in }
            }
        }
        let object = #"{"text":"a\"b"}"#
        #expect(
            String(decoding: writer.finish(), as: UTF8.self)
                == "{\"first\":\(object),\"all\":[\(object),\(object),\(object),{}]}"
        )
        var pretty = JSONWriter(.pretty)
        #expect(pretty.flatObject(room: 0) { _ in } == nil)
    }

    @Test("Integers of every length are written whole")
    func integers() {
        var numbers: [Int64] = [0, .min, .max, .min + 1]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            numbers += [power - 1, power, power + 1, -power + 1, -power, -power - 1]
        }
        for number in numbers {
            var writer = JSONWriter()
            writer.flatObject(room: 40) { $0.appendMember("n", digitsOf: number) }
            #expect(String(decoding: writer.finish(), as: UTF8.self) == "{\"n\":\"\(number)\"}")
        }
    }
}
