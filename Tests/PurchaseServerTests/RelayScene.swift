import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import HTTP
import PurchaseService
import Synchronization
import Telemetry
import Testing
import VerifyReceiptTestSupport

@testable import PurchaseServer

/// A server whose app has a stand-in for Apple asked, over real sockets on both sides.
final class RelayScene: Sendable {
    /// What we find of a receipt that is sent.
    enum Sent: String, CaseIterable {
        case proved, undecided, refused

        var receipt: [UInt8] {
            switch self {
            case .proved: Rehearsal.receipt
            case .undecided: Self.future
            case .refused: Self.spoilt
            }
        }

        /// Our own status.
        var status: JSONValue {
            switch self {
            case .proved: 0
            case .undecided: 21009
            case .refused: 21003
            }
        }

        /// Dated an hour ahead of the server's clock.
        private static let future: [UInt8] = {
            let receipt = AppReceipt(
                receiptType: .production,
                bundleId: "com.example.app",
                creationDate: Rehearsal.now.advanced(by: .seconds(3600))
            )
            return try! AppReceiptIssuer(authority: Rehearsal.authority).issue(receipt)
        }()

        /// With another last byte, which is one of the signature.
        private static let spoilt: [UInt8] = {
            var receipt = Rehearsal.receipt
            receipt[receipt.count - 1] ^= 1
            return receipt
        }()
    }

    let sink = MemorySink()
    /// What the stand-in answers from now on, at either address.
    let reply = Mutex(AppleStandIn.Reply.status(21005))

    private let client = Mutex<PatientClient?>(nil)

    /// Runs a test against a server of a mode.
    static func with(
        _ mode: RelayMode,
        _ settings: String = "",
        rules: String = "",
        test: @Sendable @escaping (RelayScene, AppleStandIn) async throws -> Void
    ) async throws {
        let scene = RelayScene()
        try await AppleStandIn.with { _, _ in
            scene.reply.withLock { $0 }
        } test: { standIn, address in
            let server = try scene.server(mode, address, settings, rules)
            try await server.runLive { bound in
                scene.client.withLock { $0 = PatientClient(bound) }
                try await test(scene, standIn)
            }
        }
    }

    private func server(
        _ mode: RelayMode,
        _ address: String,
        _ settings: String,
        _ rules: String
    ) throws -> Server {
        let text = """
            { "appleVerifyReceipt": {
                "production": "\(address)/verifyReceipt",
                "sandbox": "\(address)/sandbox/verifyReceipt"\(settings) },
              "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["anchors.pem"],
                          "verifyReceipt": { "relay": "\(mode.rawValue)"\(rules) } } ] }
            """
        return try Server(
            Configuration(parsing: Array(text.utf8)),
            reading: { _ in Array(Rehearsal.authority.anchorsPEM.utf8) },
            clock: VirtualClock(at: Rehearsal.now),
            pace: VirtualPace(),
            log: sink
        )
    }

    /// Has the stand-in answer so from now on.
    func give(_ reply: AppleStandIn.Reply) { self.reply.withLock { $0 = reply } }

    /// Sends a receipt, and returns the answer.
    func send(
        _ receipt: [UInt8],
        _ others: String = "",
        to path: String = "/verifyReceipt"
    ) async throws -> HTTPExchange {
        let client = try #require(client.withLock { $0 })
        return try await client.exchange(HTTPRequest(.post, path, body: body(receipt, others)))
    }

    /// A sample of the metrics; nil where there is none.
    func sample(_ name: String) async throws -> String? {
        let client = try #require(client.withLock { $0 })
        let text = try await client.exchange(HTTPRequest(.get, "/metrics")).text
        return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// Waits until something that happens behind the answers has happened.
    func wait(until isSo: () async throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("it did not happen within half a minute")
    }
}
