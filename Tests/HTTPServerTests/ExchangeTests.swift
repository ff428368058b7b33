import HTTP
import HTTPServer
import HTTPTestSupport
import Testing

/// The same bodies run in memory and over a socket.
@Suite("A handler, in memory and live")
struct ExchangeTests {
    enum Way: CaseIterable { case memory, live }

    private func run(
        _ way: Way,
        _ handler: @escaping HTTPHandler,
        _ test: (any HTTPExchanging) async throws -> Void
    ) async throws {
        switch way {
        case .memory: try await test(InMemoryServer(handler: handler))
        case .live:
            try await withServer(handler: handler) { address, _ in
                try await test(SocketClient(address))
            }
        }
    }

    @Test("Method, target, fields and body arrive as sent", arguments: Way.allCases)
    func arrives(way: Way) async throws {
        let mark = HTTPFieldName("X-Mark")!
        try await run(way) { request in
            let head = "\(request.method) \(request.path)|\(request.query ?? "-")|"
            let body = String(decoding: request.body, as: UTF8.self)
            return .text(.ok, head + (request.fields[mark] ?? "-") + "|" + body)
        } _: { client in
            let request = HTTPRequest(
                .post,
                "/a%2Fb?c=%20d",
                fields: [mark: " é "],
                body: Array("body".utf8)
            )
            let posted = try await client.exchange(request)
            #expect(posted.text == "POST /a%2Fb|c=%20d|é|body")
            let brewed = try await client.exchange(
                HTTPRequest(HTTPMethod(rawValue: "BREW-IT"), "/pot")
            )
            #expect(brewed.text == "BREW-IT /pot|-|-|")
        }
    }

    @Test("Status, fields and body come back as given", arguments: Way.allCases)
    func comesBack(way: Way) async throws {
        try await run(way) { request in
            HTTPResponse(
                HTTPStatus(code: 418)!,
                fields: [.contentType: "application/x-tea", .setCookie: "a=1", .setCookie: "b=2"],
                body: [UInt8](repeating: 0xAB, count: request.body.count * 3)
            )
        } _: { client in
            for count in [0, 1, 1000, 16 << 10, 300_000] {
                let request = HTTPRequest(.put, "/", body: [UInt8](repeating: 7, count: count))
                let answer = try await client.exchange(request)
                #expect(answer.status.code == 418)
                #expect(answer.fields.values(of: .setCookie) == ["a=1", "b=2"])
                #expect(answer.fields[.contentType] == "application/x-tea")
                #expect(answer.body == [UInt8](repeating: 0xAB, count: count * 3))
            }
        }
    }

    @Test("A streamed body comes whole, of known length or not", arguments: Way.allCases)
    func streams(way: Way) async throws {
        try await run(way) { request in
            let count = request.queryParameters["chunks"].flatMap { Int($0) } ?? 0
            let length = request.queryParameters["length"].flatMap { Int($0) }
            let stream = HTTPBodyStream(length: length) { writer in
                for index in 0..<count {
                    try await writer.write([UInt8](repeating: UInt8(index % 251), count: index))
                }
            }
            return HTTPResponse(.ok, stream: stream)
        } _: { client in
            let expected = (0..<400).flatMap { [UInt8](repeating: UInt8($0 % 251), count: $0) }
            let chunked = try await client.exchange(HTTPRequest(.get, "/?chunks=400"))
            #expect(chunked.body == expected)
            let known = HTTPRequest(.get, "/?chunks=400&length=\(expected.count)")
            #expect(try await client.exchange(known).body == expected)
            #expect(try await client.exchange(HTTPRequest(.get, "/?chunks=0")).body == [])
            #expect(try await client.exchange(HTTPRequest(.head, "/?chunks=9")).body == [])
            #expect(try await client.exchange(HTTPRequest(.get, "/?chunks=3")).body == [1, 2, 2])
        }
    }

    @Test("HEAD, 204 and 304 have no body", arguments: Way.allCases)
    func bodiless(way: Way) async throws {
        try await run(way) { request in
            let status = request.queryParameters["status"].flatMap { Int($0) } ?? 200
            return HTTPResponse(HTTPStatus(code: status)!, body: status == 200 ? [1, 2, 3] : [])
        } _: { client in
            #expect(try await client.exchange(HTTPRequest(.head, "/")).body == [])
            for status in [204, 304] {
                let answer = try await client.exchange(HTTPRequest(.get, "/?status=\(status)"))
                #expect(answer.status.code == status)
                #expect(answer.body == [])
            }
        }
    }

    @Test("A router answers 404, 405 and a bare 500", arguments: Way.allCases)
    func routed(way: Way) async throws {
        struct Broken: Error {}
        var router = Router()
        router.on(.get, path: "/things/{id}") { request in
            .text(.ok, request.pathParameters["id"] ?? "")
        }
        router.on(.get, path: "/broken") { _ in throw Broken() }
        try await run(way, router.handler) { client in
            #expect(try await client.exchange(HTTPRequest(.get, "/things/a%20b")).text == "a b")
            #expect(try await client.exchange(HTTPRequest(.get, "/other")).status == .notFound)
            let refused = try await client.exchange(HTTPRequest(.delete, "/things/1"))
            #expect(refused.status == .methodNotAllowed)
            #expect(refused.fields[.allow] == "GET, HEAD, OPTIONS")
            let broken = try await client.exchange(HTTPRequest(.get, "/broken"))
            #expect(broken.status == .internalServerError)
            #expect(broken.text.contains("http.internal_error"))
            #expect(broken.text.contains("correlationId"))
            #expect(!broken.text.contains("Broken"))
        }
    }
}
