import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import HTTP
import HTTPClient
import HTTPServer
import HTTPTestSupport
import PurchaseService
import Synchronization
import Telemetry
import Testing

@testable import PurchaseServer

/// A rehearsal of one app, made once: keys take a second.
enum Rehearsal {
    static let now = AppStoreDate.parse("2026-01-15T12:00:00Z")!

    static let authority = try! SigningAuthority(profile: AuthorityProfile(now: now))

    /// A production receipt with one open period of a subscription.
    static let receipt: [UInt8] = {
        var purchase = InAppPurchase(
            productId: "com.example.pro.month",
            transactionId: "200000000000001"
        )
        purchase.purchaseDate = AppStoreDate.parse("2026-01-10T08:00:00Z")
        purchase.expiresDate = AppStoreDate.parse("2026-02-10T08:00:00Z")
        return try! sign(.production, [purchase])
    }()

    static func sign(
        _ type: ReceiptType,
        bundleId: String = "com.example.app",
        _ purchases: [InAppPurchase] = []
    ) throws -> [UInt8] {
        var receipt = AppReceipt(receiptType: type, bundleId: bundleId, creationDate: now)
        receipt.inApp = purchases
        return try AppReceiptIssuer(authority: authority).issue(receipt)
    }

    static func server(
        log: any LogSink = MemorySink(),
        _ members: String = ""
    ) throws -> Server {
        let text = """
            { \(members)
              "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["anchors.pem"] } ] }
            """
        return try Server(
            Configuration(parsing: Array(text.utf8)),
            reading: { _ in Array(authority.anchorsPEM.utf8) },
            clock: VirtualClock(at: now),
            log: log
        )
    }
}

/// The two ways to bring a request to a server.
enum Way: String, CaseIterable, CustomTestStringConvertible {
    case inMemory, live

    var testDescription: String { rawValue }

    /// Runs a test against a server, which is stopped after it.
    func with(
        _ server: Server,
        _ test: @Sendable @escaping (any HTTPExchanging) async throws -> Void
    ) async throws {
        switch self {
        case .inMemory:
            try await test(InMemoryServer(limits: server.limits, handler: server.handler))
        case .live:
            try await server.runLive { address in try await test(PatientClient(address)) }
        }
    }
}

/// A client that waits long: other tests may keep every thread busy on which handlers run.
struct PatientClient: HTTPExchanging {
    private let address: SocketAddress

    init(_ address: SocketAddress) { self.address = address }

    func exchange(_ request: HTTPRequest) async throws -> HTTPExchange {
        let bytes = SocketClient.serialize(request)
        let isHead = request.method == .head
        let answer = try await blocking {
            let socket = try RawSocket(address, timeoutSeconds: 120)
            try socket.send(bytes)
            return try socket.readAnswer(bodiless: isHead)
        }
        let status = try #require(HTTPStatus(code: answer.status))
        return HTTPExchange(status: status, fields: answer.fields, body: answer.body)
    }
}

extension Server {
    /// Serves on a free port of loopback while a test runs.
    func runLive(_ test: @Sendable @escaping (SocketAddress) async throws -> Void) async throws {
        let failure = Mutex<(any Error)?>(nil)
        let bound = Mutex<SocketAddress?>(nil)
        try await run(
            on: { _, limits, observer, handler throws(HTTPServingError) in
                var limits = limits
                limits.handlerDeadline = .seconds(120)
                return try MicroHTTPDServer(
                    at: .loopback(port: 0),
                    limits: limits,
                    observer: observer,
                    handler: handler
                )
            },
            asking: { (_) throws(HTTPCallError) in try CurlClient() },
            started: { address in bound.withLock { $0 = address } },
            until: {
                do {
                    try await test(try #require(bound.withLock { $0 }))
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        )
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// A request body with a receipt's bytes.
func body(_ receipt: [UInt8], _ others: String = "") -> [UInt8] {
    Array("{\"receipt-data\":\"\(Base64.encode(receipt.span))\"\(others)}".utf8)
}

extension HTTPExchange {
    /// The body as JSON.
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }

    /// The value of a field.
    func field(_ name: String) -> String? { HTTPFieldName(name).flatMap { fields[$0] } }
}

extension MemorySink {
    /// The lines of an event, as JSON.
    func lines(of event: String) throws -> [JSONValue] {
        try lines.map { try JSONValue(parsing: Array($0.utf8)) }.filter {
            $0["event"]?.string == event
        }
    }
}
