import CounterfoilTestSupport
import Foundation
import Testing

/// Who a client is, as the log of a real server says it of real connections.
@Suite("Addresses of clients")
struct ClientAddressTests {
    /// 127.0.0.1 is a proxy, and so is 192.0.2.0/24 behind it; 127.0.0.2 is anybody.
    private func serve(_ field: String, at listen: String = "127.0.0.1:0") throws -> RunningTool {
        let folder = try Folder()
        let text = """
            { "trustedProxies": ["127.0.0.1", "192.0.2.0/24", "::1"],
              "clientAddressField": "\(field)", "maxBodyBytes": 1024 }
            """
        let file = try folder.write("counterfoil.json", Array(text.utf8))
        return try RunningTool(["serve", "--config", file, "--listen", listen])
    }

    /// The address that the line of the last request has.
    private func address(
        _ server: RunningTool,
        from source: String = "127.0.0.1",
        _ fields: [String],
        _ event: String = "request",
        _ request: String = "/healthz"
    ) throws -> String? {
        let options = fields.map { "-H '\($0)'" }.joined(separator: " ")
        let before = try lines(server, event).count
        _ = try Shell.run(
            "curl -s -o /dev/null --interface \(source) \(options) '\(server.url)'\(request)"
        )
        for _ in 0..<500 {
            let lines = try lines(server, event)
            if lines.count > before { return lines.last?["remoteAddress"] as? String }
            usleep(10_000)
        }
        Issue.record("no line of \(fields)")
        return nil
    }

    private func lines(_ server: RunningTool, _ event: String) throws -> [JSONText] {
        // The last piece may be half a line.
        try server.error.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { try JSONText(String($0)) }.filter { $0["event"] as? String == event }
    }

    @Test("X-Forwarded-For counts as far as trusted proxies wrote it, in one field or several")
    func xForwardedFor() throws {
        let server = try serve("X-Forwarded-For")
        let name = "X-Forwarded-For:"
        for (fields, expected) in [
            ([], "127.0.0.1"),
            (["\(name) 198.51.100.1"], "198.51.100.1"),
            (["\(name) 203.0.113.9, 198.51.100.1"], "198.51.100.1"),
            (["\(name) 203.0.113.9, 198.51.100.1, 192.0.2.7"], "198.51.100.1"),
            (["\(name) 203.0.113.9", "x-forwarded-for: 198.51.100.1"], "198.51.100.1"),
            (["\(name) 203.0.113.9", "\(name) 198.51.100.1, 192.0.2.1"], "198.51.100.1"),
            (["\(name) [2001:db8::7]:443"], "2001:db8::7"),
            (["\(name) 198.51.100.1:4711"], "198.51.100.1"),
            (["\(name) ::ffff:198.51.100.1"], "198.51.100.1"),
            // What is no address is nobody's word.
            (["\(name) "], "127.0.0.1"), (["\(name) ,,"], "127.0.0.1"),
            (["\(name) 203.0.113.9, evil"], "127.0.0.1"),
            (["\(name) 198.51.100.1.5"], "127.0.0.1"), (["\(name) 0x7f000001"], "127.0.0.1"),
            (["\(name) 198.51.100.010"], "127.0.0.1"),
            (["\(name) 203.0.113.9, evil, 192.0.2.7"], "192.0.2.7"),
            (["\(name) " + String(repeating: "1.1.1.1,", count: 500)], "1.1.1.1"),
            // The other field passes through a proxy as the client sent it.
            (["Forwarded: for=203.0.113.9"], "127.0.0.1"),
            (["Forwarded: for=203.0.113.9", "\(name) 198.51.100.1"], "198.51.100.1"),
        ] as [([String], String)] {
            #expect(try address(server, fields) == expected, "\(fields.map { $0.prefix(80) })")
        }
        for field in ["\(name) 198.51.100.1", "Forwarded: for=1.2.3.4", "\(name) 127.0.0.1"] {
            #expect(try address(server, from: "127.0.0.2", [field]) == "127.0.0.2", "\(field)")
        }
    }

    @Test("Forwarded counts in the same way where it is the field")
    func forwarded() throws {
        let server = try serve("Forwarded")
        for (fields, expected) in [
            (["Forwarded: for=198.51.100.1;proto=https"], "198.51.100.1"),
            (["Forwarded: for=203.0.113.9, for=198.51.100.1"], "198.51.100.1"),
            (["Forwarded: for=203.0.113.9", "Forwarded: for=198.51.100.1"], "198.51.100.1"),
            ([#"Forwarded: For="[2001:db8::7]:47""#], "2001:db8::7"),
            (["Forwarded: for=unknown"], "127.0.0.1"), (["Forwarded: for=_x"], "127.0.0.1"),
            (["Forwarded: for="], "127.0.0.1"), (["Forwarded: nonsense"], "127.0.0.1"),
            ([#"Forwarded: for="198.51.100.1"#], "127.0.0.1"),
            // One client cannot write two hops into a quoted text.
            ([#"Forwarded: for="203.0.113.9, for=198.51.100.1""#], "127.0.0.1"),
            (["X-Forwarded-For: 203.0.113.9"], "127.0.0.1"),
        ] as [([String], String)] {
            #expect(try address(server, fields) == expected, "\(fields)")
        }
        let spoofed = try address(server, from: "127.0.0.2", ["Forwarded: for=198.51.100.1"])
        #expect(spoofed == "127.0.0.2")
    }

    @Test("The line of a refusal says it, too")
    func refused() throws {
        let server = try serve("X-Forwarded-For")
        let tooLarge = "/verifyReceipt --data-binary @/usr/bin/env"
        let field = ["X-Forwarded-For: 198.51.100.1"]
        #expect(try address(server, field, "request.refused", tooLarge) == "198.51.100.1")
        let spoofed = try address(server, from: "127.0.0.2", field, "request.refused", tooLarge)
        #expect(spoofed == "127.0.0.2")
        // Nothing of such a head is believed: the peer is all that is known.
        let host = field + ["Host: a/b"]
        #expect(try address(server, host, "request.refused") == "198.51.100.1")
        let length = field + ["Content-Length: x", "Content-Length: y"]
        #expect(try address(server, length, "request.refused") == "127.0.0.1")
    }

    @Test(
        "A server at an IPv6 address answers there, and names its clients so",
        .enabled(if: IPv6.isThere)
    )
    func ipv6() throws {
        let server = try serve("X-Forwarded-For", at: "[::1]:0")
        #expect(server.url.hasPrefix("http://[::1]:"))
        #expect(try address(server, from: "::1", []) == "::1")
        let field = "X-Forwarded-For: 2001:db8::5"
        #expect(try address(server, from: "::1", [field]) == "2001:db8::5")
    }

    @Test("At [::] it takes clients of IPv6 alone", .enabled(if: IPv6.isThere))
    func everyAddress() throws {
        let server = try RunningTool(["serve", "--listen", "[::]:0"])
        let port = try #require(server.url.split(separator: ":").last)
        let six = try Shell.run("curl -s 'http://[::1]:\(port)/healthz'")
        #expect(six.output == "ok\n")
        let four = try Shell.run("curl -s 'http://127.0.0.1:\(port)/healthz'")
        #expect(four.exitCode == 7)
    }
}

/// Whether this machine has the IPv6 address of itself.
enum IPv6 {
    static let isThere: Bool = {
        let text = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        return text?.hasPrefix("00000000000000000000000000000001") == true
            || text?.contains("\n00000000000000000000000000000001") == true
    }()
}
