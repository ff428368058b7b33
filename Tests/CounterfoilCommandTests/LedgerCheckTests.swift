import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil ledger check, replay, stats and events")
struct LedgerCheckTests {
    private let books: Bookkeeper

    init() throws {
        books = try Bookkeeper()
        try books.learn(
            books.save("s.json", ["notification"], #"{"notificationType": "SUBSCRIBED"}"#),
            books.save("r.b64", ["receipt"], #"{"purchases": 3}"#, seed: 2)
        )
    }

    @Test("A sound ledger agrees, before and after it was made anew")
    func sound() throws {
        for _ in 0..<2 {
            let check = try books.ledger("check")
            #expect(check.exitCode == 0)
            #expect(
                check.output == "All agrees: 4 entries, 4 documents, 2 lineages, 2 events.\n"
            )
            let replay = try books.ledger("replay")
            #expect(replay.output == "2 lineages were made anew; every row was right.\n")
        }
    }

    @Test(
        "What follows from the rest is found where it is wrong, and mended",
        arguments: [
            ("lineages", "UPDATE lineages SET v = substr(v, 1, length(v) - 1) || x'7f'"),
            ("agenda", "DELETE FROM agenda"),
            ("aliases", "DELETE FROM aliases WHERE k IN (SELECT k FROM aliases LIMIT 2)"),
            ("lineages", "DELETE FROM lineages WHERE k = (SELECT max(k) FROM lineages)"),
            (
                "aliases",
                "INSERT INTO aliases SELECT CAST(x'3939' || k AS BLOB), v FROM aliases LIMIT 1"
            ),
        ]
    )
    func mended(table: String, sql: String) throws {
        let events = try books.ledger("events").output
        try books.damage(sql)
        let check = try books.ledger("check")
        #expect(check.exitCode == 1)
        #expect(
            check.lines.contains { $0.hasPrefix("wrong  \(table)") },
            "\(check.output)"
        )
        #expect(check.output.contains("\nNot all agrees: "))
        #expect(check.output.contains("'counterfoil ledger replay' makes it anew.\n"))
        let replay = try books.ledger("replay")
        #expect(replay.exitCode == 0)
        #expect(replay.output.contains(/made anew; \d+ rows? (was|were) mended\.\n/))
        #expect(try books.ledger("check").exitCode == 0)
        #expect(try books.ledger("events").output == events)
    }

    @Test(
        "A changed byte of the book is found, named, and not mended",
        arguments: [
            ("claims", "UPDATE claims SET v = v || x'20' WHERE k = (SELECT max(k) FROM claims)"),
            (
                "evidence_bytes",
                "UPDATE evidence_bytes SET v = substr(v, 1, length(v) - 2) || x'0000'"
            ),
            ("shared_bytes", "DELETE FROM shared_bytes"),
            ("events", "DELETE FROM events WHERE k = (SELECT max(k) FROM events)"),
            ("journal", "DELETE FROM journal WHERE k = (SELECT min(k) FROM journal)"),
        ]
    )
    func damaged(table: String, sql: String) throws {
        try books.damage(sql)
        for _ in 0..<2 {
            let check = try books.ledger("check")
            #expect(check.exitCode == 1)
            // Bytes that several documents share are missed where they are unpacked.
            let named = table == "shared_bytes" ? "evidence_bytes" : table
            #expect(check.output.contains("wrong  \(named)"), "\(check.output)")
            #expect(check.output.contains("The book itself is damaged. Go back to a copy"))
            _ = try books.ledger("replay")
        }
    }

    @Test("It is counted what is there")
    func stats() throws {
        let outcome = try books.ledger("stats")
        #expect(outcome.exitCode == 0)
        #expect(outcome.lines[0].contains(/^4 entries, the last one of \d+-.* UTC \(just now\)\.$/))
        #expect(outcome.output.contains(/\njournal +4 +\d+ +\d+  the entries\n/))
        #expect(outcome.output.contains(/\nlineages +2 +\d/))
        #expect(outcome.output.contains(/\nsubscription\.started +2\n/))
    }

    @Test("The feed goes on after any entry")
    func after() throws {
        let all = try books.events().compactMap { $0.text("id") }
        #expect(all == ["3-0", "4-0"])
        #expect(try books.events(after: 3).compactMap { $0.text("id") } == ["4-0"])
        #expect(try books.events(after: 4).isEmpty)
        #expect(try books.events(after: 999).isEmpty)
        #expect(try books.ledger("events", "--after", "-1").exitCode == 64)
    }
}
