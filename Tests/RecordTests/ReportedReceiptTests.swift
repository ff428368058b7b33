import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Journal
import Ledger
import RecordTestSupport
import Testing

/// Shapes of receipts and of notifications of version 1 that made other servers lose purchases.
@Suite("Receipts and notifications of unexpected shapes")
struct ReportedReceiptTests {
    /// A subscription in its third period, and the notification that told of it in version 1.
    private static func subscribed(
        at start: String = "2026-01-01T10:00:00Z"
    ) async throws -> (shop: Shop, number: TransactionNumber, v1: StoreNotificationV1) {
        var shop = try await Shop(at: start)
        let number = try shop.buy("silver.month")
        shop.wait(days: 70)
        let v1 = try #require(shop.happened().last?.notificationsV1.first)
        return (shop, number, v1)
    }

    private static func body(
        _ notification: StoreNotificationV1,
        _ change: (inout ResponseBodyV1) -> Void = { _ in }
    ) throws -> [UInt8] {
        var body = try notification.body(signedBy: Record.authority.get())
        change(&body)
        return body.json(password: Redacted(Record.secret))
    }

    /// What each document alone says now.
    private static func standings(
        _ shop: Shop,
        of number: some CustomStringConvertible,
        _ documents: [[UInt8]]
    ) async throws -> [PlainStanding?] {
        var standings: [PlainStanding?] = []
        for document in documents {
            let record = try await shop.afresh([document])
            standings.append(
                PlainStanding(
                    try await record.journal.reader.standing(
                        of: Record.lineage(number),
                        at: shop.store.now
                    )
                )
            )
        }
        return standings
    }

    @Test("The order in which purchases are listed means nothing")
    func order() async throws {
        var (shop, number, v1) = try await Self.subscribed()
        var receipt = try shop.receipt()
        var random = SeededRandom(seed: 1)
        var documents: [[UInt8]] = []
        for _ in 0..<6 {
            receipt.receipt.inApp.shuffle(using: &random)
            documents.append(
                try DeliveredDocument.appReceipt(receipt).signed(by: Record.authority.get())
            )
            documents.append(
                try Self.body(v1) { body in
                    body.unifiedReceipt?.latestReceiptInfo?.shuffle(using: &random)
                }
            )
        }
        let standings = try await Self.standings(shop, of: number, documents)
        #expect(Set(standings).count == 1)
        #expect(standings[0]?.state == .active)
        #expect(standings[0]?.expiresDate == Record.instant("2026-04-01T10:00:00Z"))
    }

    @Test("An empty receipt says nothing, and takes nothing away")
    func emptyReceipt() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        try shop.buy("pro")
        try await shop.notify()
        let told = try await shop.told()
        var receipt = try shop.receipt()
        receipt.receipt.inApp = []
        try await shop.hear(.appReceipt(receipt))
        #expect(try await shop.standing(of: number)?.state == .active)
        #expect(try await shop.entitlements() == ["pro", "silver.month"])
        #expect(try await shop.told() == told)
        #expect(try await shop.afresh([.appReceipt(receipt)]).lineages().isEmpty)
    }

    @Test(
        "Without its lists, and with every optional member absent, the receipt inside still counts"
    )
    func missingMembers() async throws {
        let (shop, number, v1) = try await Self.subscribed()
        let whole = try Self.body(v1)
        let documents = [
            whole,
            try Self.body(v1) { $0.unifiedReceipt?.latestReceiptInfo = [] },
            try Self.body(v1) { $0.unifiedReceipt?.latestReceiptInfo = nil },
            try Self.body(v1) { $0.unifiedReceipt?.pendingRenewalInfo = [] },
            try Self.body(v1) { body in
                var least = ResponseBodyV1()
                least.notificationType = body.notificationType
                (least.bid, least.environment) = (body.bid, body.environment)
                var receipt = UnifiedReceipt()
                receipt.latestReceipt = body.unifiedReceipt?.latestReceipt
                least.unifiedReceipt = receipt
                body = least
            },
        ]
        let standings = try await Self.standings(shop, of: number, documents)
        #expect(standings[0]?.state == .active && Set(standings).count == 1)
    }

    @Test("Ids and flags as numbers or as text are the same, and ids are exact beyond 2^53")
    func types() async throws {
        let (shop, number, v1) = try await Self.subscribed()
        let text = String(decoding: try Self.body(v1), as: UTF8.self)
        let numbers = text.replacing(/"([a-z_]+)":"(\d+)"/) { "\"\($0.1)\":\($0.2)" }
        let flags = text.replacing(/"(true|false)"/) { "\($0.1)" }
        let nulls = text.replacing("{", with: #"{"expiration_intent":null,"#, maxReplacements: 1)
        let empty = text.replacing("{", with: #"{"expiration_intent":"","#, maxReplacements: 1)
        #expect(numbers != text && flags != text)
        let standings = try await Self.standings(
            shop,
            of: number,
            [text, numbers, flags, nulls, empty].map { Array($0.utf8) }
        )
        #expect(standings[0]?.state == .active && Set(standings).count == 1)

        let large = "9007199254740993"
        let record = try await shop.afresh([
            Array(numbers.replacing(number.description, with: large).utf8)
        ])
        #expect(try await record.lineages().map(\.originalTransactionId).contains(large))
    }

    @Test("A date counts in whichever of its forms it stands")
    func dates() async throws {
        let (shop, number, v1) = try await Self.subscribed()
        let text = String(decoding: try Self.body(v1), as: UTF8.self)
        func keeping(_ suffixes: [String]) -> [UInt8] {
            var text = text
            for suffix in ["", "_ms", "_pst"] where !suffixes.contains(suffix) {
                for name in ["purchase_date", "expires_date", "original_purchase_date"] {
                    let member = try! Regex("\"\(name)\(suffix)\":\"[^\"]*\",?")
                    text = text.replacing(member, with: "")
                }
            }
            return Array(text.replacing(",}", with: "}").utf8)
        }
        let documents = [["", "_ms", "_pst"], ["_ms"], [""], ["", "_pst"], ["", "_ms"]].map(keeping)
        let standings = try await Self.standings(shop, of: number, documents)
        #expect(standings[0]?.state == .active && Set(standings).count == 1)
        // What stands beside the receipt alone, whose own dates would hide it.
        for document in documents {
            let record = try await shop.afresh([document])
            let row = try await record.journal.reader.lineage(Record.lineage(number))
            #expect(row?.told.lineage.purchases.count == 3)
        }
    }

    @Test("One transaction as an object and many in a list say the same")
    func objectAndList() async throws {
        let (shop, number, v1) = try await Self.subscribed(at: "2020-03-01T10:00:00Z")
        let whole = try v1.body(signedBy: Record.authority.get())
        #expect(whole.latestReceiptInfo != nil && whole.unifiedReceipt != nil)
        let documents = [
            try Self.body(v1),
            try Self.body(v1) { ($0.latestReceiptInfo, $0.latestReceipt) = (nil, nil) },
            try Self.body(v1) { $0.unifiedReceipt = nil },
        ]
        let standings = try await Self.standings(shop, of: number, documents)
        #expect(standings[0]?.state == .active && Set(standings).count == 1)
    }

    @Test("A consumable that leaves the receipt stays credited, and shown again credits no more")
    func consumables() async throws {
        var shop = try await Shop()
        let number = try shop.buy("coins", quantity: 3)
        let before = try shop.receipt()
        for _ in 0..<3 { try await shop.hear(.appReceipt(before)) }
        #expect(try await shop.credits() == 300)
        try shop.store.finish(number)
        shop.wait(days: 1)
        let after = try shop.receipt()
        #expect(after.receipt.inApp.isEmpty)
        try await shop.hear(.appReceipt(after))
        try await shop.hear(.appReceipt(before))
        #expect(try await shop.credits() == 300)
        #expect(try await shop.told() == ["purchase.made"])
    }

    /// A shop that sells a season, which ends when the catalogue says so.
    private static func seasons() async throws -> Shop {
        var app = Lives.app
        app["season"] = AppStoreSimulator.Product("season", .nonRenewing, Price(4_990, "USD"))
        return try await Shop(app: app)
    }

    /// A purchase as each kind of document tells of it that has it.
    private static func documents(
        of number: TransactionNumber,
        _ shop: inout Shop
    ) throws -> [DeliveredDocument] {
        let notification = try #require(shop.happened().last?.notificationV2)
        return [
            .notificationV2(notification), .appReceipt(try shop.receipt()),
            .transactionReceipt(
                try shop.store.transactionReceipt(of: number, on: shop.phone).receipt
            ),
        ]
    }

    @Test("A purchase without an end has none but the catalogue's, whatever document tells of it")
    func withoutEnd() async throws {
        var shop = try await Self.seasons()
        let number = try shop.buy("season")
        var rules = Record.rules()
        for document in try Self.documents(of: number, &shop) {
            let record = try await shop.afresh([document])
            func standing(after days: Int64) async throws -> Standing? {
                try await record.journal.reader.standing(
                    of: Record.lineage(number),
                    at: shop.store.now.advanced(by: .seconds(days * 86_400))
                )
            }
            rules.products["season"] = ProductRule(entitlements: ["season"])
            _ = try await record.journal.writer.revise(rules, of: Record.scope)
            let endless = try await standing(after: 1_000)
            #expect(endless?.state == .active)
            #expect(endless?.expiresDate == nil && endless?.nextChangeAt == nil)
            rules.products["season"]?.duration = .seconds(30 * 86_400)
            _ = try await record.journal.writer.revise(rules, of: Record.scope)
            #expect(try await standing(after: 29)?.state == .active)
            #expect(try await standing(after: 30)?.state == .expired)
        }
    }

    @Test("A consumable gives its quantity of credits, whatever document tells of it")
    func quantity() async throws {
        var shop = try await Shop()
        let number = try shop.buy("coins", quantity: 3)
        let documents = try Self.documents(of: number, &shop)
        for document in documents + documents { try await shop.hear(document) }
        #expect(try await shop.credits() == 300)
        for document in documents {
            let alone = try await Shop()
            try await alone.hear(document)
            #expect(try await alone.credits() == 300)
        }
    }
}
