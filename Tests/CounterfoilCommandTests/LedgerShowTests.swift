import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil ledger show")
struct LedgerShowTests {
    private let books: Bookkeeper

    init() throws { books = try Bookkeeper() }

    private func show(_ words: String...) throws -> String {
        let outcome = try Tool.run(
            ["ledger", "show", "--config", books.configuration] + words
        )
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        return outcome.output
    }

    private static let period = #""purchaseDate": "-3d", "expiresDate": "+27d""#

    @Test("A purchase is found by each of its numbers, and by the account's token")
    func numbers() throws {
        let token = "7e3fb204-2eb4-4d1b-8a12-0123456789ab"
        try books.learn(
            books.save(
                "t.jws",
                ["transaction"],
                """
                { "transactionId": "501", "originalTransactionId": "500",
                  "webOrderLineItemId": "900", "appTransactionId": "7001",
                  "appAccountToken": "\(token)" }
                """
            )
        )
        for number in ["501", "500", "900", "7001", token, token.uppercased()] {
            let shown = try show(number)
            #expect(shown.hasPrefix("Lineage 500  com.example.app, Sandbox, realm rehearsal\n"))
            #expect(!shown.lowercased().contains(token), "It stands behind a reference.")
        }
        let outcome = try books.ledger("show", "902")
        #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
        #expect(outcome.error.hasPrefix("counterfoil: nothing is known of 902\nhint: "))
    }

    @Test("It answers for any instant, by what is known now or was known then")
    func twoTimes() throws {
        let bought =
            #""transaction": {"purchaseDate": "2024-01-01T10:00:00Z", "#
            + #""expiresDate": "2024-02-01T10:00:00Z", "transactionId": "500""#
        try books.learn(
            books.save(
                "s.json",
                ["notification", "--at", "2024-01-01T10:00:05Z"],
                "{\"notificationType\": \"SUBSCRIBED\", \(bought)}}"
            )
        )
        let known = try #require(try books.events().last?.text("id")?.split(separator: "-").first)
        // Entries of one instant could not be told apart by it.
        usleep(1_100_000)
        let between = ISO8601DateFormatter().string(from: Date())
        usleep(1_100_000)
        try books.learn(
            books.save(
                "r.json",
                ["notification", "--at", "2024-01-10T09:00:03Z"],
                "{\"notificationType\": \"REFUND\", \(bought), "
                    + "\"revocationDate\": \"2024-01-10T09:00:00Z\"}}"
            )
        )
        #expect(try show("500").contains("\n  Refunded  com.example.app.pro.month\n"))
        #expect(try show("500", "--at", "2024-01-05").contains("\n  Active  "))
        #expect(try show("500", "--at", "2023-12-31").contains("\n  Not begun  "))
        let then = try show("500", "--at", "2024-01-11", "--known-at", String(known))
        #expect(then.contains("\n  Active  "))
        #expect(then.contains("asked    about 2024-01-11 00:00:00 UTC, by what was known after"))
        #expect(then.contains(/\nWhat was not known then \(UTC\)\n.*\n      told access.revoked/))
        #expect(try show("500", "--at", "2024-01-11", "--known-at", between) == then)
        #expect(try show("500", "--known-at", "1").contains("\n  Not known  "))
        let beyond = try books.ledger("show", "500", "--known-at", "99")
        #expect(beyond.exitCode == 64)
        #expect(beyond.error.contains("--known-at is 99, and the last entry is "))
    }

    @Test("What was bought once has words of its own")
    func oneTime() throws {
        try books.learn(
            books.save(
                "r.b64",
                ["receipt"],
                """
                { "purchases": [
                  { "type": "consumable", "productId": "com.example.coins", "quantity": 3,
                    "transactionId": "810" },
                  { "type": "nonConsumable", "productId": "com.example.map", "transactionId": "820" },
                  { "type": "consumable", "productId": "com.example.coins", "transactionId": "830",
                    "cancellationDate": "-1d", "cancellationReason": 0 } ] }
                """
            )
        )
        let coins = try show("810")
        #expect(coins.contains("\n  Bought  3 of com.example.coins\n"))
        #expect(coins.contains("\n  gives  300 credits\n"))
        let map = try show("820")
        #expect(map.contains("\n  Owned  com.example.map\n") && map.contains("until  no end\n"))
        #expect(map.contains("gives  nothing: no product of this name is configured\n"))
        #expect(try show("830").contains("\n  Refunded  com.example.coins\n"))
        try books.configure(#""sandboxAccess": "nobody""#)
        try books.learn(books.save("other.b64", ["receipt"], seed: 5))
        #expect(try show("810").contains("gives  nothing: sandboxAccess is \"nobody\"\n"))
    }

    @Test("A period that a higher one replaced is no refund, as receipts show it; a late refund is")
    func upgrade() throws {
        func learn(_ original: Int, cancelled: String) throws -> String {
            let month = """
                { "transactionId": "\(original)", "originalTransactionId": "\(original)",
                  "webOrderLineItemId": "\(original + 200)", "productId": "com.example.app.pro.month",
                  "purchaseDate": "2024-01-01T10:00:00Z", "expiresDate": "2024-02-01T10:00:00Z",
                  "cancellationDate": "\(cancelled)", "cancellationReason": 0 }
                """
            let year = """
                { "transactionId": "\(original + 1)", "originalTransactionId": "\(original)",
                  "webOrderLineItemId": "\(original + 201)", "productId": "com.example.app.pro.year",
                  "purchaseDate": "2024-01-09T10:00:00Z", "expiresDate": "2025-01-09T10:00:00Z" }
                """
            let specification = "{\"purchases\": [\(month), \(year)]}"
            try books.learn(books.save("\(original).b64", ["receipt"], specification))
            return try show("\(original)", "--at", "2024-01-20")
        }
        let upgraded = try learn(700, cancelled: "2024-01-09T10:00:01Z")
        #expect(upgraded.contains("\n  Active  com.example.app.pro.year\n"))
        #expect(upgraded.contains("  2024-02-01 10:00:00  upgraded\n"))
        #expect(upgraded.contains("  2025-01-09 10:00:00  decides\n"))
        let refunded = try learn(710, cancelled: "2024-03-01T00:00:00Z")
        #expect(refunded.contains("  2024-02-01 10:00:00  refunded 2024-03-01\n"))
    }

    @Test("A price is written as people do, an offer in words, a restored id beside the first one")
    func words() throws {
        for id in ["1001", "1002"] {
            let file = try books.save(
                "\(id).jws",
                ["transaction"],
                """
                { "transactionId": "\(id)", "originalTransactionId": "1000", \(Self.period),
                  "webOrderLineItemId": "901", "price": 9990, "currency": "EUR", "offerType": 1,
                  "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W",
                  "inAppOwnershipType": "FAMILY_SHARED" }
                """
            )
            try books.learn(file)
        }
        let shown = try show("1000")
        #expect(
            shown.contains("  9.99 EUR, introductory, free trial, for 1 week, family\n")
        )
        #expect(shown.contains(/\n    1001  +20.+ 9\.99 EUR.*\n    1002  +20.+  the same\n/))
        #expect(shown.contains("\n      told subscription.started, as of "))
    }

    @Test("What rests on less than a signature is said to")
    func secret() throws {
        let secret = try books.folder.write("secret", "open")
        let file = try books.save(
            "v1.json",
            ["notification", "--v1"],
            #"{"password": "open", "notification_type": "DID_RENEW"}"#
        )
        try books.learn(file, options: ["--shared-secret-file", secret])
        let original = try #require(try books.events().first?.text("originalTransactionId"))
        let shown = try show(original)
        #expect(shown.contains("notification V1 "))
        #expect(shown.contains(/\n  renewalChoice .*  a secret\n/))
    }

    @Test("A screen is never overrun, and shows the newest of a long history", arguments: [40, 80])
    func terminal(columns: Int) throws {
        try books.learn(books.save("many.b64", ["receipt"], #"{"purchases": 65}"#, seed: 3))
        try books.learn(
            books.save(
                "grace.json",
                ["notification"],
                #"{"notificationType": "DID_FAIL_TO_RENEW", "subtype": "GRACE_PERIOD"}"#,
                seed: 4
            )
        )
        let config = books.configuration
        func lines(_ words: [String]) throws -> [String] {
            let shown = try PseudoTerminal.show(
                ["ledger"] + words + ["--config", config],
                columns: columns
            )
            #expect(shown.contains("\u{1B}["), "It is coloured.")
            let lines = PseudoTerminal.plain(shown).components(separatedBy: "\n")
            for line in lines { #expect(line.count <= columns, "\(line)") }
            return lines
        }
        let originals = Set(try books.events().compactMap { $0.text("originalTransactionId") })
        #expect(originals.count == 2)
        var more = 0
        for original in originals {
            let shown = try lines(["show", original])
            #expect(columns == 40 || shown.count < 50)
            if shown.contains(where: { $0.contains("53 older ones are not shown") }) { more += 1 }
            let all = try show(original)
            #expect(!all.contains("not shown"))
        }
        #expect(more == 1)
        _ = try lines(["stats"])
        _ = try lines(["check"])
        try books.damage("UPDATE lineages SET v = substr(v, 1, length(v) - 1)")
        #expect(try lines(["check"]).contains { $0.hasPrefix("wrong  lineages  ") })
    }
}
