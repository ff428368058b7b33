import CommandLineInterface
import Testing

@Suite("Parsing of command lines")
struct ParsingTests {
    @Test(
        "Options and arguments are read in every usual spelling and order",
        arguments: [
            ("verify x", "[\"x\"] - text\n65536 [] false\n"),
            ("verify - y", "[\"-\", \"y\"] - text\n65536 [] false\n"),
            ("verify --bundle-id com.x x", "[\"x\"] com.x text\n65536 [] false\n"),
            ("verify x --bundle-id=com.x=y", "[\"x\"] com.x=y text\n65536 [] false\n"),
            ("verify -b com.x -sl5 x", "[\"x\"] com.x text\n5 [] true\n"),
            ("verify -sb com.x x", "[\"x\"] com.x text\n65536 [] true\n"),
            ("verify -bcom.x x -s -s", "[\"x\"] com.x text\n65536 [] true\n"),
            ("verify --format json x", "[\"x\"] - json\n65536 [] false\n"),
            ("verify -a1 x -a 2 --anchor=3", "[\"x\"] - text\n65536 [\"1\", \"2\", \"3\"] false\n"),
            ("verify --anchor - x", "[\"x\"] - text\n65536 [\"-\"] false\n"),
            (
                "verify --bundle-id=--x -- --strict -s",
                "[\"--strict\", \"-s\"] --x text\n65536 [] false\n"
            ),
            ("verify --no-color x", "[\"x\"] - text\n65536 [] false\n"),
            ("issue receipt --product p", "one receipt of p\n"),
            ("issue --product=-1 receipt 100", "100 receipt of -1\n"),
            ("issue --product -1 receipt", "one receipt of -1\n"),
        ]
    )
    func accepts(line: String, output: String) async throws {
        let outcome = try await Sample.program.outcome(line)
        #expect(outcome == Outcome(exitCode: .success, output: output, error: ""))
    }

    @Test("An option of the whole program stands before or after the command")
    func programOptions() async throws {
        #expect(try await Sample.program.outcome("-q verify x").exitCode == .refused)
        #expect(try await Sample.program.outcome("verify x --quiet").exitCode == .refused)
    }

    @Test(
        "A wrong command line is told with what was wrong and what would help",
        arguments: [
            ("verfiy x", "'sample' has no command 'verfiy'", ["did you mean 'verify'?"], "sample"),
            ("secre", "'sample' has no command 'secre'", [], "sample"),
            (
                "ledger chck", "'sample ledger' has no command 'chck'", ["did you mean 'check'?"],
                "sample ledger"
            ),
            (
                "help ledgr", "'sample' has no command 'ledgr'", ["did you mean 'ledger'?"],
                "sample help"
            ),
            (
                "verify --bundelid x", "there is no option --bundelid here",
                ["did you mean --bundle-id?"], "sample verify"
            ),
            ("verify -x x", "there is no option -x here", [], "sample verify"),
            (
                "ledger check --anchor x", "there is no option --anchor here",
                ["--anchor belongs to 'sample verify'"], "sample ledger check"
            ),
            ("verify x --bundle-id", "--bundle-id needs a value: ID", [], "sample verify"),
            (
                "verify x --bundle-id --strict", "--bundle-id needs a value: ID",
                ["a value that begins with a dash is written --bundle-id=VALUE"], "sample verify"
            ),
            ("verify --strict=yes x", "--strict takes no value", [], "sample verify"),
            (
                "verify --format jsno x", "--format is 'jsno'; expected one of text, json",
                ["did you mean 'json'?"], "sample verify"
            ),
            (
                "verify --limit 1000001 x",
                "--limit is '1000001'; expected a whole number from 1 to 1000000", [],
                "sample verify"
            ),
            (
                "verify --limit 0x10 x",
                "--limit is '0x10'; expected a whole number from 1 to 1000000", [],
                "sample verify"
            ),
            (
                "verify --bundle-id= x", "--bundle-id is ''; expected a text that is not empty",
                [], "sample verify"
            ),
            ("verify -b a -b b x", "--bundle-id is given twice", [], "sample verify"),
            ("verify", "FILE is missing", [], "sample verify"),
            ("issue", "--product ID is required", [], "sample issue"),
            ("issue --product p", "KIND is missing", [], "sample issue"),
            (
                "issue --product p recipt",
                "KIND is 'recipt'; expected one of receipt, transaction",
                ["did you mean 'receipt'?"], "sample issue"
            ),
            (
                "issue --product p receipt 1 2", "nothing is expected where '2' stands", [],
                "sample issue"
            ),
            ("ledger show", "--from is later than --to", ["swap them"], "sample ledger show"),
        ] as [(String, String, [String], String)]
    )
    func refuses(line: String, message: String, hints: [String], call: String) async throws {
        let told = (hints + ["see '\(call) --help'"]).map { "hint: \($0)\n" }.joined()
        let outcome = try await Sample.program.outcome(line)
        #expect(
            outcome == Outcome(exitCode: .usage, output: "", error: "sample: \(message)\n\(told)")
        )
    }

    @Test("Without a command the help is a complaint", arguments: ["", "ledger"])
    func noCommand(line: String) async throws {
        let help = try await Sample.program.outcome("\(line) --help")
        let outcome = try await Sample.program.outcome(line)
        #expect(outcome == Outcome(exitCode: .usage, output: "", error: help.output))
    }

    @Test("What a user typed cannot act on the terminal through the complaint about it")
    func hostileWords() async throws {
        let outcome = try await Sample.program.outcome(["\u{1B}[2J\u{202E}"], styled: true)
        #expect(outcome.exitCode == .usage)
        #expect(outcome.error.contains("'\\u{1b}[2J\\u{202e}'"))
    }

    @Test("An error that a command ends with is told in the program's own words")
    func failures() async throws {
        let outcome = try await Sample.program.outcome("ledger check")
        #expect(
            outcome
                == Outcome(
                    exitCode: .undecided,
                    output: "",
                    error: "sample: trouble: Trouble()\nhint: try again\n"
                )
        )
    }

    @Test("A hidden command works")
    func hidden() async throws {
        #expect(try await Sample.program.outcome("secret").exitCode == .undecided)
    }

    @Test(
        "The version is told wherever it is asked for",
        arguments: ["--version", "verify --version"]
    )
    func version(line: String) async throws {
        let outcome = try await Sample.program.outcome(line)
        #expect(outcome == Outcome(exitCode: .success, output: "sample 1.2.3\n", error: ""))
    }
}
