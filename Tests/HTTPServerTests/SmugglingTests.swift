import CounterfoilBasics
import Foundation
import HTTP
import HTTPServer
import HTTPTestSupport
import Synchronization
import Testing

/// What a proxy in front and this server could read as two different requests.
@Suite("Requests that hide another")
struct SmugglingTests {
    /// A request that must never reach the handler.
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
    private static let end = "\r\n0\r\n\r\n"

    private static let shapes: [(String, Int, String)] = [
        ("differing lengths", 400, post + "Content-Length: 0\r\nContent-Length: 38\r\n\r\n"),
        ("equal lengths", 400, post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
        ("a list of lengths", 400, post + "Content-Length: 0, 38\r\n\r\n"),
        ("a signed length", 400, post + "Content-Length: +38\r\n\r\n"),
        ("a hexadecimal length", 400, post + "Content-Length: 0x26\r\n\r\n"),
        ("an empty length", 400, post + "Content-Length:\r\n\r\n"),
        (
            "length, chunked", 400,
            post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" + end
        ),
        (
            "chunked, length", 400,
            post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" + end
        ),
        (
            "chunked twice", 501,
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" + end
        ),
        ("another coding", 501, post + "Transfer-Encoding: gzip, chunked\r\n" + end),
        ("a made-up coding", 501, post + "Transfer-Encoding: xchunked\r\n" + end),
        (
            "a coding in HTTP/1.0", 400,
            "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" + end
        ),
        ("a blank before the colon", 400, post + "Transfer-Encoding : chunked\r\n" + end),
        ("a tab before the colon", 400, post + "Content-Length\t: 5\r\n\r\n"),
        ("a bare LF after a field", 400, get + "X: y\nZ: z\r\n\r\n"),
        ("a bare LF in the request line", 400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        ("a bare LF at the end", 400, get + "\n"),
        ("bare LF throughout", 400, "GET / HTTP/1.1\nHost: a\n\n"),
        ("a bare CR in a value", 400, get + "X: y\rTransfer-Encoding: chunked\r\n\r\n"),
        ("a folded value", 400, get + "X: y\r\n z\r\n\r\n"),
        ("a fold that becomes a name", 400, post + "C: 38\r\n ontent-Length\r\n\r\n"),
        ("a fold by tab", 400, get + "X: y\r\n\tz\r\n\r\n"),
        ("a fold of the first field", 400, "GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"),
        ("a NUL in a value", 400, get + "X: y\0z\r\n\r\n"),
        ("a NUL in a name", 400, get + "X\0Y: z\r\n\r\n"),
        ("a NUL in the target", 400, "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a NUL in the method", 400, "GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a control in a value", 400, get + "X: y\u{1}\r\n\r\n"),
        ("no colon", 400, get + "nonsense\r\n\r\n"),
        ("an empty name", 400, get + ": x\r\n\r\n"),
        ("a blank in a name", 400, get + "X Y: z\r\n\r\n"),
        ("no Host", 400, "GET / HTTP/1.1\r\nX: y\r\n\r\n"),
        ("two Hosts", 400, get + "Host: b\r\n\r\n"),
        ("a Host with a path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        ("two blanks before the target", 400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("two blanks before the version", 400, "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a blank in the target", 400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a strange method", 400, "G(ET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("no version", 400, "GET /\r\nHost: a\r\n\r\n"),
        ("a strange version", 400, "GET / HTTX/1.1\r\nHost: a\r\n\r\n"),
        ("HTTP/2 in plain text", 505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
    ]

    @Test("Are refused, and the connection is closed", arguments: shapes)
    func refused(name: String, status: Int, request: String) async throws {
        let paths = Mutex<[String]>([])
        try await withServer(handler: { request in
            paths.withLock { $0.append(request.path) }
            return HTTPResponse(.ok)
        }) { address, _ in
            let answer = try await converse(address, request + Self.hidden)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(answer.prefix(300))")
            #expect(!answer.contains("200 OK"), "\(name)")
            #expect(paths.withLock { $0 } == [], "\(name)")
        }
    }

    @Test(
        "A length that is none is answered once, and nothing follows",
        arguments: [
            "x", "-1", "+38", "0x26", "38x", "3 8", "38,38", "", "18446744073709551616",
            "99999999999999999999999999",
        ]
    )
    func malformedLength(text: String) async throws {
        let events = Events()
        try await withServer(events: events, handler: echo) { address, _ in
            let request = Self.post + "Content-Length: \(text)\r\n\r\n" + Self.hidden
            let answer = try await converse(address, request)
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
            let end = try #require(answer.firstRange(of: "\r\n\r\n"))
            let length = try #require(answer.firstMatch(of: /Content-Length: (\d+)\r\n/))
            #expect(answer[end.upperBound...].utf8.count == Int(length.1), "\(answer)")
            #expect(answer.contains("Connection: close\r\n"))
            #expect(await eventually { events.refusals.count == 1 })
        }
        #expect(events.refusals.count == 1)
    }

    @Test("What is merely unusual is taken")
    func unusual() async throws {
        let end = "Connection: close\r\n\r\n"
        let requests = [
            "\r\n" + Self.get + end,
            "GET / HTTP/1.1\r\nhost:a\r\nCONNECTION:\t close \t\r\n\r\n",
            Self.get + "X-Empty:\r\nX-Text: \u{E9}\r\n" + end,
            Self.post + "Content-Length: 000\r\n" + end,
            Self.get + "Cookie: a=b; c=\"d\"\r\n" + end,
            "GET /?a=b&c HTTP/1.1\r\nHost: a\r\n" + end,
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n" + end,
        ]
        try await withServer(handler: { _ in HTTPResponse(.ok) }) { address, _ in
            for request in requests {
                let answer = try await converse(address, request)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(request)")
            }
        }
    }

    @Test(
        "Malformed chunks end the connection",
        arguments: ["x\r\n", "5\r\nhelloX0\r\n\r\n", "-1\r\n", "\r\n", "fffffffffffffffff\r\n"]
    )
    func badChunks(chunks: String) async throws {
        try await withServer(handler: echo) { address, _ in
            let head = Self.post + "Transfer-Encoding: chunked\r\n\r\n"
            let answer = try await converse(address, head + chunks)
            let isRefused = answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 413 ")
            #expect(isRefused, "\(answer)")
        }
    }

    @Test("Random bytes, and requests with random changes, never stop the server")
    func fuzz() async throws {
        try await withServer(
            {
                $0.headDeadline = .milliseconds(200)
                $0.bodyDeadline = .milliseconds(200)
                $0.bodyBytes = 1 << 16
            },
            handler: echo
        ) { address, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 0..<8 {
                    group.addTask { try await blocking { try Self.fuzz(address, UInt64(seed)) } }
                }
                try await group.waitForAll()
            }
            let after = try await SocketClient(address).exchange(HTTPRequest(.get, "/alive"))
            #expect(after.text == "GET /alive - 0\n")
        }
    }

    private static func fuzz(_ address: SocketAddress, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<60 {
            var bytes: [UInt8]
            if Bool.random(using: &random) {
                let count = Int.random(in: 1..<400, using: &random)
                bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            } else {
                let shape = shapes[Int.random(in: 0..<shapes.count, using: &random)].2
                bytes = Array((shape + hidden).utf8)
                for _ in 0..<Int.random(in: 1..<6, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let socket = try RawSocket(address)
            // The server may close before it has read everything.
            try? socket.send(bytes)
            if Bool.random(using: &random) { socket.finishSending() }
            if Bool.random(using: &random) { socket.abortOnClose() } else { _ = try? socket.read() }
        }
    }
}
