import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import HTTP
import HTTPServer
import HTTPTestSupport
import PurchaseService
import Synchronization
import Telemetry
import Testing

@testable import PurchaseServer

@Suite("The purchase server from start to stop")
struct ServerTests {
    private static func error(_ text: String) throws -> ConfigurationError {
        let configuration = try Configuration(parsing: Array(text.utf8))
        return try #require(throws: ConfigurationError.self) {
            try Server(configuration, log: MemorySink())
        }
    }

    @Test(
        "An address that is none is an error with its place",
        arguments: ["127.0.0.1", "8080", "::1:8080", "[::1]", "localhost:65536", "example.com:80"]
    )
    func address(text: String) throws {
        let error = try Self.error("{\n  \"listen\": \"\(text)\"}")
        #expect(error.code == ConfigurationError.invalidAddress)
        #expect(error.reason.hasPrefix("listen cannot be used: "))
        #expect(error.reason.hasSuffix(", at line 2, column 13"))
    }

    @Test(
        "A range of proxies that is none is an error with its place",
        arguments: ["x", "10.0.0.1/8"]
    )
    func network(text: String) throws {
        let error = try Self.error("{\"trustedProxies\": [\"::1\",\n\"\(text)\"]}")
        #expect(error.code == ConfigurationError.invalidNetwork)
        #expect(error.reason.hasPrefix("trustedProxies[1] is \"\(text)\"; expected"))
        #expect(error.reason.hasSuffix(", at line 2, column 1"))
    }

    @Test("What a configuration sets reaches the engine")
    func limits() throws {
        let text = """
            { "listen": "[::1]:9090", "maxBodyBytes": 2048, "trustedProxies": ["192.0.2.0/24"],
              "limits": { "connections": 7, "connectionsPerAddress": 3 },
              "deadlines": { "head": "1s", "body": "2s", "idle": "3s", "stop": "4s" } }
            """
        let server = try Server(Configuration(parsing: Array(text.utf8)), log: MemorySink())
        #expect(server.address.description == "[::1]:9090")
        #expect(server.limits.bodyBytes == 2048)
        #expect(server.limits.connections == 7)
        let proxy = try #require(IPAddress("192.0.2.9"))
        #expect(server.limits.exemptNetworks.contains { $0.contains(proxy) })
        #expect(server.limits.connectionsPerAddress == 3)
        #expect(server.limits.headDeadline == .seconds(1))
        #expect(server.limits.bodyDeadline == .seconds(2))
        #expect(server.limits.idleDeadline == .seconds(3))
        let plain = try Server(log: MemorySink())
        #expect(plain.limits == .default)
        #expect(plain.address == .loopback(port: 8080))
    }

    @Test("Warnings, start and stop are written down")
    func lines() async throws {
        let sink = MemorySink()
        let text = """
            { "apps": [ { "bundleId": "com.example.app",
                          "verifyReceipt": { "environment": "auto" } } ] }
            """
        let server = try Server(Configuration(parsing: Array(text.utf8)), log: sink)
        #expect(server.warnings.count == 1)
        try await server.runLive { _ in }
        #expect(
            try sink.lines.map { try JSONValue(parsing: Array($0.utf8))["event"]?.string } == [
                "configuration.warning", "server.started", "server.stopping", "server.stopped",
            ]
        )
        let warning = try #require(try sink.lines(of: "configuration.warning").first)
        #expect(warning["level"] == "warning")
        #expect(warning["code"] == "configuration.automatic_environment")
        #expect(
            try sink.lines(of: "server.started").first?["listen"]?.string?.hasPrefix("127.0.0.1:")
                == true
        )
    }

    @Test("An address in use ends the run with its error")
    func addressInUse() async throws {
        let server = try Rehearsal.server()
        try await server.runLive { address in
            let second = try Server(
                Configuration(parsing: Array("{\"listen\": \"\(address)\"}".utf8)),
                log: MemorySink()
            )
            let error = await #expect(throws: HTTPServingError.self) {
                try await second.run(
                    on: { address, limits, observer, handler throws(HTTPServingError) in
                        try MicroHTTPDServer(
                            at: address,
                            limits: limits,
                            observer: observer,
                            handler: handler
                        )
                    },
                    until: {}
                )
            }
            #expect(error?.code == HTTPServingError.addressInUse)
        }
    }

    @Test("What is in flight when told to stop is answered before the end")
    func gracefulStop() async throws {
        let sink = MemorySink()
        let server = try Rehearsal.server(log: sink)
        let bytes = body(Rehearsal.receipt)
        let inFlight = Mutex<Task<Int, any Error>?>(nil)
        try await server.runLive { address in
            // The head and half of the body are there when the stop comes.
            let task = Task {
                try await blocking {
                    let request = SocketClient.serialize(
                        HTTPRequest(.post, "/verifyReceipt", body: bytes)
                    )
                    let socket = try RawSocket(address, timeoutSeconds: 120)
                    let half = request.count / 2
                    try socket.send(Array(request[..<half]))
                    Thread.sleep(forTimeInterval: 0.3)
                    try socket.send(Array(request[half...]))
                    return try socket.readAnswer(bodiless: false).status
                }
            }
            inFlight.withLock { $0 = task }
            try await Task.sleep(for: .milliseconds(100))
        }
        let task = try #require(inFlight.withLock { $0 })
        #expect(try await task.value == 200)
        #expect(try sink.lines(of: "request").first?["status"] == 0)
    }

    @Test("Many clients at once each get their own answer")
    func concurrency() async throws {
        let server = try Rehearsal.server()
        try await server.runLive { address in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<32 {
                    group.addTask {
                        let receipt =
                            index.isMultiple(of: 2) ? Rehearsal.receipt : [0x30, 0x03, 1, 2, 3]
                        let answer = try await PatientClient(address).exchange(
                            HTTPRequest(.post, "/verifyReceipt", body: body(receipt))
                        )
                        let status = try answer.json["status"]
                        #expect(status == (index.isMultiple(of: 2) ? 0 : 21002))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
