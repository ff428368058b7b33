import HTTP
import Testing

@Suite("The framing of a body")
struct FramingTests {
    private static func judge(
        _ pairs: [(String, String)],
        isHTTP10: Bool = false
    ) -> Result<RequestFraming, HTTPRefusal> {
        var limits = HTTPLimits.default
        limits.bodyBytes = 1000
        var fields = HTTPFields()
        for (name, value) in pairs { fields.append(HTTPFieldName(name)!, value) }
        return Result { () throws(HTTPRefusal) in
            try RequestFraming(fields, isHTTP10: isHTTP10, limits: limits)
        }
    }

    @Test("One length, one chunked coding, or none, is taken")
    func taken() {
        let host = ("Host", "a.example:80")
        #expect(Self.judge([host]) == .success(.none))
        #expect(Self.judge([host, ("content-length", "0")]) == .success(.none))
        #expect(Self.judge([host, ("Content-Length", "1000")]) == .success(.length(1000)))
        #expect(Self.judge([host, ("Content-Length", "007")]) == .success(.length(7)))
        #expect(Self.judge([host, ("Transfer-Encoding", "Chunked")]) == .success(.chunked))
        #expect(Self.judge([host, ("Expect", "100-Continue")]) == .success(.none))
        #expect(Self.judge([], isHTTP10: true) == .success(.none))
        #expect(Self.judge([("Host", "[::1]:8080")]) == .success(.none))
        #expect(Self.judge([("Host", "")]) == .success(.none))
    }

    @Test("Whatever two readers could understand differently is refused")
    func refused() {
        let host = ("Host", "a")
        let cases: [([(String, String)], HTTPRefusal)] = [
            ([], .hostInvalid),
            ([host, host], .hostInvalid),
            ([("Host", "a, b")], .hostInvalid),
            ([("Host", "a/b")], .hostInvalid),
            ([("Host", "user@a")], .hostInvalid),
            ([host, ("Content-Length", "5"), ("Content-Length", "6")], .lengthAmbiguous),
            ([host, ("Content-Length", "5"), ("Content-Length", "5")], .lengthAmbiguous),
            ([host, ("Content-Length", "5, 5")], .lengthAmbiguous),
            ([host, ("Content-Length", "+5")], .lengthInvalid),
            ([host, ("Content-Length", "-1")], .lengthInvalid),
            ([host, ("Content-Length", "0x10")], .lengthInvalid),
            ([host, ("Content-Length", "")], .lengthInvalid),
            ([host, ("Content-Length", "1001")], .bodyTooLarge),
            ([host, ("Content-Length", String(repeating: "9", count: 40))], .bodyTooLarge),
            ([host, ("Content-Length", "5"), ("Transfer-Encoding", "chunked")], .lengthAmbiguous),
            ([host, ("Transfer-Encoding", "gzip, chunked")], .transferCodingUnsupported),
            ([host, ("Transfer-Encoding", "identity")], .transferCodingUnsupported),
            ([host, ("Transfer-Encoding", "xchunked")], .transferCodingUnsupported),
            ([host, ("Transfer-Encoding", "")], .transferCodingUnsupported),
            (
                [host, ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
                .transferCodingUnsupported
            ),
            ([host, ("Expect", "200-maybe")], .expectationFailed),
        ]
        for (pairs, refusal) in cases {
            #expect(Self.judge(pairs) == .failure(refusal), "\(pairs)")
        }
        let old = Self.judge([("Transfer-Encoding", "chunked")], isHTTP10: true)
        #expect(old == .failure(.lengthAmbiguous))
    }
}

@Suite("A handler in memory")
struct InMemoryServerTests {
    @Test("Bodies over the limit never reach the handler")
    func limit() async throws {
        var limits = HTTPLimits.default
        limits.bodyBytes = 10
        let server = InMemoryServer(limits: limits) { HTTPResponse(.ok, body: $0.body) }
        let at = try await server.exchange(
            HTTPRequest(.post, "/", body: [UInt8](repeating: 1, count: 10))
        )
        #expect(at.status == .ok)
        let past = try await server.exchange(
            HTTPRequest(.post, "/", body: [UInt8](repeating: 1, count: 11))
        )
        #expect(past.status == .contentTooLarge)
    }

    @Test("A streamed body is collected, and must be as long as it said")
    func streams() async throws {
        let server = InMemoryServer { request in
            let length = request.queryParameters["length"].flatMap { Int($0) }
            return HTTPResponse(
                .ok,
                stream: HTTPBodyStream(length: length) { writer in
                    for chunk in ["ab", "", "cde"] { try await writer.write(Array(chunk.utf8)) }
                }
            )
        }
        #expect(try await server.exchange(HTTPRequest(.get, "/")).text == "abcde")
        #expect(try await server.exchange(HTTPRequest(.get, "/?length=5")).text == "abcde")
        #expect(try await server.exchange(HTTPRequest(.head, "/")).text == "")
        await #expect(throws: InMemoryServer.StreamLengthMismatch.self) {
            try await server.exchange(HTTPRequest(.get, "/?length=6"))
        }
    }
}
