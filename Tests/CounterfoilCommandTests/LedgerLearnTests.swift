import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil ledger learn")
struct LedgerLearnTests {
    private let books: Bookkeeper

    init() throws { books = try Bookkeeper() }

    @Test("Everything in a folder is learned, whatever it is, and the ledger in it passed over")
    func folder() throws {
        try books.save("a.b64", ["receipt"], seed: 1)
        try books.save("b.b64", ["transaction-receipt"], seed: 2)
        try books.save("c.jws", ["transaction"], seed: 3)
        try books.save("d.json", ["notification"], #"{"notificationType": "SUBSCRIBED"}"#, seed: 4)
        try books.save("e.json", ["notification", "--v1"], #"{"password": "open"}"#, seed: 5)
        try books.save("f.jws", ["app-transaction"], seed: 6)
        let secret = try books.folder.write("secret", "open\n")
        let options = ["--shared-secret-file", secret]
        let files = ["a.b64", "b.b64", "c.jws", "d.json", "e.json", "f.jws"]
        let first = try books.learn(books.folder.path("c.jws"), options: options)
        #expect(first.error == "1 document learned.\n")
        let all = try Tool.run(
            ["ledger", "learn", "--config", books.configuration, books.folder.path] + options
        )
        #expect(all.exitCode == 1, "The configuration and the secret are no documents.")
        #expect(
            all.error == "5 documents learned, 1 known before, 2 refused.\n",
            "\(all.output)"
        )
        let lines = try all.jsonLines()
        #expect(!lines.contains { $0.text("source")?.contains("ledger.db") == true })
        let learned = lines.filter { $0["learned"] != nil }
        #expect(
            learned.compactMap { $0.text("source")?.split(separator: "/").last.map(String.init) }
                == files
        )
        let kinds = learned.compactMap { ($0["learned"] as? [[String: Any]])?.first?["kind"] }
        #expect(
            kinds as? [String] == [
                "appReceipt", "transactionReceipt", "transaction", "notification",
                "notificationV1", "appTransaction",
            ]
        )
    }

    @Test("An answer of the Server API is learned document by document")
    func answer() throws {
        let transaction = try books.save("t.jws", ["transaction"], seed: 1)
        let renewal = try books.save("r.jws", ["renewal-info"], seed: 1)
        let texts = try [transaction, renewal].map {
            try String(contentsOfFile: $0, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
        let answer = """
            { "data": [ { "lastTransactions": [ { "status": 1,
              "signedTransactionInfo": "\(texts[0])", "signedRenewalInfo": "\(texts[1])" } ] } ] }
            """
        let file = try books.folder.write("answer.json", answer)
        let learned = try books.learn(file).jsonLines()[0]["learned"] as? [[String: Any]]
        #expect(learned?.map { $0["kind"] as? String } == ["transaction", "renewalInfo"])
        // Alone, renewal info names no app.
        let alone = try books.ledger("learn", renewal)
        #expect(alone.exitCode == 1)
        #expect(try alone.jsonLines()[0].text("refused") == "app.none_named")
    }

    @Test(
        "What is not proved, or of another app, is refused with its code, and nothing of it is kept",
        arguments: [
            (["receipt", "--flaw", "leafMarkerMissing"], "{}", "chain.leaf_marker_missing"),
            (["transaction"], #"{"bundleId": "com.other"}"#, "app.not_configured"),
            (["transaction"], #"{"environment": "Xcode"}"#, "chain.untrusted_root"),
            (["notification", "--v1"], #"{"password": "x"}"#, "notification.password_unknown"),
        ]
    )
    func refusals(words: [String], specification: String, code: String) throws {
        let file = try books.save("document", words, specification)
        let outcome = try books.ledger("learn", file)
        #expect(outcome.exitCode == 1)
        #expect(outcome.error == "0 documents learned, 1 refused.\n")
        let line = try outcome.jsonLines()[0]
        #expect(line.text("refused") == code)
        #expect(line.text("reason")?.isEmpty == false)
        #expect(try books.events().isEmpty)
        #expect(try books.ledger("stats").output.contains(/\nevidence +0\b/))
    }

    @Test("A file that cannot be read leaves it undecided, and the others are learned")
    func unreadable() throws {
        let file = try books.save("t.jws", ["transaction"])
        let outcome = try books.ledger("learn", books.folder.path("none"), file)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error == "1 document learned, 1 not read or not kept.\n")
        let error = try outcome.jsonLines()[0].text("error")
        #expect(error?.hasSuffix("there is no such file") == true)
    }

    @Test("Learning again changes nothing, and says so")
    func again() throws {
        let file = try books.save("n.json", ["notification"], #"{"notificationType": "REFUND"}"#)
        func learned(_ outcome: Tool.Outcome) throws -> [String: Any] {
            let learned = try outcome.jsonLines()[0]["learned"] as? [[String: Any]]
            return try #require(learned?.first)
        }
        let first = try learned(books.learn(file))
        let events = try books.ledger("events").output
        let again = try books.learn(file)
        #expect(again.error == "0 documents learned, 1 known before.\n")
        let second = try learned(again)
        #expect(first["wasKnown"] as? Bool == false && second["wasKnown"] as? Bool == true)
        #expect(first["position"] as? String == second["position"] as? String)
        #expect(try books.ledger("events").output == events)
    }

    @Test("Without a configuration, documents of the App Store alone are learned")
    func withoutApps() throws {
        let file = try books.save("t.jws", ["transaction"])
        let outcome = try Tool.run(["ledger", "learn", "--database", books.database, file])
        #expect(outcome.exitCode == 1)
        #expect(outcome.error.hasPrefix("note: no app is configured"))
        #expect(try outcome.jsonLines()[0].text("refused") == "chain.untrusted_root")
    }
}

@Suite("A ledger that cannot be opened")
struct LedgerRefusalTests {
    private let books: Bookkeeper

    init() throws { books = try Bookkeeper() }

    /// Whether the complaint says what was found, and what to do.
    private func expect(
        _ words: [String],
        _ exitCode: Int32,
        says found: String,
        hints: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try Tool.run(["ledger"] + words)
        #expect(outcome.exitCode == exitCode, "\(outcome.error)", sourceLocation: location)
        #expect(outcome.output.isEmpty, sourceLocation: location)
        let lines = outcome.error.split(separator: "\n")
        #expect(lines[0].contains(found), "\(outcome.error)", sourceLocation: location)
        #expect(
            lines.dropFirst().contains { $0.hasPrefix("hint: ") && $0.contains(hints) },
            "\(outcome.error)",
            sourceLocation: location
        )
    }

    @Test("Where no database is named, it says how one is")
    func unnamed() throws {
        try expect(["show", "1"], 64, says: "no database is named", hints: "--database FILE")
        let none = try books.folder.write("none.json", "{}")
        try expect(
            ["check", "--config", none],
            64,
            says: "the configuration names no database",
            hints: #""database": "sqlite:counterfoil.db""#
        )
        let memory = try books.folder.write("memory.json", #"{"database": "memory"}"#)
        try expect(["stats", "--config", memory], 64, says: "in memory", hints: "--database FILE")
    }

    @Test(
        "A database that is not there is not made by looking",
        arguments: [["show", "1"], ["events"], ["check"], ["replay"], ["stats"]]
    )
    func missing(words: [String]) throws {
        let file = books.folder.path("gone.db")
        try expect(
            words + ["--database", file],
            2,
            says: "storage.cannot_open: there is no database \(file)",
            hints: "'counterfoil ledger learn' makes a database"
        )
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("What is no database, or of another program, is named and left as it is")
    func others() throws {
        let notes = String(repeating: "no database\n", count: 99)
        let text = try books.folder.write("notes.txt", notes)
        try expect(
            ["check", "--database", text],
            2,
            says: "storage.damaged: \(text): file is not a database",
            hints: "name a file that 'counterfoil ledger learn' made"
        )
        try books.damage("CREATE TABLE notes (text)")
        let before = try Data(contentsOf: URL(fileURLWithPath: books.database))
        try expect(
            ["learn", "--config", books.configuration, text],
            2,
            says: "\(books.database): the database is of another program",
            hints: "name a file that 'counterfoil ledger learn' made"
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: books.database)) == before)
    }

    @Test("A database of Apple's documents takes no rehearsals, nor the other way round")
    func purposes() throws {
        let file = try books.save("t.jws", ["transaction"])
        try books.learn(file)
        try expect(
            ["learn", "--database", books.database, file],
            2,
            says: "storage.other_purpose: \(books.database): ",
            hints: "name another file"
        )
        let apple = books.folder.path("apple.db")
        _ = try Tool.run(["ledger", "learn", "--database", apple, file])
        let config = books.configuration
        try expect(
            ["learn", "--config", config, "--database", apple, file],
            2,
            says: "storage.other_purpose: \(apple): ",
            hints: "name another file"
        )
    }

    @Test("A folder that is not there, or that nobody may write, is told from all else")
    func folders() throws {
        let config = books.configuration
        let file = try books.save("t.jws", ["transaction"])
        try expect(
            ["learn", "--config", config, "--database", books.folder.path("no/x.db"), file],
            2,
            says: "storage.cannot_open",
            hints: "in a folder that is there"
        )
        // Whoever is root may write anywhere but below a file of the system's.
        try expect(
            ["learn", "--config", config, "--database", "/proc/x.db", file],
            2,
            says: "storage.cannot_open",
            hints: "must be allowed to write the file and its folder"
        )
    }

    @Test("Apps of Apple's realms and rehearsals beside each other are told apart by their key")
    func twoPurposes() throws {
        let anchor = try Workbench.shared.get().authority + "/root.pem"
        let config = try books.folder.write(
            "two.json",
            """
            { "database": "sqlite:two.db",
              "apps": [ { "bundleId": "com.example.app" },
                        { "bundleId": "com.example.local", "realm": "rehearsal",
                          "anchors": ["\(anchor)"] } ] }
            """
        )
        let outcome = try Tool.run(["ledger", "learn", "--config", config, config])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("configuration.database_of_two_purposes: "))
        #expect(outcome.error.contains("apps[1].realm is rehearsal beside apps of Apple's realms"))
        #expect(outcome.error.contains("a database of its own"))
    }

    @Test("A configuration that believes nobody's secret is asked for")
    func secrets() throws {
        let secret = try books.folder.write("secret", "open")
        let words = ["ledger", "learn", "--database", books.database]
        let outcome = try Tool.run(words + ["--shared-secret-file", secret, secret])
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.contains("--shared-secret-file needs --config FILE"))
    }
}
