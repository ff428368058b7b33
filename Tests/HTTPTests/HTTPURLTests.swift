import HTTP
import Testing

@Suite("Addresses of HTTP")
struct HTTPURLTests {
    @Test("An address is read into its parts and written as it was")
    func parts() throws {
        let plain = try HTTPURL("http://ocsp.apple.com/ocsp03-wwdrg602")
        #expect(plain.scheme == .http)
        #expect(plain.host == "ocsp.apple.com")
        #expect(plain.port == nil)
        #expect(plain.target == "/ocsp03-wwdrg602")
        let full = try HTTPURL("HTTPS://Example.COM:8443?a=%20b/c")
        #expect(full.scheme == .https)
        #expect(full.authority == "example.com:8443")
        #expect(full.target == "/?a=%20b/c")
        let bracketed = try HTTPURL("http://[2001:DB8::1]:80/x")
        #expect(bracketed.host == "2001:db8::1")
        #expect(bracketed.text == "http://[2001:db8::1]:80/x")
        for text in ["http://a", "https://a_b-c.d:1/", "http://127.0.0.1:65535/?q"] {
            let url = try HTTPURL(text)
            #expect(try HTTPURL(url.text) == url)
        }
    }

    @Test(
        "Whatever else is refused",
        arguments: [
            "", "http", "http:", "http:/a", "http://", "http:///a", "http://:80/", "ftp://a/",
            "file:///etc/passwd", "gopher://a", "//a/b", "http://user@a/", "http://user:p@a/",
            "http://a:/", "http://a:0/", "http://a:65536/", "http://a:8x/", "http://a b/",
            "http://a/#f", "http://a\\b/", "http://a/\"", "http://é/", "http://a/é", "http://[::1/",
            "http://[1.2.3.4]/", "http://[::1]x/", "http://::1/", "http://a%41/", " http://a/",
            "http://a\n/", "http://a/\u{0}", "http://a?b@c#",
        ]
    )
    func refusals(text: String) {
        #expect { try HTTPURL(text) } throws: {
            ($0 as? HTTPCallError)?.code == HTTPCallError.addressInvalid
        }
    }

    @Test("Addresses are bounded")
    func bounds() throws {
        let most = "http://a/" + String(repeating: "b", count: HTTPURL.longest - 9)
        #expect(try HTTPURL(most).text == most)
        #expect(throws: HTTPCallError.self) { try HTTPURL(most + "b") }
        let host = String(repeating: "a", count: 256)
        #expect(throws: HTTPCallError.self) { try HTTPURL("http://\(host)/") }
    }
}
