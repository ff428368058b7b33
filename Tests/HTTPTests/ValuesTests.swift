import CounterfoilBasics
import CounterfoilTestSupport
import HTTP
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test("Names are compared in any case, order and repetition are kept")
    func caseAndOrder() {
        var fields: HTTPFields = [.contentType: "a", .setCookie: "x=1", .setCookie: "y=2"]
        fields.append(name: Array("x-OTHER".utf8), value: Array("  v \t".utf8))
        #expect(fields[HTTPFieldName("CONTENT-TYPE")!] == "a")
        #expect(fields.values(of: HTTPFieldName("set-cookie")!) == ["x=1", "y=2"])
        #expect(fields[HTTPFieldName("X-Other")!] == "v")
        #expect(fields.map(\.name) == ["Content-Type", "Set-Cookie", "Set-Cookie", "x-OTHER"])
        #expect(fields.count(of: .setCookie) == 2)
        #expect(fields[.allow] == nil)
    }

    @Test("Setting replaces every field of the name, nil removes them")
    func setting() {
        var fields: HTTPFields = [.setCookie: "x=1", .allow: "GET", .setCookie: "y=2"]
        fields[.setCookie] = "z"
        #expect(fields == [.allow: "GET", .setCookie: "z"])
        fields[.allow] = nil
        #expect(fields == [HTTPFieldName("SET-cookie")!: "z"])
    }

    @Test(
        "No value can begin a second field",
        arguments: ["a\r\nX: b", "a\nb", "a\0b", "\r\n\r\n"]
    )
    func injection(value: String) {
        var fields = HTTPFields()
        fields.append(.location, value)
        for (name, value) in fields {
            #expect(name == "Location")
            #expect(value.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 })
        }
        #expect(fields.count(of: .location) == 1)
    }

    @Test("Long values and many fields survive")
    func large() {
        var fields = HTTPFields()
        let long = String(repeating: "v", count: 100_000)
        fields.append(.cookie, long)
        for index in 0..<1000 { fields.append(HTTPFieldName("X-\(index)")!, "\(index)") }
        #expect(fields[.cookie] == long)
        #expect(fields[HTTPFieldName("x-999")!] == "999")
    }

    @Test("A name is a token", arguments: ["", "a b", "a:b", "ä", "a\r", "a\0"])
    func names(name: String) { #expect(HTTPFieldName(name) == nil) }

    @Test("C strings are the fields")
    func cStrings() {
        let fields: HTTPFields = [.allow: "GET", .eTag: ""]
        var seen: [String] = []
        fields.withEachCString { seen.append("\(String(cString: $0))=\(String(cString: $1))") }
        #expect(seen == ["Allow=GET", "ETag="])
    }
}

@Suite("A request")
struct HTTPRequestTests {
    @Test("The target is split into path and query, in origin and absolute form")
    func targets() {
        func parts(_ target: String) -> [String?] {
            let request = HTTPRequest(.get, target)
            return [request.path, request.query]
        }
        #expect(parts("/a/b?c=d?e") == ["/a/b", "c=d?e"])
        #expect(parts("/") == ["/", nil])
        #expect(parts("/?") == ["/", ""])
        #expect(parts("http://example.com/a?b") == ["/a", "b"])
        #expect(parts("http://example.com") == ["/", nil])
        #expect(parts("http://example.com?x=1") == ["/", "x=1"])
        #expect(parts("/redirect?to=http://other/") == ["/redirect", "to=http://other/"])
        #expect(parts("*") == ["*", nil])
        #expect(parts("") == ["", nil])
    }

    @Test("Query parameters are decoded in order; a bad one is left out and told")
    func query() {
        let query = HTTPRequest(.get, "/?a=1&b=x%20y+z&a=2&c&&d=%E2%82%AC").queryParameters
        #expect(query["a"] == "1")
        #expect(query.values(of: "a") == ["1", "2"])
        #expect(query["b"] == "x y z")
        #expect(query["c"] == "")
        #expect(query["d"] == "€")
        #expect(query["e"] == nil)
        #expect(!query.isMalformed)
        let bad = QueryParameters("a=%G0&b=1&c=%ff&d=%4")
        #expect(bad.isMalformed)
        #expect(bad.pairs.map(\.name) == ["b"])
        let many = QueryParameters(String(repeating: "a=1&", count: 300))
        #expect(many.isMalformed)
        #expect(many.pairs.count == 256)
    }

    @Test("Percent encoding is undone by decoding")
    func percent() {
        let text = "a/b ?&=%€~._-é"
        #expect(PercentEncoding.encode("a/b") == "a%2Fb")
        #expect(PercentEncoding.decode(Substring(PercentEncoding.encode(text))) == text)
    }
}

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test("The example of RFC 9110 §5.6.7 is written and read")
    func example() {
        let instant = Instant(secondsSince1970: 784_111_777)
        #expect(HTTPDate.text(instant) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.instant("Sun, 06 Nov 1994 08:49:37 GMT") == instant)
    }

    @Test(
        "Anything else is no date",
        arguments: [
            "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:3x GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        ]
    )
    func noDate(text: String) { #expect(HTTPDate.instant(text) == nil) }

    @Test("Random instants come back")
    func roundTrip() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let second = Int64.random(in: 0..<10_000_000_000, using: &random)
            let instant = Instant(secondsSince1970: second)
            #expect(HTTPDate.instant(HTTPDate.text(instant)) == instant)
        }
    }
}

@Suite("Addresses")
struct IPAddressTests {
    @Test(
        "Addresses are read and written in canonical form (RFC 5952)",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "::"),
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("::ffff:10.0.0.1", "10.0.0.1"),
            ("fe80::", "fe80::"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"),
        ]
    )
    func canonical(text: String, expected: String) {
        #expect(IPAddress(text)?.description == expected)
        #expect(IPAddress(text).flatMap { IPAddress(bytes: $0.bytes) } == IPAddress(text))
    }

    @Test(
        "Anything else is no address",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.+4", "1.2.3.", ":", ":::",
            "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::",
            "::1%eth0", "g::", "1.2.3.4::", "::1.2.3", "localhost", "::-1",
        ]
    )
    func invalid(text: String) { #expect(IPAddress(text) == nil) }

    @Test("Loopback is 127.0.0.0/8 and ::1")
    func loopback() {
        #expect(IPAddress("127.9.9.9")?.isLoopback == true)
        #expect(IPAddress("::1")?.isLoopback == true)
        #expect(IPAddress("128.0.0.1")?.isLoopback == false)
        #expect(IPAddress("::2")?.isLoopback == false)
    }

    @Test("A listening address is host and port")
    func socketAddresses() throws {
        #expect(try SocketAddress(parsing: "127.0.0.1:80").description == "127.0.0.1:80")
        #expect(try SocketAddress(parsing: "[::1]:8080").description == "[::1]:8080")
        #expect(try SocketAddress(parsing: "localhost:0") == .loopback(port: 0))
    }

    @Test(
        "Text that is no listening address is refused with its code",
        arguments: [
            "", "80", ":80", "1.2.3.4", "::1:80", "1.2.3.4:", "1.2.3.4:65536", "[1.2.3.4]:1", "a:1",
        ]
    )
    func notListening(text: String) throws {
        let error = #expect(throws: HTTPServingError.self) { try SocketAddress(parsing: text) }
        #expect(error?.code == HTTPServingError.addressInvalid)
    }
}

@Suite("Refusals")
struct HTTPRefusalTests {
    @Test("Every refusal is a problem document with its own code", arguments: HTTPRefusal.all)
    func documents(refusal: HTTPRefusal) {
        let response = refusal.response
        #expect(response.status == refusal.status)
        #expect(response.fields[.contentType] == "application/problem+json")
        guard case .bytes(let body) = response.body else { return }
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("\"code\":\"\(refusal.code)\""))
        #expect(!"\(refusal.sentence)".contains { $0 == "\"" || $0 == "\\" })
    }

    @Test("Codes are unique")
    func unique() {
        #expect(Set(HTTPRefusal.all.map(\.code)).count == HTTPRefusal.all.count)
    }
}
