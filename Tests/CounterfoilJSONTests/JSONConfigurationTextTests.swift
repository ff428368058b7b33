import CounterfoilJSON
import Testing

@Suite("Places in a configuration file")
struct JSONConfigurationTextTests {
    private static let text = """
        // A server.
        { "listen": "127.0.0.1:8080", /* where */ "apps": [
            { "bundleId": "com.example.a\\"b", "anchors": [ "one.pem", "é.pem", ] },
            {}, [], 7 // seven
          ],
          "é": { "deep": [ [ null ] ] },
        }
        """

    private static func path(_ steps: Any...) -> JSONKeyPath {
        steps.reduce(.document) { path, step in
            (step as? Int).map { .element(path, $0) } ?? .member(path, step as! String)
        }
    }

    private static func place(_ position: JSONTextPosition?) -> String? {
        position.map { "\($0.line):\($0.column)" }
    }

    @Test("Each value and each key is found by its path, past comments and closing commas")
    func places() throws {
        let file = try JSONConfigurationText(parsing: Array(Self.text.utf8))
        let value = { Self.place(file.position(of: $0)) }
        let key = { Self.place(file.position(ofKey: $0)) }
        #expect(value(.document) == "2:1")
        #expect(value(Self.path("listen")) == "2:13")
        #expect(key(Self.path("listen")) == "2:3")
        #expect(value(Self.path("apps")) == "2:51")
        #expect(value(Self.path("apps", 0)) == "3:5")
        #expect(key(Self.path("apps", 0, "anchors")) == "3:39")
        #expect(value(Self.path("apps", 0, "anchors", 1)) == "3:63")
        #expect(value(Self.path("apps", 1)) == "4:5")
        #expect(value(Self.path("apps", 2)) == "4:9")
        #expect(value(Self.path("apps", 3)) == "4:13")
        #expect(value(Self.path("é", "deep", 0, 0)) == "6:22")
        #expect(key(.document) == nil)
        #expect(key(Self.path("apps", 0)) == nil)
        #expect(value(Self.path("missing")) == nil)
        #expect(value(Self.path("apps", 4)) == nil)
    }

    @Test("A byte order mark moves nothing but the first line")
    func byteOrderMark() throws {
        let file = try JSONConfigurationText(parsing: [0xEF, 0xBB, 0xBF] + Array("[ 1,\n2]".utf8))
        #expect(Self.place(file.position(of: Self.path(1))) == "2:1")
        #expect(file.value == [1, 2])
    }

    @Test("What is no JSON is refused with its place")
    func refusal() {
        #expect(throws: JSONError.self) {
            try JSONConfigurationText(parsing: Array("{ \"a\": /* open".utf8))
        }
    }
}
