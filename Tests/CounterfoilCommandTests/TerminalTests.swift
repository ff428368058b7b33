import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "counterfoil inspect on a terminal",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct TerminalTests {
    /// Runs the tool on a terminal of its own, and gives what a person would see there.
    private func show(
        _ words: [String],
        columns: Int,
        environment: [String: String] = [:]
    ) throws -> String {
        let script = """
            import fcntl, os, pty, struct, sys, termios
            columns, words = int(sys.argv[1]), sys.argv[2:]
            child, terminal = pty.fork()
            if child == 0:
                size = struct.pack("HHHH", 24, columns, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.execv(words[0], words)
            while True:
                try: part = os.read(terminal, 65536)
                except OSError: break
                if not part: break
                sys.stdout.buffer.write(part)
            os.waitpid(child, 0)
            """
        let outcome = try Tool.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", script, String(columns), Tool.binary.path, "inspect"] + words,
            environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        )
        return outcome.output.replacingOccurrences(of: "\r\n", with: "\n")
    }

    private func plain(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }

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
