import CounterfoilTestSupport
import Foundation
import Testing

@Suite("docs/LEDGER.md and docs/EVENTS.md")
struct LedgerDocumentTests {
    @Test("Every command of them does what is said, and shows what is shown")
    func commands() throws {
        let folder = try Folder()
        try folder.write("rehearsal.json", CodeBlocks.of("json", in: "docs/LEDGER.md")[0])
        let tools = Tool.binary.deletingLastPathComponent().path
        let path = "\(tools):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let blocks =
            try CodeBlocks.of("sh", in: "docs/LEDGER.md")
            + CodeBlocks.of("sh", in: "docs/EVENTS.md")
        let commands = blocks.joined().split(separator: "\n").map(String.init)
        #expect(commands.count == 13)
        var shown: [String] = []
        for command in commands {
            let outcome = try Shell.run(command, in: folder.path, environment: ["PATH": path])
            #expect(outcome.exitCode == 0, "\(command): \(outcome.error)\(outcome.output)")
            if command.contains("ledger show") { shown.append(outcome.output) }
        }
        let block = try CodeBlocks.of("", in: "docs/LEDGER.md")
            .first { $0.hasPrefix("Lineage ") }
        #expect(Self.lasting(try #require(block)) == Self.lasting(try #require(shown.first)))
        #expect(shown[1].contains("\n  Refunded  "))
        #expect(shown[2].contains("\n  Active  "))
    }

    /// A story without what is another one each time: digests, and when it was recorded.
    private static func lasting(_ text: String) -> String {
        text.replacing(/\b[0-9a-f]{8}\b/, with: "digest")
            .replacing(/(#\d+  )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) { "\($0.1)recorded" }
            .replacing(/\((in )?\d+ \w+( ago)?\)/, with: "(age)")
    }

    @Test("Every member of an event that is written is listed, and every listed one is written")
    func eventMembers() throws {
        var written = Members()
        for event in try Self.eventsOfAllShapes() { written.add(event.object, "event") }
        let document = try ProjectDocument("docs/EVENTS.md")
        let common = Set(document.names(under: "### Of every event"))
        let listed = [
            "event": common.union(document.names(under: "### Of a change"))
                .union(document.names(under: "### Of an occurrence")),
            "cause": Set(document.names(under: "### `cause`")),
            "after": Set(document.names(under: "### `before` and `after`")),
            "reasons": Set(document.names(under: "### `reasons`")),
        ]
        for (object, members) in listed { #expect(written[object] == members, "\(object)") }
        #expect(written["before"]?.isSubset(of: listed["after"] ?? []) == true)
        let details = document.rows(under: "### Of an occurrence").map { $0[1] }.joined()
        for member in written["details"] ?? [] { #expect(details.contains("`\(member)`")) }
    }

    @Test("The examples are events of types that there are, with members that there are")
    func examples() throws {
        let document = try ProjectDocument("docs/EVENTS.md")
        let types = document.names(under: "### Changes") + document.names(under: "### Occurrences")
        let examples = try CodeBlocks.of("json", in: "docs/EVENTS.md").map { try JSONText($0) }
        #expect(examples.count >= 4)
        let events = try Self.eventsOfAllShapes()
        for example in examples {
            let type = try #require(example.text("type"))
            #expect(types.contains(type))
            // Of the same type one that is really written has the same members.
            let real = events.filter { $0.text("type") == type }
            let keys = Set(example.object.keys)
            #expect(
                real.isEmpty
                    || real.contains { Set($0.object.keys).subtracting(["signer"]) == keys },
                "\(type)"
            )
            var members = Members()
            members.add(example.object, "event")
            for name in ["before", "after"] {
                let listed = Set(document.names(under: "### `before` and `after`"))
                #expect(members[name, default: []].isSubset(of: listed))
            }
        }
    }

    @Test("Every member of a story in JSON is listed, and every listed one is written")
    func storyMembers() throws {
        let books = try Self.fullBooks()
        var written = Members()
        for original in Set(try books.events().compactMap { $0.text("originalTransactionId") }) {
            let shown = try Tool.run([
                "ledger", "show", "--config", books.configuration, original, "--format", "json",
                "--known-at", "3", "--at", "2030-01-01",
            ])
            for story in try shown.jsonLines() { written.add(story.object, "story") }
            for story in try books.ledger("show", original, "--format", "json").jsonLines() {
                written.add(story.object, "story")
            }
        }
        let ledger = try ProjectDocument("docs/LEDGER.md")
        let answer = try ProjectDocument("docs/EVENTS.md").names(under: "### `before` and `after`")
        // The tests of events see one of Xcode.
        let story = Set(ledger.names(under: "## `ledger show --format json`")).subtracting([
            "signer"
        ])
        #expect(written["story"] == story)
        #expect(written["standing"] == Set(ledger.names(under: "### `standing`") + answer))
        #expect(
            written["purchases"] == Set(ledger.names(under: "### An element of `purchases`"))
        )
        #expect(written["entries"] == Set(ledger.names(under: "### An element of `entries`")))
        #expect(
            written["registers"]?.union(written["renewal"] ?? [])
                == Set(ledger.names(under: "## Who says what"))
        )
        let text = try String(
            contentsOf: Tool.package.appendingPathComponent("docs/LEDGER.md"),
            encoding: .utf8
        )
        for object in ["register", "document", "value", "transactions", "entitlements"] {
            let members = try #require(written[object], "\(object)")
            for member in members { #expect(text.contains("`\(member)`"), "\(object) \(member)") }
        }
    }

    // MARK: - Documents of all shapes

    private static let bought =
        #""transactionId": "500", "originalTransactionId": "500", "webOrderLineItemId": "900", "#
        + #""purchaseDate": "-20d", "expiresDate": "+10d""#

    /// A ledger in which much has happened.
    private static func fullBooks() throws -> Bookkeeper {
        let books = try Bookkeeper()
        let token = #""appAccountToken": "7e3fb204-2eb4-4d1b-8a12-0123456789ab""#
        let offer =
            #""offerType": 2, "offerIdentifier": "spring", "offerDiscountType": "PAY_AS_YOU_GO", "#
            + #""offerPeriod": "P1M""#
        let documents: [([String], String)] = [
            (
                ["notification"],
                #"{"notificationType": "SUBSCRIBED", "transaction": {\#(bought), \#(token), \#(offer)}}"#
            ),
            (
                ["notification"],
                """
                {"notificationType": "DID_CHANGE_RENEWAL_PREF", "subtype": "UPGRADE",
                 "transaction": {\(bought)},
                 "renewalInfo": {"originalTransactionId": "500",
                                 "autoRenewProductId": "com.example.app.pro.year"}}
                """
            ),
            (
                ["notification"],
                """
                {"notificationType": "REFUND", "transaction": {"revocationDate": "-1h",
                 "revocationReason": 1, "revocationType": "REFUND_PRORATED",
                 "revocationPercentage": 50000}}
                """
            ),
            (["notification"], #"{"notificationType": "CONSUMPTION_REQUEST"}"#),
            (["notification"], #"{"notificationType": "EXPIRED", "subtype": "VOLUNTARY"}"#),
            (
                ["notification"],
                #"{"notificationType": "DID_FAIL_TO_RENEW", "subtype": "GRACE_PERIOD"}"#
            ),
            (
                ["receipt"],
                #"{"purchases": [{"type": "consumable", "productId": "com.example.coins"}]}"#
            ),
            // It renews, and nobody tells so.
            (
                ["notification"],
                """
                {"notificationType": "SUBSCRIBED", "environment": "Production",
                 "transaction": {"expiresDate": "-1h", "purchaseDate": "-30d"},
                 "renewalInfo": {"renewalDate": "-1h"}}
                """
            ),
        ]
        for (index, (words, specification)) in documents.enumerated() {
            let file = try books.save("\(index)", words, specification, seed: index)
            try books.learn(file)
        }
        return books
    }

    /// Events of every shape.
    private static func eventsOfAllShapes() throws -> [JSONText] {
        let books = try fullBooks()
        // Without leeway, what renewal was awaited for is over: the rules tell so.
        try books.configure(#""renewalLeeway": "0s""#)
        let file = try books.save(
            "year",
            ["transaction"],
            """
            {"transactionId": "501", "originalTransactionId": "500", "webOrderLineItemId": "901",
             "productId": "com.example.app.pro.year", "purchaseDate": "-5d", "expiresDate": "+360d"}
            """
        )
        try books.learn(file)
        let brief = try books.save("brief", ["transaction"], #"{"expiresDate": "+2s"}"#, seed: 77)
        try books.learn(brief)
        sleep(3)
        // What the clock did is told first.
        try books.learn(brief)
        return try books.events() + eventsOfXcode()
    }

    private static func eventsOfXcode() throws -> [JSONText] {
        let books = try Bookkeeper()
        let authority = try Workbench.shared.get().authority
        try books.folder.write(
            "counterfoil.json",
            """
            { "database": "sqlite:xcode.db",
              "apps": [ { "bundleId": "com.example.app", "realm": "xcode",
                          "pinnedCertificates": ["\(authority)/storekit-signed-data.pem"] } ] }
            """
        )
        try books.learn(books.save("x.jws", ["transaction"], #"{"environment": "Xcode"}"#))
        return try books.events()
    }
}

/// The names of the members of objects, by the names under which the objects stand.
private struct Members {
    private var members: [String: Set<String>] = [:]

    subscript(object: String) -> Set<String>? { members[object] }

    subscript(object: String, default names: Set<String>) -> Set<String> {
        members[object, default: names]
    }

    /// Objects whose members are names of things, each of which is of one kind.
    private static let kinds = ["registers": "register", "renewal": "register"]

    mutating func add(_ object: [String: Any], _ name: String) {
        members[name, default: []].formUnion(object.keys)
        // What Apple says in details is Apple's.
        guard name != "details" else { return }
        for (key, value) in object {
            let kind = Self.kinds[name] ?? (key == "evidence" ? "document" : key)
            if let object = value as? [String: Any] {
                add(object, kind)
            } else {
                for element in value as? [[String: Any]] ?? [] { add(element, kind) }
            }
        }
    }
}
