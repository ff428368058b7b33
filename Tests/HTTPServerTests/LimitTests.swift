import HTTP
import HTTPServer
import HTTPTestSupport
import Synchronization
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("A body at the limit is taken, one byte more is 413, by length and in chunks")
    func bodies() async throws {
        try await withServer({ $0.bodyBytes = 100_000 }, handler: echo) { address, _ in
            func post(_ framing: String) async throws -> String {
                try await converse(
                    address,
                    "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + framing
                )
            }
            func length(_ count: Int) -> String {
                "Content-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
            }
            func chunks(_ counts: [Int]) -> String {
                let chunks = counts.map { count in
                    String(count, radix: 16) + "\r\n" + String(repeating: "x", count: count)
                        + "\r\n"
                }
                return "Transfer-Encoding: chunked\r\n\r\n" + chunks.joined() + "0\r\n\r\n"
            }
            for framing in [length(100_000), chunks([60_000, 40_000])] {
                let answer = try await post(framing)
                #expect(answer.contains("POST / - 100000\n"))
            }
            for framing in [length(100_001), chunks([60_000, 40_001]), chunks([5_000_000])] {
                let answer = try await post(framing)
                #expect(answer.hasPrefix("HTTP/1.1 413 "))
                #expect(answer.contains("http.body_too_large"))
                #expect(answer.contains("Connection: close\r\n"))
            }
        }
    }

    @Test("Bodies that together are too large are 503 until others are done")
    func bodiesTogether() async throws {
        let change: (inout HTTPLimits) -> Void = {
            $0.bodyBytesInFlight = 100_000
            $0.freeBodyBytes = 0
        }
        try await withServer(change, handler: echo) { address, _ in
            let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 80000\r\n\r\n"
            let most = String(repeating: "x", count: 79_999)
            try await blocking {
                let first = try RawSocket(address)
                try first.send(head + most)
                block(milliseconds: 200)
                let second = try RawSocket(address)
                try second.send(head + most + "x")
                let refused = try second.readAnswer()
                #expect(refused.status == 503)
                #expect(refused.text.contains("http.overloaded"))
                #expect(refused.fields[.retryAfter] == "5")
                try first.send("x")
                #expect(try first.readAnswer().status == 200)
                let third = try RawSocket(address)
                try third.send(head + most + "x")
                #expect(try third.readAnswer().status == 200)
            }
        }
    }

    @Test("Large bodies that fill the server never keep out a small one")
    func smallBody() async throws {
        let events = Events()
        let change: (inout HTTPLimits) -> Void = {
            $0.bodyBytesInFlight = 100_000
            $0.freeBodyBytes = 10_000
        }
        try await withServer(change, events: events, handler: echo) { address, _ in
            try await blocking {
                func post(_ count: Int, sending sent: Int) throws -> RawSocket {
                    let socket = try RawSocket(address)
                    try socket.send("POST / HTTP/1.1\r\nHost: a\r\n")
                    try socket.send("Content-Length: \(count)\r\n\r\n")
                    try socket.send([UInt8](repeating: 1, count: sent))
                    return socket
                }
                // Of its 110,000 bytes so far all but the first 10,000 count.
                let large = try post(110_001, sending: 110_000)
                block(milliseconds: 300)
                for _ in 0..<20 {
                    #expect(try post(10_000, sending: 10_000).readAnswer().status == 200)
                }
                #expect(try post(10_001, sending: 10_001).readAnswer().status == 503)
                try large.send([1])
                #expect(try large.readAnswer().status == 503)
                block(milliseconds: 300)
                #expect(try post(110_000, sending: 110_000).readAnswer().status == 200)
            }
        }
        #expect(events.refusals == [.overloaded, .overloaded])
    }

    @Test("413 reaches a client that sends all of its large body before it reads")
    func deafSender() async throws {
        try await withServer({ $0.bodyBytes = 1000 }, handler: echo) { address, _ in
            let answer = try await blocking {
                let socket = try RawSocket(address)
                try socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
                block(milliseconds: 50)
                try socket.send([UInt8](repeating: 1, count: 4_000_000))
                return try socket.readAnswer()
            }
            #expect(answer.status == 413)
        }
    }

    @Test("A head over the limit is 431, a request line over the memory 414")
    func heads() async throws {
        let events = Events()
        try await withServer(
            {
                $0.headBytes = 4096
                $0.fieldCount = 20
            },
            events: events,
            handler: echo
        ) { address, _ in
            func get(_ target: String, _ fields: String) async throws -> String {
                try await converse(
                    address,
                    "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)\r\n"
                )
            }
            // 16 + 9 + 19 bytes before, 5 + 2 around the value, 2 at the end.
            let room = 4096 - 53
            let atLimit = try await get("/", "X-Y: \(String(repeating: "x", count: room))\r\n")
            #expect(atLimit.hasPrefix("HTTP/1.1 200 "))
            let past = try await get("/", "X-Y: \(String(repeating: "x", count: room + 1))\r\n")
            #expect(past.hasPrefix("HTTP/1.1 431 "))
            let far = try await get("/", "X-Y: \(String(repeating: "x", count: 200_000))\r\n")
            #expect(far.hasPrefix("HTTP/1.1 431 "))
            let target = try await get("/" + String(repeating: "x", count: 200_000), "")
            #expect(target.hasPrefix("HTTP/1.1 414 "))
            let fields = try await get("/", String(repeating: "X: y\r\n", count: 18))
            #expect(fields.hasPrefix("HTTP/1.1 200 "))
            let more = try await get("/", String(repeating: "X: y\r\n", count: 19))
            #expect(more.hasPrefix("HTTP/1.1 431 "))
            // Of a line that never ends the server learns nothing but that it was refused.
            #expect(
                await eventually { events.refusals.filter { $0 == .headTooLarge }.count == 3 }
            )
        }
    }

    @Test("Connections over the limit get 503, far over it they are closed")
    func connections() async throws {
        let events = Events()
        let change: (inout HTTPLimits) -> Void = { $0.connections = 8 }
        try await withServer(change, events: events, handler: echo) { address, server in
            try await blocking {
                let kept = try (0..<8).map { _ in try RawSocket(address) }
                for socket in kept {
                    try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try socket.readAnswer().status == 200)
                }
                let over = try (0..<4).map { _ in try RawSocket(address) }
                block(milliseconds: 100)
                let farOver = try RawSocket(address)
                #expect(try farOver.readToEnd() == [])
                for socket in over {
                    try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try socket.readAnswer()
                    #expect(answer.status == 503)
                    #expect(answer.text.contains("http.too_many_connections"))
                    #expect(try socket.readToEnd() == [])
                }
            }
            #expect(events.contains(.connectionDropped))
            #expect(events.refusals.contains(.tooManyConnections))
            // Once they have left there is room again.
            #expect(await eventually { server.connectionCount == 0 })
            let after = try await SocketClient(address).exchange(HTTPRequest(.get, "/"))
            #expect(after.status == .ok)
        }
    }
}

@Suite("Streamed answers")
struct StreamTests {
    @Test("Of fifty megabytes to a slow reader only a little is ever held")
    func memory() async throws {
        let chunk = [UInt8](repeating: 0x55, count: 250_000)
        let written = Atomic(0)
        try await withServer(handler: { _ in
            HTTPResponse(
                .ok,
                stream: HTTPBodyStream { writer in
                    for _ in 0..<200 {
                        try await writer.write(chunk)
                        written.add(chunk.count, ordering: .relaxed)
                    }
                }
            )
        }) { address, _ in
            let (count, lead) = try await blocking {
                let socket = try RawSocket(address, receiveBuffer: 64 << 10)
                try socket.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                var (count, reads, lead) = (0, 0, 0)
                while true {
                    let bytes = try socket.read(atMost: 256 << 10)
                    if bytes.isEmpty { return (count, lead) }
                    count += bytes.count
                    lead = max(lead, written.load(ordering: .relaxed) - count)
                    reads += 1
                    if reads % 20 == 0 { block(milliseconds: 5) }
                }
            }
            #expect(count > 50_000_000)
            // What the producer is ahead of the reader lies in the system's socket buffers.
            #expect(lead < 8 << 20)
        }
    }

    @Test("A producer that fails, or writes another length than it said, cuts the answer off")
    func failures() async throws {
        struct Broken: Error {}
        let events = Events()
        try await withServer(
            events: events,
            handler: { request in
                switch request.path {
                case "/fails":
                    HTTPResponse(
                        .ok,
                        stream: HTTPBodyStream { writer in
                            try await writer.write([1])
                            throw Broken()
                        }
                    )
                case "/short":
                    HTTPResponse(
                        .ok,
                        stream: HTTPBodyStream(length: 10) { try await $0.write([1, 2]) }
                    )
                default:
                    HTTPResponse(
                        .ok,
                        stream: HTTPBodyStream(length: 1) { try await $0.write([1, 2]) }
                    )
                }
            }
        ) { address, _ in
            for path in ["/fails", "/short", "/long"] {
                let isWhole = try await blocking {
                    let socket = try RawSocket(address)
                    try socket.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    return (try? socket.readAnswer()) != nil
                }
                #expect(!isWhole, "\(path)")
            }
            #expect(await eventually { events.list.filter { $0 == .streamCut }.count == 3 })
        }
    }

    @Test("A producer is cancelled when its reader leaves")
    func readerLeaves() async throws {
        let outcome = Mutex<String?>(nil)
        try await withServer(handler: { _ in
            HTTPResponse(
                .ok,
                stream: HTTPBodyStream { writer in
                    do {
                        while true { try await writer.write([UInt8](repeating: 1, count: 100_000)) }
                    } catch {
                        outcome.withLock {
                            $0 = "\(error is CancellationError) \(Task.isCancelled)"
                        }
                        throw error
                    }
                }
            )
        }) { address, server in
            try await blocking {
                let socket = try RawSocket(address)
                try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try socket.read()
            }
            #expect(await eventually { outcome.withLock { $0 } == "true true" })
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test("A handler whose client leaves is cancelled, and nothing is left behind")
    func clientLeaves() async throws {
        let events = Events()
        let cancelled = Atomic(0)
        try await withServer(
            events: events,
            handler: { _ in
                do { try await Task.sleep(for: .seconds(20)) } catch {
                    cancelled.add(1, ordering: .relaxed)
                }
                return HTTPResponse(.ok)
            }
        ) { address, server in
            for aborts in [false, true] {
                try await blocking {
                    let socket = try RawSocket(address)
                    try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    block(milliseconds: 20)
                    if aborts { socket.abortOnClose() }
                }
            }
            #expect(await eventually { cancelled.load(ordering: .relaxed) == 2 })
            #expect(await eventually { events.list.filter { $0 == .clientLeft }.count == 2 })
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test("A client that only closes its sending side still gets its answer")
    func halfClose() async throws {
        try await withServer(handler: { request in
            await Task { try? await Task.sleep(for: .milliseconds(700)) }.value
            return await echo(request)
        }) { address, _ in
            let answer = try await blocking {
                let socket = try RawSocket(address)
                try socket.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
                socket.finishSending()
                return try socket.readAnswer()
            }
            #expect(answer.text == "GET /half - 0\n")
        }
    }
}
