import CounterfoilBasics
import Foundation
import HTTP
import HTTPClient
import HTTPServer
import Synchronization
import Testing

/// A client with settings that a test changes.
func client(_ change: (inout HTTPClientSettings) -> Void = { _ in }) throws -> CurlClient {
    var settings = HTTPClientSettings()
    settings.deadline = .seconds(10)
    change(&settings)
    return try CurlClient(settings)
}

/// The code of a call that has no answer; nil where it has one.
func code(_ client: CurlClient, _ call: HTTPCall) async -> ErrorCode? {
    do {
        _ = try await client.call(call)
        return nil
    } catch {
        return error.code
    }
}

extension HTTPResponse {
    /// The content, which a client always has whole.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}

/// Runs a test against our own server.
func withServer(
    _ handler: @escaping HTTPHandler,
    test: (SocketAddress) async throws -> Void
) async throws {
    let server = try MicroHTTPDServer(at: .loopback(port: 0), handler: handler)
    let address = try await server.start()
    do {
        try await test(address)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

@Suite("HTTP client: calls")
struct CallTests {
    @Test("A request arrives as it was made, and its answer comes back whole")
    func exchange() async throws {
        try await withServer { request in
            HTTPResponse(
                HTTPStatus(code: 201)!,
                fields: [.contentType: "x/y", .setCookie: "a=1", .setCookie: "b=2", .eTag: ""],
                body: Array("\(request.method) \(request.path) \(request.query ?? "-") ".utf8)
                    + Array((request.fields[.accept] ?? "none").utf8) + [0x20] + request.body
            )
        } test: { address in
            let client = try client()
            let body = (0...255).map { UInt8($0) }
            let url = try HTTPURL("http://\(address)/a/../b?c=d")
            let answer = try await client.call(
                HTTPCall(.post, url, fields: [.accept: "application/x", .eTag: ""], body: body)
            )
            #expect(answer.status.code == 201)
            #expect(answer.fields[.contentType] == "x/y")
            #expect(answer.fields.values(of: .setCookie) == ["a=1", "b=2"])
            #expect(answer.bytes == Array("POST /a/../b c=d application/x ".utf8) + body)
        }
    }

    @Test(
        "Every method is sent as it is, with a body, an empty one, or none",
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"]
    )
    func methods(name: String) async throws {
        try await withServer { request in
            let length = request.fields[.contentLength] ?? "none"
            return .text(.ok, "\(request.method) \(length) \(request.body.count)")
        } test: { address in
            let client = try client()
            let url = try HTTPURL("http://\(address)/")
            let method = HTTPMethod(rawValue: name)
            for (body, words) in [([1, 2, 3], "3 3"), ([], "0 0")] as [([UInt8], String)] {
                let answer = try await client.call(HTTPCall(method, url, body: body))
                #expect(String(decoding: answer.bytes, as: UTF8.self) == "\(name) \(words)")
            }
            let answer = try await client.call(HTTPCall(method, url))
            #expect(String(decoding: answer.bytes, as: UTF8.self) == "\(name) none 0")
        }
    }

    @Test("HEAD has fields and no content")
    func head() async throws {
        try await withServer { _ in
            .text(.ok, "some content")
        } test: { address in
            let answer = try await client().call(HTTPCall(.head, HTTPURL("http://\(address)/")))
            #expect(answer.status == .ok)
            #expect(answer.fields[.contentLength] == "12")
            #expect(answer.bytes.isEmpty)
        }
    }

    @Test("A status is an answer, whatever it is, and no redirect is followed")
    func statuses() async throws {
        try await withServer { request in
            HTTPResponse(
                HTTPStatus(code: Int(request.path.dropFirst()) ?? 500)!,
                fields: [.location: "/200"]
            )
        } test: { address in
            let client = try client()
            for status in [200, 204, 301, 302, 303, 307, 308, 304, 401, 404, 407, 500, 503] {
                let url = try HTTPURL("http://\(address)/\(status)")
                #expect(try await client.call(HTTPCall(.get, url)).status.code == status)
            }
        }
    }

    @Test("What a server answers in unusual forms is read")
    func forms() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        let open = "HTTP/1.0 200 OK\r\nX-Empty:\r\n\r\nok"
        for form in [chunked, open] {
            try await withScript(.send(interim + form)) { server in
                let answer = try await client().call(HTTPCall(.get, server.url()))
                #expect(answer.bytes == Array("ok".utf8))
                #expect(answer.fields[.link] == nil)
            }
        }
    }

    @Test("Content that says it is compressed comes as it was sent")
    func compressed() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n"
        try await withScript(.send(head + "abc")) { server in
            let answer = try await client().call(HTTPCall(.get, server.url()))
            #expect(answer.bytes == Array("abc".utf8))
            #expect(server.requests.first?.contains("Accept-Encoding") == false)
        }
    }

    @Test("Fields that would change the message are the client's own")
    func ownFields() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        try await withScript(.send(answer)) { server in
            var call = try HTTPCall(.post, server.url("/x"), body: [1])
            call.fields.append(.host, "elsewhere")
            call.fields.append(.contentLength, "9")
            call.fields.append(.transferEncoding, "chunked")
            call.fields.append(.authorization, "secret\r\nX-Second: field")
            _ = try await client().call(call)
            let head = try #require(server.requests.first)
            #expect(head.contains("Host: \(server.address)\r\n"))
            #expect(head.contains("Content-Length: 1\r\n"))
            #expect(!head.contains("chunked"))
            #expect(!head.contains("Expect"))
            #expect(!head.contains("\r\nX-Second"))
            #expect(head.contains("User-Agent: counterfoil\r\n"))
        }
    }

    @Test("Many calls at once are answered each, and never more at once than may be")
    func parallel() async throws {
        let (active, most) = (Counter(), Counter())
        try await withServer { request in
            most.raise(to: active.add(1))
            try? await Task.sleep(for: .milliseconds(20))
            active.add(-1)
            return .text(.ok, request.path)
        } test: { address in
            let client = try client { $0.parallel = 4 }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let url = try HTTPURL("http://\(address)/\(number)")
                        return try await client.call(HTTPCall(.get, url)).bytes
                            == Array("/\(number)".utf8)
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
        #expect((2...4).contains(most.value))
    }
}

/// A number that several threads change.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .acquiring) }

    @discardableResult
    func add(_ amount: Int) -> Int {
        number.add(amount, ordering: .acquiringAndReleasing).newValue
    }

    func raise(to value: Int) { number.max(value, ordering: .acquiringAndReleasing) }
}
