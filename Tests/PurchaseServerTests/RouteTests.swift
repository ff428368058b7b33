import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import Foundation
import HTTP
import HTTPTestSupport
import PurchaseService
import Telemetry
import Testing

@testable import PurchaseServer

@Suite("Routes of the purchase server")
struct RouteTests {
    @Test(
        "A receipt is answered with Apple's body, and with ours in header fields",
        arguments: Way.allCases
    )
    func receipt(way: Way) async throws {
        try await way.with(Rehearsal.server()) { client in
            let answer = try await client.exchange(
                HTTPRequest(.post, "/verifyReceipt", body: body(Rehearsal.receipt))
            )
            #expect(answer.status == .ok)
            #expect(try answer.json["status"] == 0)
            #expect(
                try answer.json.object?.keys == [
                    "environment", "receipt", "latest_receipt_info", "latest_receipt",
                    "pending_renewal_info", "status",
                ]
            )
            #expect(answer.field("Content-Type") == "application/json")
            #expect(answer.field("Cache-Control") == "no-store")
            #expect(answer.field("Counterfoil-Code") == nil)
            #expect(
                answer.field("Counterfoil-Inferred") == "auto_renew_status, auto_renew_product_id"
            )
            #expect(answer.field("Counterfoil-Request-Id")?.count == 32)
            #expect(answer.field("Retry-After") == nil)
        }
    }

    @Test("The two addresses of Apple's endpoint are two paths", arguments: Way.allCases)
    func addresses(way: Way) async throws {
        let sandbox = try Rehearsal.sign(.productionSandbox)
        try await way.with(Rehearsal.server()) { client in
            for (path, receipt, status) in [
                ("/verifyReceipt", sandbox, 21007), ("/sandbox/verifyReceipt", sandbox, 0),
                ("/sandbox/verifyReceipt", Rehearsal.receipt, 21008),
                ("/verifyReceipt?x=1", Rehearsal.receipt, 0),
            ] {
                let answer = try await client.exchange(
                    HTTPRequest(.post, path, body: body(receipt))
                )
                #expect(answer.status == .ok)
                #expect(try answer.json["status"] == JSONValue(status))
                if status != 0 {
                    #expect(answer.text == "{\"status\":\(status)}")
                    #expect(answer.field("Counterfoil-Code")?.hasPrefix("environment.") == true)
                }
            }
        }
    }

    @Test("Any other method is 21000 with HTTP 200", arguments: Way.allCases)
    func methods(way: Way) async throws {
        try await way.with(Rehearsal.server()) { client in
            for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "REPORT"] {
                let answer = try await client.exchange(
                    HTTPRequest(
                        HTTPMethod(rawValue: method),
                        "/verifyReceipt",
                        body: method == "PUT" ? body(Rehearsal.receipt) : []
                    )
                )
                #expect(answer.status == .ok)
                #expect(answer.text == "{\"status\":21000}")
                #expect(answer.field("Counterfoil-Code") == "request.not_post")
            }
            let head = try await client.exchange(HTTPRequest(.head, "/sandbox/verifyReceipt"))
            #expect(head.status == .ok)
            #expect(head.body.isEmpty)
        }
    }

    @Test("Any content type is taken, and none", arguments: Way.allCases)
    func contentTypes(way: Way) async throws {
        try await way.with(Rehearsal.server()) { client in
            for type in [
                nil, "application/json", "application/json; charset=utf-8", "text/plain",
                "application/x-www-form-urlencoded", "application/octet-stream", "nonsense",
            ] {
                var request = HTTPRequest(.post, "/verifyReceipt", body: body(Rehearsal.receipt))
                request.fields[.contentType] = type
                let answer = try await client.exchange(request)
                #expect(try answer.json["status"] == 0)
            }
        }
    }

    @Test("A body of a megabyte is read, one past the limit is 413", arguments: Way.allCases)
    func limit(way: Way) async throws {
        let server = try Rehearsal.server("\"maxBodyBytes\": 1048576,")
        #expect(server.limits.bodyBytes == 1_048_576)
        try await way.with(server) { client in
            let padding = 1_048_576 - body(Rehearsal.receipt).count
            for (extra, status) in [(0, 200), (1, 413)] {
                let request = HTTPRequest(
                    .post,
                    "/verifyReceipt",
                    body: body(Rehearsal.receipt)
                        + [UInt8](repeating: UInt8(ascii: " "), count: padding + extra)
                )
                let answer = try await client.exchange(request)
                #expect(answer.status.code == status)
                if status == 200 { #expect(try answer.json["status"] == 0) }
            }
        }
    }

    @Test("Large bodies take turns, and each gets its answer")
    func largeBodies() async throws {
        let server = try Rehearsal.server()
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 2 << 20)
        let bytes = body(Rehearsal.receipt) + blanks
        try await server.runLive { address in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let answer = try await PatientClient(address).exchange(
                            HTTPRequest(.post, "/verifyReceipt", body: bytes)
                        )
                        #expect(try answer.json["status"] == 0)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Undecided is 21009 and says when to come again", arguments: Way.allCases)
    func undecided(way: Way) async throws {
        let text = """
            { "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal", "anchors": ["a"] } ] }
            """
        let server = try Server(
            Configuration(parsing: Array(text.utf8)),
            reading: { _ in Array(Rehearsal.authority.anchorsPEM.utf8) },
            clock: VirtualClock(at: Rehearsal.now.advanced(by: .seconds(-3600))),
            log: MemorySink()
        )
        try await way.with(server) { client in
            let answer = try await client.exchange(
                HTTPRequest(.post, "/verifyReceipt", body: body(Rehearsal.receipt))
            )
            #expect(answer.status == .ok)
            #expect(answer.text == "{\"status\":21009}")
            #expect(answer.field("Counterfoil-Code") == "time.in_future")
            #expect(answer.field("Retry-After") == "60")
        }
    }

    @Test("There is a health check, and nothing elsewhere", arguments: Way.allCases)
    func others(way: Way) async throws {
        try await way.with(Rehearsal.server()) { client in
            let health = try await client.exchange(HTTPRequest(.get, "/healthz"))
            #expect(health.status == .ok)
            #expect(health.text == "ok\n")
            for path in ["/", "/verifyreceipt", "/verifyReceipt/", "/sandbox", "//verifyReceipt"] {
                let answer = try await client.exchange(HTTPRequest(.post, path, body: [1, 2, 3]))
                #expect(answer.status == .notFound)
            }
            let post = try await client.exchange(HTTPRequest(.post, "/healthz"))
            #expect(post.status == .methodNotAllowed)
        }
    }
}

@Suite("What the purchase server counts and writes down")
struct ObservationTests {
    private static func value(of sample: String, in exposition: String) -> String? {
        exposition.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .map { String($0.dropFirst(sample.count + 1)) }
    }

    @Test(
        "Requests, statuses and codes are counted, and the present one is in flight",
        arguments: Way.allCases
    )
    func metrics(way: Way) async throws {
        try await way.with(Rehearsal.server()) { client in
            for bytes in [body(Rehearsal.receipt), body(Rehearsal.receipt), Array("{}".utf8)] {
                _ = try await client.exchange(HTTPRequest(.post, "/verifyReceipt", body: bytes))
            }
            _ = try await client.exchange(HTTPRequest(.get, "/elsewhere"))
            let answer = try await client.exchange(HTTPRequest(.get, "/metrics"))
            #expect(answer.field("Content-Type")?.hasPrefix("text/plain; version=0.0.4") == true)
            for (sample, value) in [
                (#"counterfoil_http_requests_total{route="/verifyReceipt",status="2xx"}"#, "3"),
                (#"counterfoil_http_requests_total{route="none",status="4xx"}"#, "1"),
                (#"counterfoil_verify_receipt_answers_total{status="0",code="none"}"#, "2"),
                (
                    #"counterfoil_verify_receipt_answers_total{status="21002","#
                        + #"code="request.receipt_data_missing"}"#, "1"
                ),
                (
                    #"counterfoil_http_request_duration_seconds_count{route="/verifyReceipt"}"#,
                    "3"
                ),
                ("counterfoil_http_requests_in_flight", "1"),
            ] {
                #expect(Self.value(of: sample, in: answer.text) == value, "\(sample)")
            }
        }
    }

    @Test("Each request has one line that says what was answered")
    func line() async throws {
        let sink = MemorySink()
        let server = InMemoryServer(handler: try Rehearsal.server(log: sink).handler)
        let request = HTTPRequest(
            .post,
            "/verifyReceipt?secret=query",
            fields: [.authorization: "Bearer token"],
            body: body(Rehearsal.receipt, ",\"password\":\"0123456789abcdef0123456789abcdef\""),
            from: SocketAddress(try #require(IPAddress("192.0.2.7")), port: 4711)
        )
        let answer = try await server.exchange(request)
        let line = try #require(try sink.lines(of: "request").first)
        #expect(try sink.lines(of: "request").count == 1)
        #expect(line["time"] == "2026-01-15T12:00:00.000Z")
        #expect(line["level"] == "info")
        #expect(line["route"] == "/verifyReceipt")
        #expect(line["method"] == "POST")
        #expect(line["httpStatus"] == 200)
        #expect(line["status"] == 0)
        #expect(line["code"] == .null)
        #expect(line["environment"] == "Production")
        #expect(line["realm"] == "rehearsal")
        #expect(line["bundleId"] == "com.example.app")
        #expect(line["appMatched"] == true)
        #expect(line["purchases"] == 1)
        #expect(line["bytesIn"] == JSONValue(request.body.count))
        #expect(line["bytesOut"] == JSONValue(answer.body.count))
        #expect(line["durationMicroseconds"]?.number?.int64 != nil)
        #expect(line["remoteAddress"] == "192.0.2.7")
        #expect(line["requestId"]?.string == answer.field("Counterfoil-Request-Id"))
        let text = try #require(sink.lines.last)
        for secret in ["0123456789abcdef0123456789abcdef", "token", "secret", "MII"] {
            #expect(!text.contains(secret))
        }
    }

    @Test("The address in a line is the client's, where a trusted proxy names it")
    func clientAddress() async throws {
        let sink = MemorySink()
        let server = InMemoryServer(
            handler: try Rehearsal.server(log: sink, "\"trustedProxies\": [\"192.0.2.0/24\"],")
                .handler
        )
        for peer in ["192.0.2.7", "198.51.100.1"] {
            let request = HTTPRequest(
                .post,
                "/verifyReceipt",
                fields: [.xForwardedFor: "203.0.113.9"],
                from: SocketAddress(try #require(IPAddress(peer)), port: 4711)
            )
            _ = try await server.exchange(request)
        }
        let addresses = try sink.lines(of: "request").map { $0["remoteAddress"]?.string }
        #expect(addresses == ["203.0.113.9", "198.51.100.1"])
    }

    @Test("A refusal's line has its code and its reason; a pure verifier matched no app")
    func refusal() async throws {
        let sink = MemorySink()
        let handler = try Server(clock: VirtualClock(at: Rehearsal.now), log: sink).handler
        let server = InMemoryServer(handler: handler)
        _ = try await server.exchange(
            HTTPRequest(.post, "/verifyReceipt", body: body(Rehearsal.receipt))
        )
        let line = try #require(try sink.lines(of: "request").first)
        #expect(line["status"] == 21003)
        #expect(line["code"] == "chain.untrusted_root")
        #expect(line["reason"]?.string?.isEmpty == false)
        #expect(line["appMatched"] == .null)
        #expect(line["bundleId"] == .null)
    }

    @Test("Nothing that a client sends forges a line")
    func forging() async throws {
        let sink = MemorySink()
        let server = InMemoryServer(handler: try Rehearsal.server(log: sink).handler)
        let forged = "x\\n{\\\"event\\\":\\\"request\\\"}"
        _ = try await server.exchange(
            HTTPRequest(
                .post,
                "/verifyReceipt",
                body: Array("{\"\(forged)\":1,\"\(forged)\":2}".utf8)
            )
        )
        _ = try await server.exchange(HTTPRequest(.get, "/a%0A{\"event\":\"request\"}\u{202E}"))
        #expect(sink.lines.count == 2)
        let lines = try sink.lines(of: "request")
        #expect(lines.count == 2)
        #expect(lines[0]["code"] == "request.duplicate_key")
        #expect(lines[1]["route"] == .null)
        #expect(lines[1]["path"]?.string?.hasPrefix("/a%0A") == true)
    }

    @Test("What an engine refuses is counted and written down", arguments: [Way.live])
    func refused(way: Way) async throws {
        let sink = MemorySink()
        let server = try Rehearsal.server(log: sink, "\"maxBodyBytes\": 1024,")
        try await way.with(server) { client in
            let answer = try await client.exchange(
                HTTPRequest(.post, "/verifyReceipt", body: [UInt8](repeating: 32, count: 1025))
            )
            #expect(answer.status == .contentTooLarge)
            let metrics = try await client.exchange(HTTPRequest(.get, "/metrics")).text
            let sample = #"counterfoil_http_refusals_total{code="http.body_too_large"}"#
            #expect(Self.value(of: sample, in: metrics) == "1")
        }
        let line = try #require(try sink.lines(of: "request.refused").first)
        #expect(line["code"] == "http.body_too_large")
        #expect(line["httpStatus"] == 413)
        #expect(line["remoteAddress"] == "127.0.0.1")
    }
}
