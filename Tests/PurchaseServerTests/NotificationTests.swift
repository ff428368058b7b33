import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import HTTP
import HTTPTestSupport
import Journal
import PurchaseService
import Telemetry
import Testing

@testable import PurchaseServer

@Suite("Notifications over HTTP")
struct NotificationTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// A server with a record in an engine of its own, and where its lines go.
    private static func server(
        in engine: any StorageEngine = MemoryEngine(),
        _ log: MemorySink = MemorySink()
    ) async throws -> Server {
        let text = """
            { "database": "memory",
              "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["anchors.pem"],
                          "sharedSecrets": [ { "file": "secret" }, { "env": "NEXT" } ] } ] }
            """
        let configuration = try Configuration(parsing: Array(text.utf8))
        let read: Configuration.FileReader = { name in
            Array((name == "secret" ? secret + "\n" : Rehearsal.authority.anchorsPEM).utf8)
        }
        let clock = VirtualClock(at: Rehearsal.now)
        let record = try await PurchaseRecord(
            in: engine,
            configuration,
            ConfiguredApps(configuration, now: Rehearsal.now, reading: read),
            secrets: configuration.secrets(reading: read) { $0 == "NEXT" ? "the next one" : nil },
            clock: clock
        )
        return try Server(configuration, reading: read, clock: clock, log: log, record: record)
    }

    /// What a store sends when something is bought.
    private static func bought(
        secret: String = secret
    ) throws -> (v2: [UInt8], v1: [UInt8]) {
        let product = AppStoreSimulator.Product(
            "pro.month",
            .autoRenewable(.init(group: SubscriptionGroup("20000001"), period: .month)),
            Price(9_990, "USD")
        )
        var app = StoreApp(
            bundleId: "com.example.app",
            appAppleId: 1_234_567_890,
            products: [product]
        )
        app.sharedSecret = secret
        app.notificationVersions = [.v1, .v2]
        var store = LocalAppStore(at: Rehearsal.now, seed: 3)
        try store.add(app)
        let device = store.addDevice(of: store.openAccount())
        try store.buy("pro.month", of: app.bundleId, on: device)
        let happening = try #require(store.takeHappenings().first)
        let v2 = DeliveredDocument.notificationV2(try #require(happening.notificationV2))
        let v1 = DeliveredDocument.notificationV1(try #require(happening.notificationsV1.first))
        return (
            try v2.signed(by: Rehearsal.authority), try v1.signed(by: Rehearsal.authority)
        )
    }

    private static func post(
        _ body: [UInt8],
        to path: String = "/notifications",
        _ server: Server
    ) async -> HTTPResponse {
        await server.handler(HTTPRequest(.post, path, body: body))
    }

    private static func code(_ response: HTTPResponse) -> String? {
        response.fields[HTTPFieldName.code]
    }

    @Test("Both versions are accepted with the entry that holds them, at either address, and once")
    func accepted() async throws {
        let log = MemorySink()
        let server = try await Self.server(in: MemoryEngine(), log)
        let (v2, v1) = try Self.bought()
        let (_, next) = try Self.bought(secret: "the next one")
        var entries: [String?] = []
        for (body, path) in [
            (v2, "/notifications"), (v2, "/notifications/com.example.app"), (v1, "/notifications"),
            (next, "/notifications"),
        ] {
            let response = await Self.post(body, to: path, server)
            #expect(response.status == .ok)
            entries.append(response.fields[try #require(HTTPFieldName("Counterfoil-Entry"))])
        }
        #expect(entries[0] == entries[1] && entries[0] != nil)
        #expect(Set(entries.compactMap(\.self)).count >= 2)
        // Nothing of what vouches, and nothing signed, is written down.
        let lines = log.lines.joined(separator: "\n")
        #expect(!lines.contains(Self.secret) && !lines.contains("eyJ"))
        #expect(lines.contains(#""outcome":"duplicate""#))
    }

    @Test("Each row of the table of answers")
    func answers() async throws {
        let server = try await Self.server()
        let (v2, v1) = try Self.bought()
        let (_, unknown) = try Self.bought(secret: "nobody's")
        var forged = v2
        let place = forged.count - 20
        forged[place] = forged[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let rows: [(String, [UInt8], String, HTTPStatus, String?)] = [
            ("forged", forged, "/notifications", .forbidden, "signature.invalid"),
            (
                "unknown secret", unknown, "/notifications", .serviceUnavailable,
                "notification.password_unknown"
            ),
            (
                "other address", v2, "/notifications/com.example.b", .serviceUnavailable,
                "notification.other_address"
            ),
            ("no JSON", Array("no".utf8), "/notifications", .badRequest, nil),
            ("neither", Array("{}".utf8), "/notifications", .badRequest, nil),
            ("genuine", v1, "/notifications", .ok, nil),
        ]
        for (name, body, path, status, code) in rows {
            let response = await Self.post(body, to: path, server)
            #expect(response.status == status, "\(name)")
            if let code { #expect(Self.code(response) == code, "\(name)") }
            if status == .serviceUnavailable {
                #expect(response.fields[.retryAfter] != nil, "\(name)")
            }
            guard status != .ok, case .bytes(let bytes) = response.body else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(#""status":\#(status.code)"#), "\(name)")
            // Whoever guesses learns nothing of what would be right.
            #expect(!text.contains("fingerprint") && !text.contains("secret"), "\(name)")
        }
        let metrics = await server.handler(HTTPRequest(.get, "/metrics"))
        guard case .bytes(let bytes) = metrics.body else { return }
        let exposition = String(decoding: bytes, as: UTF8.self)
        #expect(
            exposition.contains(
                #"counterfoil_notifications_total{outcome="accepted",code="none"} 1"#
            )
        )
    }

    @Test("Without a record there is no such path, and other methods are refused")
    func noRecord() async throws {
        let (v2, _) = try Self.bought()
        let without = await Self.post(v2, try Rehearsal.server())
        #expect(without.status == .notFound)
        let get = try await Self.server().handler(HTTPRequest(.get, "/notifications"))
        #expect(get.status == .methodNotAllowed)
    }

    @Test("Where storage fails the answer is 503, and nothing was taken in")
    func storageFails() async throws {
        let engine = MemoryEngine()
        let server = try await Self.server(in: engine)
        await engine.close()
        let (v2, _) = try Self.bought()
        let response = await Self.post(v2, server)
        #expect(response.status == .serviceUnavailable)
        #expect(Self.code(response) == "storage.closed")
    }
}
