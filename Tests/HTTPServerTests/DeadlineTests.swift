import HTTP
import HTTPServer
import HTTPTestSupport
import Synchronization
import Testing

/// Deadlines are injected short; each test proves what ends, not exactly when.
@Suite("Deadlines")
struct DeadlineTests {
    /// Sends one text at once and another byte by byte, and reads to the end.
    private static func send(
        _ head: String,
        slowly text: String,
        to address: SocketAddress
    ) async throws -> String {
        try await blocking {
            let socket = try RawSocket(address)
            try socket.send(head)
            for byte in text.utf8 {
                do { try socket.send([byte]) } catch { break }
                block(milliseconds: 20)
            }
            return String(decoding: try socket.readToEnd(), as: UTF8.self)
        }
    }

    @Test("A head sent byte by byte is cut off with 408")
    func slowHead() async throws {
        let events = Events()
        let change: (inout HTTPLimits) -> Void = { $0.headDeadline = .milliseconds(300) }
        try await withServer(change, events: events, handler: echo) { address, _ in
            let answer = try await Self.send(
                "GET / HTTP/1.1\r\n",
                slowly: "Host: a\r\nX: " + String(repeating: "x", count: 200),
                to: address
            )
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            #expect(await eventually { events.contains(.deadlinePassed(.head)) })
        }
    }

    @Test("A connection that says nothing, or no whole request line, is closed without a word")
    func silence() async throws {
        try await withServer({ $0.headDeadline = .milliseconds(200) }, handler: echo) {
            address,
            _ in
            let silent = try await converse(address, "")
            #expect(silent.isEmpty)
            let partial = try await converse(address, "GET /never-ending")
            #expect(partial.isEmpty)
        }
    }

    @Test("A body sent byte by byte is cut off with 408, of known length and chunked")
    func slowBody() async throws {
        let events = Events()
        let change: (inout HTTPLimits) -> Void = { $0.bodyDeadline = .milliseconds(300) }
        try await withServer(change, events: events, handler: echo) { address, _ in
            let body = String(repeating: "x", count: 150)
            for field in [
                "Content-Length: 150\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n96\r\n",
            ] {
                let answer = try await Self.send(
                    "POST / HTTP/1.1\r\nHost: a\r\n" + field,
                    slowly: body,
                    to: address
                )
                #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            }
            #expect(await eventually { events.contains(.deadlinePassed(.body)) })
        }
    }

    @Test("A kept connection is closed when it idles; one that goes on is not")
    func idle() async throws {
        let events = Events()
        let change: (inout HTTPLimits) -> Void = { $0.idleDeadline = .milliseconds(400) }
        try await withServer(change, events: events, handler: echo) { address, _ in
            try await blocking {
                let socket = try RawSocket(address)
                for _ in 0..<4 {
                    try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = try socket.readAnswer()
                    block(milliseconds: 150)
                }
                #expect(try socket.readToEnd() == [])
            }
            #expect(await eventually { events.contains(.deadlinePassed(.idle)) })
        }
    }

    @Test("A handler that takes too long is answered for with 503, cancelled, and ignored")
    func slowHandler() async throws {
        let events = Events()
        let cancelled = Atomic(false)
        let finished = Atomic(false)
        let change: (inout HTTPLimits) -> Void = { $0.handlerDeadline = .milliseconds(200) }
        try await withServer(
            change,
            events: events,
            handler: { request in
                if request.path == "/stubborn" {
                    for _ in 0..<60 {
                        try? await Task.sleep(for: .milliseconds(10), clock: .continuous)
                    }
                    await Task { try? await Task.sleep(for: .milliseconds(400)) }.value
                    finished.store(true, ordering: .relaxed)
                    return .text(.ok, "too late")
                }
                do { try await Task.sleep(for: .seconds(60)) } catch {
                    cancelled.store(true, ordering: .relaxed)
                }
                return HTTPResponse(.ok)
            }
        ) { address, server in
            for path in ["/", "/stubborn"] {
                let answer = try await converse(address, "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 503 "))
                #expect(answer.contains("http.handler_timeout"))
                #expect(answer.contains("Connection: close\r\n"))
            }
            #expect(await eventually { cancelled.load(ordering: .relaxed) })
            #expect(await eventually { finished.load(ordering: .relaxed) })
            #expect(await eventually { events.contains(.deadlinePassed(.handler)) })
            let after = try await SocketClient(address).exchange(HTTPRequest(.get, "/stubborn"))
            #expect(after.status == .serviceUnavailable)
        }
    }

    @Test("A peer that stops reading a large answer is cut off")
    func slowReader() async throws {
        let events = Events()
        let body = [UInt8](repeating: 1, count: 8 << 20)
        let change: (inout HTTPLimits) -> Void = { $0.writeDeadline = .milliseconds(300) }
        try await withServer(
            change,
            events: events,
            handler: { request in
                guard request.path == "/stream" else { return HTTPResponse(.ok, body: body) }
                return HTTPResponse(
                    .ok,
                    stream: HTTPBodyStream { writer in
                        for _ in 0..<1000 {
                            try await writer.write([UInt8](repeating: 1, count: 50_000))
                        }
                    }
                )
            }
        ) { address, server in
            for path in ["/", "/stream"] {
                let count = try await blocking {
                    let socket = try RawSocket(address, receiveBuffer: 8192)
                    try socket.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let first = try socket.read()
                    block(milliseconds: 1200)
                    return first.count + (try socket.readToEnd()).count
                }
                #expect(count < body.count)
            }
            #expect(
                await eventually { events.list.filter { $0 == .deadlinePassed(.write) }.count == 2 }
            )
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test("A peer that reads slowly but steadily gets all of it")
    func steadyReader() async throws {
        let body = [UInt8](repeating: 1, count: 3 << 20)
        try await withServer(
            {
                $0.writeDeadline = .milliseconds(300)
                $0.writeProgress = 1 << 10
            },
            handler: { _ in HTTPResponse(.ok, body: body) }
        ) { address, _ in
            let count = try await blocking {
                let socket = try RawSocket(address, receiveBuffer: 8192)
                try socket.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                var count = 0
                // About two seconds, many times the deadline.
                while true {
                    let bytes = try socket.read(atMost: 64 << 10)
                    if bytes.isEmpty { return count }
                    count += bytes.count
                    if count % 7 == 0 || count < 2 << 20 { block(milliseconds: 5) }
                }
            }
            #expect(count > body.count)
        }
    }

    @Test("A producer that brings no chunk is cancelled and its answer cut off")
    func stalledProducer() async throws {
        let events = Events()
        let cancelled = Atomic(false)
        let change: (inout HTTPLimits) -> Void = { $0.handlerDeadline = .milliseconds(1000) }
        try await withServer(
            change,
            events: events,
            handler: { _ in
                HTTPResponse(
                    .ok,
                    stream: HTTPBodyStream { writer in
                        try await writer.write(Array("begun".utf8))
                        do { try await Task.sleep(for: .seconds(60)) } catch {
                            cancelled.store(true, ordering: .relaxed)
                            throw error
                        }
                    }
                )
            }
        ) { address, _ in
            let answer = try await converse(address, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.contains("begun"))
            #expect(!answer.hasSuffix("0\r\n\r\n"))
            #expect(await eventually { cancelled.load(ordering: .relaxed) })
            #expect(await eventually { events.contains(.deadlinePassed(.chunk)) })
        }
    }
}
