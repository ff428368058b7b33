import CounterfoilBasics
import HTTP
import Testing

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private static func client(
        peer: String,
        _ field: TrustedProxies.Field,
        _ values: [String]
    ) throws -> String? {
        let proxies = try TrustedProxies(parsing: ["10.0.0.0/8", "2001:db8::/32"], field: field)
        var request = HTTPRequest(.get, "/")
        request.remoteAddress = IPAddress(peer).map { SocketAddress($0, port: 1) }
        for value in values { request.fields.append(HTTPFieldName(field.rawValue)!, value) }
        return proxies.client(of: request.sender)?.description
    }

    @Test(
        "The client is the first address from the right that no trusted proxy has",
        arguments: [
            ("192.0.2.9", ["198.51.100.1"], "192.0.2.9"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1, 10.2.3.4"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1", "10.2.3.4"], "198.51.100.1"),
            ("10.0.0.1", ["10.9.9.9"], "10.9.9.9"),
            ("10.0.0.1", ["1.1.1.1, unknown, 10.2.3.4"], "10.2.3.4"),
            ("10.0.0.1", ["nonsense"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
            ("2001:db8::1", ["[2001:7f8::5]:80"], "2001:7f8::5"),
            ("2001:db8::1", ["2001:7f8::5"], "2001:7f8::5"),
        ]
    )
    func xForwardedFor(peer: String, values: [String], expected: String) throws {
        #expect(try Self.client(peer: peer, .xForwardedFor, values) == expected)
    }

    @Test(
        "Forwarded is read as RFC 7239 writes it",
        arguments: [
            (["for=198.51.100.1;proto=https;by=10.0.0.1"], "198.51.100.1"),
            (["proto=https; For=\"[2001:7f8::17]:4711\""], "2001:7f8::17"),
            (["for=1.1.1.1, for=198.51.100.1, for=10.0.0.7"], "198.51.100.1"),
            (["for=_hidden"], "10.0.0.1"),
            (["proto=https"], "10.0.0.1"),
        ]
    )
    func forwarded(values: [String], expected: String) throws {
        #expect(try Self.client(peer: "10.0.0.1", .forwarded, values) == expected)
    }

    @Test("Only the one field counts")
    func oneField() throws {
        let proxies = try TrustedProxies(parsing: ["10.0.0.1"])
        var request = HTTPRequest(.get, "/", fields: [.forwarded: "for=1.1.1.1"])
        request.remoteAddress = SocketAddress(IPAddress("10.0.0.1")!, port: 1)
        #expect(proxies.client(of: request.sender)?.description == "10.0.0.1")
    }

    @Test(
        "A range holds what its prefix says",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"), ("0.0.0.0/0", "255.1.2.3", "::1"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.6"), ("192.0.2.6/31", "192.0.2.7", "192.0.2.8"),
            ("2001:db8::/32", "2001:db8:ffff::", "2001:db9::"), ("::/0", "::1", "-"),
            ("fe80::/64", "fe80::1:2:3:4", "fe80:0:0:1::"), ("::1/128", "::1", "::2"),
        ]
    )
    func ranges(range: String, inside: String, outside: String) throws {
        let network = try #require(IPNetwork(range))
        #expect(network.contains(try #require(IPAddress(inside))))
        if let outside = IPAddress(outside) { #expect(!network.contains(outside)) }
    }

    @Test(
        "Text that is no range is refused with its code",
        arguments: [
            "", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "::1/129", "10.0.0.0/+8", "a/8", "::1/64",
        ]
    )
    func invalid(text: String) {
        let error = #expect(throws: HTTPServingError.self) { try TrustedProxies(parsing: [text]) }
        #expect(error?.code == HTTPServingError.networkInvalid)
    }
}
