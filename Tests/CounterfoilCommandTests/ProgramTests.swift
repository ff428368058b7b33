import Testing

@Suite("The program")
struct ProgramTests {
    static let commands = ["inspect", "verify", "compare", "serve", "issue", "demo", "bench"]
    static let actions =
        commands.filter { $0 != "issue" && $0 != "bench" }
        + ["receipt", "transaction-receipt", "authority", "flaws"].map { "issue \($0)" }
        + ["receipts", "load"].map { "bench \($0)" }

    @Test("Its help names every command and fits a small screen")
    func help() throws {
        let outcome = try Tool.run(["--help"])
        #expect(outcome.exitCode == 0)
        for command in Self.commands { #expect(outcome.output.contains("\n  \(command) ")) }
        #expect(outcome.fits(columns: 80, rows: 24))
    }

    @Test("The help of a command fits a small screen and shows how to call it", arguments: actions)
    func help(command: String) throws {
        let call = command.split(separator: " ").map(String.init)
        for words in [call + ["--help"], ["help"] + call, call + ["-h"]] {
            let outcome = try Tool.run(words)
            #expect(outcome.exitCode == 0)
            #expect(outcome.output.hasPrefix("Usage: counterfoil \(command) "))
            #expect(outcome.output.contains("# "), "There is an example.")
            #expect(outcome.fits(columns: 80, rows: 24))
        }
    }

    @Test(
        "The help of a group names what is in it, and fits a small screen",
        arguments: ["issue", "bench"]
    )
    func groupHelp(group: String) throws {
        let outcome = try Tool.run([group, "--help"])
        #expect(outcome.exitCode == 0)
        for command in Self.actions where command.hasPrefix("\(group) ") {
            #expect(outcome.output.contains("\n  \(command.dropFirst(group.count + 1)) "))
        }
        #expect(outcome.fits(columns: 80, rows: 24))
    }

    @Test("It says its version")
    func version() throws {
        let outcome = try Tool.run(["--version"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.wholeMatch(of: /counterfoil \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(
        "Wrong usage ends with 64, one line and a hint",
        arguments: [
            ["inspct"], ["inspect", "--no-such"], ["inspect", "a", "b"], ["verify"],
            ["inspect", "--at", "yesterday"], ["inspect", "--device-id", "phone"],
            ["inspect", "--format", "xml"], ["issue", "recept"], ["issue", "receipt"],
            ["issue", "receipt", "--authority", "x", "--flaw", "leafExpire"],
            ["issue", "receipt", "--authority", "x", "--seed", "-1"],
            ["issue", "authority", "x", "--rotate", "leaf"],
            ["issue", "authority", "x", "--digest", "SHA-512"],
        ]
    )
    func usage(words: [String]) throws {
        let outcome = try Tool.run(words)
        #expect(outcome.exitCode == 64)
        #expect(outcome.output.isEmpty)
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.first?.hasPrefix("counterfoil: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") })
        #expect(lines.count > 1)
    }

    @Test("Called without a command it shows which there are")
    func bare() throws {
        let outcome = try Tool.run([])
        #expect(outcome.exitCode == 64)
        #expect(outcome.error.contains("Commands:"))
    }
}

extension Tool.Outcome {
    func fits(columns: Int, rows: Int) -> Bool {
        lines.allSatisfy { $0.count <= columns } && lines.count - 1 <= rows
    }
}
