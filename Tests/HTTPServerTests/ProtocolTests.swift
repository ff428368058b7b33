import HTTP
import HTTPServer
import HTTPTestSupport
import Testing

@Suite("HTTP/1.1 on the wire")
struct ProtocolTests {
    @Test("Answers carry a date and a length, and the connection is kept")
    func keepAlive() async throws {
        try await withServer(handler: echo) { address, _ in
            try await blocking {
                let socket = try RawSocket(address)
                for index in 0..<5 {
                    try socket.send("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try socket.readAnswer()
                    #expect(answer.text == "GET /\(index) - 0\n")
                    #expect(answer.fields[.connection] == nil)
                    #expect(answer.fields[.date].flatMap { HTTPDate.instant($0) } != nil)
                }
            }
        }
    }

    @Test("Pipelined requests are answered in order, with and without bodies")
    func pipelining() async throws {
        try await withServer(handler: { request in
            // The first handler takes longest, so that order is no accident.
            try? await Task.sleep(for: .milliseconds(request.path == "/0" ? 50 : 1))
            return await echo(request)
        }) { address, _ in
            try await blocking {
                let socket = try RawSocket(address)
                var all = ""
                for index in 0..<20 {
                    all += "POST /\(index) HTTP/1.1\r\nHost: a\r\nContent-Length: \(index)\r\n\r\n"
                    all += String(repeating: "b", count: index)
                }
                try socket.send(all)
                for index in 0..<20 {
                    let body = String(repeating: "b", count: index)
                    #expect(try socket.readAnswer().text == "POST /\(index) - \(index)\n\(body)")
                }
            }
        }
    }

    @Test("A request arrives whole however it is cut into packets")
    func dribble() async throws {
        try await withServer(handler: echo) { address, _ in
            try await blocking {
                let socket = try RawSocket(address)
                let text = "POST /x?y=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                for byte in text.utf8 { try socket.send([byte]) }
                #expect(try socket.readAnswer().text == "POST /x y=1 5\nhello")
            }
        }
    }

    @Test("HTTP/1.0 needs no Host, is closed after its answer, or kept on request")
    func http10() async throws {
        try await withServer(handler: echo) { address, _ in
            let answer = try await converse(address, "GET /old HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("GET /old - 0\n"))
            try await blocking {
                let socket = try RawSocket(address)
                for _ in 0..<2 {
                    try socket.send("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(try socket.readAnswer().fields[.connection] == "Keep-Alive")
                }
            }
        }
    }

    @Test("A stream to HTTP/1.0 ends with the connection, not in chunks")
    func http10Stream() async throws {
        try await withServer(handler: { _ in
            HTTPResponse(
                .ok,
                stream: HTTPBodyStream { try await $0.write(Array("all of it".utf8)) }
            )
        }) { address, _ in
            let answer = try await converse(address, "GET / HTTP/1.0\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\nall of it"))
            #expect(!answer.contains("chunked"))
        }
    }

    @Test("Connection: close is heeded, from the client and from the handler")
    func close() async throws {
        try await withServer(handler: { request in
            var response = await echo(request)
            if request.path == "/last" { response.fields[.connection] = "close" }
            return response
        }) { address, _ in
            let asked = try await converse(
                address,
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            #expect(asked.contains("Connection: close\r\n"))
            let told = try await converse(address, "GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(told.contains("Connection: close\r\n"))
        }
    }

    @Test("The engine's own fields cannot be forged by a handler")
    func reservedFields() async throws {
        try await withServer(handler: { _ in
            let fields: HTTPFields = [
                .contentLength: "99", .transferEncoding: "gzip", .date: "never", .eTag: "\"x\"",
            ]
            return HTTPResponse(.ok, fields: fields, body: [0x6F, 0x6B])
        }) { address, _ in
            let answer = try await SocketClient(address).exchange(HTTPRequest(.get, "/"))
            #expect(answer.fields.values(of: .contentLength) == ["2"])
            #expect(answer.fields.count(of: .transferEncoding) == 0)
            #expect(answer.fields.count(of: .date) == 1)
            #expect(answer.fields[.eTag] == "\"x\"")
        }
    }

    @Test("Expect: 100-continue is answered before the body is sent")
    func expectContinue() async throws {
        try await withServer({ $0.bodyBytes = 100 }, handler: echo) { address, _ in
            func head(_ length: Int, _ expectation: String) -> String {
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nExpect: \(expectation)\r\n\r\n"
            }
            let accepted = head(5, "100-continue")
            try await blocking {
                let socket = try RawSocket(address)
                try socket.send(accepted)
                #expect(try socket.readAnswer().status == 100)
                try socket.send("hello")
                #expect(try socket.readAnswer().text == "POST / - 5\nhello")
            }
            // A body that will not be taken is not asked for.
            let refused = try await converse(address, head(101, "100-continue"))
            #expect(refused.hasPrefix("HTTP/1.1 413 "))
            #expect(try await converse(address, head(5, "tea")).hasPrefix("HTTP/1.1 417 "))
        }
    }

    @Test("A chunked body is put together; the connection ends with its answer")
    func chunked() async throws {
        try await withServer(handler: echo) { address, _ in
            let answer = try await converse(
                address,
                "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5;ext=1\r\nhello\r\n1\r\n,\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
                    + "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.hasSuffix("POST /c - 12\nhello, world"))
        }
    }

    @Test("The absolute form of a target is taken, what is no target is not")
    func targets() async throws {
        try await withServer(handler: echo) { address, _ in
            func first(_ target: String) async throws -> String {
                try await converse(
                    address,
                    "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
            }
            for (target, line) in [
                ("http://a/x?y", "GET /x y 0"), ("/a?b=%00&c", "GET /a b=%00&c 0"),
            ] {
                let answer = try await first(target)
                #expect(answer.hasSuffix("\(line)\n"))
            }
            for target in ["relative", "/\u{E9}", "*x", "//"] {
                let answer = try await first(target)
                #expect(answer.hasPrefix("HTTP/1.1 \(target == "//" ? 200 : 400) "))
            }
        }
    }

    @Test("IPv6 is served, and the peer's address is known")
    func peers() async throws {
        let handler: HTTPHandler = { .text(.ok, "\($0.remoteAddress?.address.description ?? "-")") }
        let server = try MicroHTTPDServer(
            at: try SocketAddress(parsing: "[::1]:0"),
            handler: handler
        )
        let address = try await server.start()
        #expect(try await SocketClient(address).exchange(HTTPRequest(.get, "/")).text == "::1")
        await server.stop(grace: .zero)
        try await withServer(handler: handler) { address, _ in
            let answer = try await SocketClient(address).exchange(HTTPRequest(.get, "/"))
            #expect(answer.text == "127.0.0.1")
        }
    }

    @Test("Ten thousand requests on one connection")
    func sequential() async throws {
        try await withServer(handler: echo) { address, _ in
            try await blocking {
                let socket = try RawSocket(address)
                for index in 0..<10_000 {
                    try socket.send("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try socket.readAnswer()
                    try #require(answer.text == "GET /\(index) - 0\n")
                }
            }
        }
    }

    @Test("Sixty-four kept connections at once")
    func parallel() async throws {
        try await withServer(handler: echo) { address, server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<64 {
                    group.addTask {
                        try await blocking { try Self.talk(address, client) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    private static func talk(_ address: SocketAddress, _ client: Int) throws {
        let socket = try RawSocket(address)
        let body = [UInt8](repeating: UInt8(client), count: 2000)
        for index in 0..<30 {
            let line = "POST /\(client)/\(index)"
            try socket.send("\(line) HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n")
            try socket.send(body)
            #expect(try socket.readAnswer().body == Array("\(line) - 2000\n".utf8) + body)
        }
    }
}
