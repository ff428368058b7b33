import CounterfoilBasics
import Foundation
import HTTP
import HTTPTestSupport
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Start and stop")
struct LifecycleTests {
    @Test("An address in use, one that is not ours, and a second start are refused by code")
    func startErrors() async throws {
        try await withServer(handler: echo) { address, server in
            let second = try MicroHTTPDServer(at: address, handler: echo)
            let inUse = await #expect(throws: HTTPServingError.self) { try await second.start() }
            #expect(inUse?.code == HTTPServingError.addressInUse)
            #expect(inUse?.reason.contains("\(address)") == true)
            let again = await #expect(throws: HTTPServingError.self) { try await server.start() }
            #expect(again?.code == HTTPServingError.notStartable)
        }
        // 192.0.2.0/24 is reserved for documentation (RFC 5737).
        let foreign = try MicroHTTPDServer(
            at: try SocketAddress(parsing: "192.0.2.1:0"),
            handler: echo
        )
        let unavailable = await #expect(throws: HTTPServingError.self) { try await foreign.start() }
        #expect(unavailable?.code == HTTPServingError.addressUnavailable)
    }

    @Test("What the system refuses has a code that says whose doing it is")
    func systemErrors() {
        func code(_ number: Int32) -> ErrorCode {
            ListeningSocket.failure(number, "listening at", .loopback(port: 1)).code
        }
        #expect(code(EADDRINUSE) == HTTPServingError.addressInUse)
        #expect(code(EACCES) == HTTPServingError.addressUnavailable)
        #expect(code(EMFILE) == HTTPServingError.engineFailed)
    }

    @Test("A stopped server frees its address, and stopping twice is harmless")
    func restart() async throws {
        let first = try MicroHTTPDServer(at: .loopback(port: 0), handler: echo)
        let address = try await first.start()
        await first.stop(grace: .seconds(1))
        await first.stop(grace: .seconds(1))
        let again = try MicroHTTPDServer(at: address, handler: echo)
        #expect(try await again.start() == address)
        await again.stop(grace: .zero)
        let never = try MicroHTTPDServer(at: .loopback(port: 0), handler: echo)
        await never.stop(grace: .zero)
        let error = await #expect(throws: HTTPServingError.self) { try await never.start() }
        #expect(error?.code == HTTPServingError.notStartable)
    }

    @Test("A graceful stop finishes what is in flight, closes what idles, accepts nothing new")
    func graceful() async throws {
        let server = try MicroHTTPDServer(
            at: .loopback(port: 0),
            handler: { request in
                if request.path == "/slow" { try? await Task.sleep(for: .milliseconds(600)) }
                return await echo(request)
            }
        )
        let address = try await server.start()
        async let idle = blocking {
            let socket = try RawSocket(address)
            try socket.send("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try socket.readAnswer()
            return try socket.readToEnd()
        }
        async let slow = blocking {
            let socket = try RawSocket(address)
            try socket.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try socket.readAnswer()
            let rest = try socket.readToEnd()
            return (answer, rest)
        }
        async let upload = blocking {
            let socket = try RawSocket(address)
            try socket.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
            block(milliseconds: 500)
            try socket.send("llo")
            return try socket.readAnswer()
        }
        #expect(await eventually { server.connectionCount == 3 })
        try await Task.sleep(for: .milliseconds(200))
        let watch = ContinuousClock.now
        await server.stop(grace: .seconds(10))
        #expect(ContinuousClock.now - watch < .seconds(5))
        #expect(try await idle.isEmpty)
        let (answer, rest) = try await slow
        #expect(answer.text == "GET /slow - 0\n")
        #expect(answer.fields[.connection] == "close")
        #expect(rest.isEmpty)
        #expect(try await upload.text == "POST /upload - 5\nhello")
        #expect(throws: RawSocket.Failure.self) { try RawSocket(address) }
    }

    @Test("What outlasts the grace is cut off: handlers with 503, producers, uploads, all at once")
    func cut() async throws {
        let finished = Atomic(0)
        let server = try MicroHTTPDServer(
            at: .loopback(port: 0),
            handler: { request in
                if request.path == "/stream" {
                    return HTTPResponse(
                        .ok,
                        stream: HTTPBodyStream { writer in
                            try await writer.write([1])
                            try await Task.sleep(for: .seconds(30))
                        }
                    )
                }
                try? await Task.sleep(for: .seconds(30))
                finished.add(1, ordering: .relaxed)
                return HTTPResponse(.ok)
            }
        )
        let address = try await server.start()
        func open(_ text: String) -> Task<String, any Error> {
            Task { try await converse(address, text) }
        }
        let handler = open("GET /handler HTTP/1.1\r\nHost: a\r\n\r\n")
        let stream = open("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        let upload = open("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        let head = open("GET /head HTTP/1.1\r\nHo")
        #expect(await eventually { server.connectionCount == 4 })
        try await Task.sleep(for: .milliseconds(200))
        await server.stop(grace: .milliseconds(100))
        #expect(server.connectionCount == 0)
        #expect(try await handler.value.hasPrefix("HTTP/1.1 503 "))
        #expect(try await handler.value.contains("http.stopping"))
        #expect(try await stream.value.hasPrefix("HTTP/1.1 200 "))
        #expect(try await upload.value.isEmpty)
        #expect(try await head.value.isEmpty)
        #expect(await eventually { finished.load(ordering: .relaxed) == 1 })
    }

    @Test("A stop in the middle of a storm of requests loses no answer that was begun")
    func storm() async throws {
        var total = 0
        for round in 0..<5 {
            let server = try MicroHTTPDServer(at: .loopback(port: 0), handler: echo)
            let address = try await server.start()
            async let counts = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await blocking { Self.hammer(address) } }
                }
                return try await group.reduce(0, +)
            }
            try await Task.sleep(for: .milliseconds(30 + 10 * round))
            await server.stop(grace: .seconds(5))
            total += try await counts
        }
        #expect(total > 0)
    }

    /// Sends requests until the server closes the connection; records any half answer.
    private static func hammer(_ address: SocketAddress) -> Int {
        var count = 0
        guard let socket = try? RawSocket(address) else { return 0 }
        while true {
            do { try socket.send("GET /\(count) HTTP/1.1\r\nHost: a\r\n\r\n") } catch {
                return count
            }
            guard let first = try? socket.read(atMost: 1), !first.isEmpty else { return count }
            guard let answer = try? socket.readAnswer(after: first), answer.status == 200 else {
                Issue.record("half an answer after \(count)")
                return count
            }
            count += 1
        }
    }

    @Test("A server that is let go of stops by itself")
    func letGo() async throws {
        var server: MicroHTTPDServer? = try MicroHTTPDServer(at: .loopback(port: 0), handler: echo)
        let address = try await #require(server).start()
        server = nil
        for _ in 0..<500 {
            guard (try? RawSocket(address)) != nil else { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("still listening at \(address)")
    }

    @Test("Termination signals arrive as a stream, and no longer kill")
    func signals() async throws {
        var iterator = TerminationSignals.stream(of: [SIGUSR1, SIGUSR2]).makeAsyncIterator()
        kill(getpid(), SIGUSR1)
        #expect(await iterator.next() == SIGUSR1)
        kill(getpid(), SIGUSR2)
        kill(getpid(), SIGUSR1)
        let both = [await iterator.next(), await iterator.next()]
        #expect(Set(both) == [SIGUSR1, SIGUSR2])
    }
}
