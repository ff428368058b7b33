import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "counterfoil inspect on a terminal",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct TerminalTests {
    private func show(
        _ words: [String],
        columns: Int,
        environment: [String: String] = [:]
    ) throws -> String {
        try PseudoTerminal.show(["inspect"] + words, columns: columns, environment: environment)
    }

    private func plain(_ text: String) -> String { PseudoTerminal.plain(text) }

    @Test("The verdict is coloured, and the screen is never overrun", arguments: [40, 80, 120])
    func width(columns: Int) throws {
        let samples = [
            Sample.production, Sample.manyPurchases, Sample.foreign, Sample.ofXcode,
            Sample.path(
                "transaction-receipts-ios6/sandbox-uk-co-guardian-iphone2-sub-v3-1a19b3.b64"
            ),
            Sample.path("notifications-v2/apple-REFUND-663e2e.jws"),
            Sample.path("notifications-v1/INITIAL_BUY-PROD-educreations-ac39ed.json"),
            Sample.path("server-api/transactionHistoryResponse-aporat.json"),
        ]
        for sample in samples {
            let shown = try show([sample], columns: columns)
            #expect(shown.contains("\u{1B}[1;3"), "The verdict is bold and coloured.")
            for line in plain(shown).split(separator: "\n") {
                #expect(line.count <= columns, "\(line)")
            }
        }
    }

    @Test("Nothing is lost to colours but the colours")
    func sameText() throws {
        let words = [Sample.foreign, "--at", "2026-03-01"]
        let coloured = try show(words, columns: 80)
        #expect(try plain(coloured) == show(words + ["--no-color"], columns: 80))
        #expect(
            try plain(coloured) == show(words, columns: 80, environment: ["NO_COLOR": "1"])
        )
        #expect(try plain(coloured) == show(words, columns: 80, environment: ["TERM": "dumb"]))
    }

    @Test("A screen shows the newest of many purchases and says how to see all")
    func manyPurchases() throws {
        let shown = plain(try show([Sample.manyPurchases], columns: 80))
        #expect(shown.contains("Purchases (187, newest first, UTC)"))
        #expect(shown.contains("127 older ones are not shown on a terminal"))
        let all = try Tool.run(["inspect", Sample.manyPurchases]).output
        #expect(!all.contains("older ones"))
        #expect(all.split(separator: "\n").count > shown.split(separator: "\n").count + 100)
    }
}
