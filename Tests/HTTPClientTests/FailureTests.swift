import CounterfoilBasics
import Foundation
import HTTP
import HTTPClient
import HTTPTestSupport
import Testing

@Suite("HTTP client: no answer")
struct FailureTests {
    private func expect(
        _ expected: ErrorCode,
        _ steps: ScriptedServer.Step...,
        settings: (inout HTTPClientSettings) -> Void = { _ in }
    ) async throws {
        let server = try ScriptedServer(readsRequest: true, steps)
        defer { server.stop() }
        let client = try client(settings)
        #expect(try await code(client, HTTPCall(.get, server.url())) == expected)
    }

    @Test("A connection that ends before the answer does is told apart from a whole answer")
    func cut() async throws {
        try await expect(HTTPCallError.cut)
        try await expect(HTTPCallError.cut, .reset)
        try await expect(HTTPCallError.cut, .send("HTTP/1.1 200 OK\r\nContent-Le"), .reset)
        try await expect(
            HTTPCallError.cut,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        )
        let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
        try await expect(HTTPCallError.cut, .send(chunk))
    }

    @Test("What is no HTTP is no answer")
    func malformed() async throws {
        try await expect(HTTPCallError.malformed, .send("SSH-2.0-OpenSSH\r\n"))
        try await expect(HTTPCallError.malformed, .send("HTTP/1.1 999 Odd\r\n\r\n"))
        try await expect(
            HTTPCallError.malformed,
            .send("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")
        )
    }

    @Test("More bytes than are taken end the call, announced or not")
    func tooLarge() async throws {
        let open = "HTTP/1.1 200 OK\r\n\r\n"
        for settings in [1000, 1_000_000] {
            try await expect(
                HTTPCallError.tooLarge,
                .send(open),
                .sendBytes(settings + 1)
            ) { $0.responseBytes = settings }
            try await expect(
                HTTPCallError.tooLarge,
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(settings + 1)\r\n\r\n"),
                .hang
            ) { $0.responseBytes = settings }
        }
        try await expect(
            HTTPCallError.tooLarge,
            .send("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 20_000))
        )
        try await withScript(.send(open), .sendBytes(1000)) { server in
            let client = try client { $0.responseBytes = 1000 }
            #expect(try await client.call(HTTPCall(.get, server.url())).bytes.count == 1000)
        }
    }

    @Test("An answer that is late or drips is given up at the deadline")
    func late() async throws {
        func short(_ settings: inout HTTPClientSettings) { settings.deadline = .milliseconds(300) }
        let stopwatch = Stopwatch()
        try await expect(HTTPCallError.timeout, .hang, settings: short)
        let open = "HTTP/1.1 200 OK\r\n\r\n"
        try await expect(
            HTTPCallError.timeout,
            .send(open),
            .wait(milliseconds: 100),
            .send("a"),
            .wait(milliseconds: 100),
            .send("b"),
            .hang,
            settings: short
        )
        #expect(stopwatch.elapsed < .seconds(5))
        // A name behind which somebody takes connections and says no word of TLS.
        try await withScript(readsRequest: false, .hang) { server in
            let client = try client { $0.connectDeadline = .milliseconds(300) }
            let call = try HTTPCall(.get, server.url(scheme: "https"))
            #expect(await code(client, call) == HTTPCallError.connectTimeout)
        }
    }

    @Test("Nobody there, and no such name")
    func unreachable() async throws {
        let server = try ScriptedServer(readsRequest: true, [])
        let url = try server.url()
        server.stop()
        let client = try client()
        #expect(await code(client, HTTPCall(.get, url)) == HTTPCallError.unreachable)
        let nowhere = try HTTPURL("http://nowhere.invalid/")
        #expect(await code(client, HTTPCall(.get, nowhere)) == HTTPCallError.hostUnknown)
    }

    @Test("An address that the check refuses is never connected to, whatever it is called")
    func forbidden() async throws {
        try await withScript(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) { server in
            let port = server.address.port
            let careful = try client { $0.route = .direct { !$0.address.isLoopback } }
            for host in [
                "127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]",
            ] {
                let call = try HTTPCall(.get, HTTPURL("http://\(host):\(port)/"))
                #expect(await code(careful, call) == HTTPCallError.addressForbidden, "\(host)")
            }
            #expect(server.requests.isEmpty)
            let lenient = try client { $0.route = .direct { $0 == server.address } }
            #expect(try await code(lenient, HTTPCall(.get, server.url())) == nil)
        }
    }

    @Test("A proxy is asked where one is configured, and the environment only when it is asked for")
    func proxies() async throws {
        try await withScript(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) { server in
            setenv("http_proxy", "http://127.0.0.1:9", 1)
            setenv("ALL_PROXY", "http://127.0.0.1:9", 1)
            setenv("no_proxy", "far.invalid", 1)
            defer {
                unsetenv("http_proxy")
                unsetenv("ALL_PROXY")
                unsetenv("no_proxy")
            }
            let call = try HTTPCall(.get, server.url("/direct"))
            #expect(try await code(client(), call) == nil)
            let led = try client { $0.route = .environment }
            #expect(await code(led, call) == HTTPCallError.unreachable)

            let proxied = try client { $0.route = .proxy("http://\(server.address)") }
            let far = try HTTPCall(.get, HTTPURL("http://far.invalid/path"))
            #expect(await code(proxied, far) == nil)
            #expect(server.requests.last?.hasPrefix("GET http://far.invalid/path HTTP/1.1") == true)
        }
    }

    @Test("An error names the host and nothing else of the request")
    func secrets() async throws {
        try await withScript(.reset) { server in
            var call = try HTTPCall(.post, server.url("/secret-path?key=secret"), body: [1, 2])
            call.fields.append(.authorization, "Bearer secret")
            let client = try client()
            do throws(HTTPCallError) {
                _ = try await client.call(call)
                Issue.record("there is an answer")
            } catch {
                #expect(error.reason.contains("\(server.address)"))
                #expect(!String(reflecting: error).contains("secret"))
            }
        }
    }

    @Test("A task that is cancelled no longer waits, and its connection is closed")
    func cancellation() async throws {
        try await withScript(.hang) { server in
            let client = try client()
            let call = try HTTPCall(.get, server.url())
            let task = Task { await code(client, call) }
            while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let stopwatch = Stopwatch()
            task.cancel()
            #expect(await task.value == HTTPCallError.cancelled)
            #expect(stopwatch.elapsed < .seconds(2))
            while server.departures == 0 { try await Task.sleep(for: .milliseconds(5)) }

            let early = Task {
                try? await Task.sleep(for: .seconds(60))
                return await code(client, call)
            }
            early.cancel()
            #expect(await early.value == HTTPCallError.cancelled)
        }
    }

    @Test("What waits for its turn can be cancelled, times out, and is bounded")
    func waiting() async throws {
        try await withScript(.hang) { server in
            let client = try client {
                $0.parallel = 1
                $0.waiting = 2
                $0.deadline = .milliseconds(500)
            }
            let call = try HTTPCall(.get, server.url())
            let tasks = (0..<6).map { _ in Task { await code(client, call) } }
            while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            var codes: [ErrorCode: Int] = [:]
            for task in tasks { codes[await task.value ?? "none.none", default: 0] += 1 }
            #expect(codes == [HTTPCallError.timeout: 3, HTTPCallError.tooMany: 3])

            let first = Task { await code(client, call) }
            while server.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            let second = Task { await code(client, call) }
            second.cancel()
            #expect(await second.value == HTTPCallError.cancelled)
            #expect(await first.value == HTTPCallError.timeout)
        }
    }

    @Test("A client that stops gives up what is on its way, and takes nothing more")
    func stopping() async throws {
        try await withScript(.hang) { server in
            let client = try client()
            let call = try HTTPCall(.get, server.url())
            let tasks = (0..<20).map { _ in Task { await code(client, call) } }
            while server.requests.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
            await client.stop()
            for task in tasks { #expect(await task.value == HTTPCallError.stopped) }
            #expect(await code(client, call) == HTTPCallError.stopped)
            await client.stop()
        }
    }

    @Test("Waiting for other servers leaves the threads of tasks free")
    func threads() async throws {
        try await withScript(.hang) { server in
            let client = try client {
                $0.parallel = 64
                $0.deadline = .seconds(2)
            }
            let call = try HTTPCall(.get, server.url())
            let tasks = (0..<64).map { _ in Task { await code(client, call) } }
            while server.requests.count < 64 { try await Task.sleep(for: .milliseconds(5)) }
            let stopwatch = Stopwatch()
            for _ in 0..<100 { await Task.detached {}.value }
            #expect(stopwatch.elapsed < .seconds(1))
            for task in tasks { #expect(await task.value == HTTPCallError.timeout) }
        }
    }
}

@Suite("HTTP client: a call's own bounds")
struct CallBoundTests {
    @Test("A call's deadline counts in place of the client's, shorter or longer")
    func deadline() async throws {
        try await withScript(.hang) { server in
            let patient = try client()
            var call = try HTTPCall(.get, server.url())
            call.deadline = .milliseconds(200)
            #expect(await code(patient, call) == HTTPCallError.timeout)
        }
        try await withServer { _ in
            try? await Task.sleep(for: .milliseconds(600))
            return .text(.ok, "late")
        } test: { address in
            let hasty = try client { $0.deadline = .milliseconds(100) }
            var call = try HTTPCall(.get, HTTPURL("http://\(address)/"))
            #expect(await code(hasty, call) == HTTPCallError.timeout)
            call.deadline = .seconds(20)
            #expect(await code(hasty, call) == nil)
        }
    }

    @Test("A call's limit of bytes counts in place of the client's, smaller or larger")
    func bytes() async throws {
        try await withServer { _ in
            .text(.ok, "ten bytes.")
        } test: { address in
            let generous = try client()
            var call = try HTTPCall(.get, HTTPURL("http://\(address)/"))
            call.responseBytes = 9
            #expect(await code(generous, call) == HTTPCallError.tooLarge)
            let strict = try client { $0.responseBytes = 9 }
            #expect(await code(strict, call) == HTTPCallError.tooLarge)
            call.responseBytes = 10
            #expect(await code(strict, call) == nil)
        }
    }
}
