import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

/// A local App Store whose root the tool is told to trust.
final class LocalAppStore: Sendable {
    static let shared = Result { try LocalAppStore() }
    static let now = CivilTime(year: 2024, month: 6, day: 1, hour: 12).instant

    let issuer: AppReceiptIssuer
    let folder: Folder
    let anchor: String

    private init() throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: Self.now))
        issuer = AppReceiptIssuer(authority: authority)
        folder = try Folder()
        anchor = try folder.write("root.pem", Array(authority.anchorsPEM.utf8))
    }

    /// What the tool says of a payload that this store signed.
    func inspect(_ payload: ReceiptPayload, _ options: [String] = []) throws -> Tool.Outcome {
        let words = ["inspect", "--anchor", anchor, "--at", "2024-06-01T12:00:00Z"]
        return try Tool.run(words + options, input: issuer.sign(payload))
    }

    static func receipt(_ purchases: [InAppPurchase] = []) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: .productionSandbox,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = purchases
        return receipt
    }

    static func purchase(
        _ id: Int,
        _ change: (inout InAppPurchase) -> Void = { _ in }
    )
        -> InAppPurchase
    {
        var purchase = InAppPurchase(
            productId: "com.example.coins",
            transactionId: String(2_000_000_000_000_000 + id)
        )
        purchase.productType = .consumable
        purchase.purchaseDate = now.advanced(by: .seconds(-id * 3600))
        change(&purchase)
        return purchase
    }
}

@Suite("Receipts of a local App Store")
struct IssuedTests {
    private let store: LocalAppStore

    init() throws { store = try LocalAppStore.shared.get() }

    @Test("A receipt is verified in the realm of its anchor, and refused without it")
    func realm() throws {
        let payload = try ReceiptPayload(LocalAppStore.receipt())
        let verified = try store.inspect(payload, ["--format", "json"])
        #expect(verified.exitCode == 0)
        #expect(try JSONText(verified.output)["realm"] as? String == "rehearsal")
        let refused = try Tool.run(["inspect"], input: store.issuer.sign(payload))
        #expect(refused.exitCode == 1)
        #expect(refused.output.contains(/give\s+its\s+root:\s+--anchor\s+FILE/))
    }

    @Test("Genuine texts are made harmless, too")
    func hostileTexts() throws {
        var receipt = LocalAppStore.receipt([
            LocalAppStore.purchase(1) { $0.productId = "\u{1B}]0;owned\u{7}\u{202E}" }
        ])
        receipt.bundleId = "com.\u{1B}[1A\u{1B}[2KVERIFIED\r\nVERIFIED"
        let outcome = try store.inspect(ReceiptPayload(receipt))
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("com.\\u{1b}[1A\\u{1b}[2KVERIFIED\\r\\nVERIFIED"))
        #expect(outcome.output.contains("\\u{1b}]0;owned\\u{7}\\u{202e}"))
        #expect(!outcome.output.unicodeScalars.contains { $0 != "\n" && $0.value < 0x20 })
        #expect(outcome.lines.filter { $0.hasPrefix("VERIFIED") }.count == 1)
    }

    @Test("Unknown attributes are shown and marked, and refuse nothing")
    func unknownAttributes() throws {
        var payload = try ReceiptPayload(LocalAppStore.receipt([LocalAppStore.purchase(1)]))
        payload.receipt.set(9999, .octets([1, 2, 3]))
        payload.receipt.set(4711, .text("something new"))
        payload.purchases[0].set(1732, .integer(5))
        let outcome = try store.inspect(payload)
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains(/9999 +\? +unknown +3 bytes +010203\n/))
        #expect(outcome.output.contains(/4711 +\? +unknown +something new\n/))
        #expect(outcome.output.contains(/1732 +\? +unknown +1 +5\n/))
    }

    @Test("What happened to a purchase stands beside it")
    func remarks() throws {
        let refunded = CivilTime(year: 2024, month: 5, day: 30).instant
        let purchases = [
            LocalAppStore.purchase(1) {
                $0.cancellationDate = refunded
                $0.quantity = 3
            },
            LocalAppStore.purchase(2) {
                $0.productId = "com.example.pro"
                $0.productType = .autoRenewableSubscription
                $0.expiresDate = LocalAppStore.now.advanced(by: .seconds(3 * 86_400))
                $0.isTrialPeriod = true
            },
            LocalAppStore.purchase(3) {
                $0.productId = "com.example.map"
                $0.productType = .nonConsumable
                $0.originalTransactionId = "2000000000000000"
            },
        ]
        let outcome = try store.inspect(ReceiptPayload(LocalAppStore.receipt(purchases)))
        #expect(outcome.output.contains("  refunded 2024-05-30, quantity 3\n"))
        #expect(outcome.output.contains("original 2000000000000002, runs out in 3 days"))
        #expect(outcome.output.contains(/2000000000000002 .* trial\n/))
        #expect(outcome.output.contains("2000000000000003  2000000000000000  2024-06-01 09:00:00"))
    }

    @Test("Purchases come newest first, whatever their order in the receipt")
    func order() throws {
        let ids = Array(1...9)
        func shown(_ order: AttributeOrder) throws -> [String] {
            var payload = try ReceiptPayload(
                LocalAppStore.receipt(ids.map { LocalAppStore.purchase($0) })
            )
            payload.order = order
            let outcome = try store.inspect(payload)
            return outcome.lines.filter { $0.hasPrefix("    2000000000000") }
                .map { String($0.dropFirst(4).prefix(16)) }
        }
        let expected = ids.map { String(2_000_000_000_000_000 + $0) }
        #expect(try shown(.der) == expected)
        #expect(try shown(.shuffled(seed: 4)) == expected)
    }

    @Test("Five thousand purchases are all there, for a person and as JSON")
    func manyPurchases() throws {
        let purchases = (1...5000).map { LocalAppStore.purchase($0) }
        let payload = try ReceiptPayload(LocalAppStore.receipt(purchases))
        let human = try store.inspect(payload)
        #expect(human.exitCode == 0)
        #expect(human.output.contains("Purchases (5000, newest first, UTC)"))
        #expect(human.lines.filter { $0.hasPrefix("    2000000000") }.count == 5000)
        let json = try store.inspect(payload, ["--format", "json"])
        let script = "import json, sys; print(len(json.load(sys.stdin)['receipt']['purchases']))"
        #expect(try Tool.python(script, json.output).output == "5000\n")
    }
}
