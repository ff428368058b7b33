import CommandLineInterface
import Testing

@Suite("Help texts")
struct HelpTests {
    @Test("The program's own help names every command that is not hidden")
    func program() async throws {
        let expected = """
            Usage: sample COMMAND [OPTIONS]

            Verifies and issues documents.

            Commands:
              verify       verify documents
              ledger       look into the ledger
              issue        issue a document
              help         explain a command
              completions  print the script that completes commands in a shell

            Options:
              -q, --quiet     say nothing
              -h, --help      this text
                  --no-color  no colours (also: NO_COLOR=1)
                  --version   the program's version

            See 'sample COMMAND --help'. Exit codes: 0 verified or answered, 1 refused, 2
            could not decide, 64 wrong usage.

            """
        for line in ["--help", "-h", "help", "--quiet --help"] {
            let outcome = try await Sample.program.outcome(line)
            #expect(outcome == Outcome(exitCode: .success, output: expected, error: ""))
        }
    }

    @Test("A command's help shows its arguments, options, defaults and examples")
    func command() async throws {
        let expected = """
            Usage: sample verify [OPTIONS] FILE...

            Verifies documents and says for each what was found. A document that is refused
            is named with the reason.

            Nothing is fetched from the network.

            Arguments:
              FILE  what to verify

            Options:
              -b, --bundle-id ID      the app it must be of
                  --format text|json  how the answer is written (default: text)
              -l, --limit BYTES       the most bytes that are read (default: 65536)
              -a, --anchor FILE       a root certificate to trust instead of the built-in
                                      ones, PEM or DER (repeatable)
              -s, --strict            refuse what could be read either way

            Examples:
              # one receipt of one app
              sample verify receipt.b64 -b com.example.app

            Everywhere: --help, --no-color. Exit codes: 0 verified or answered, 1 refused, 2
            could not decide, 64 wrong usage.

            """
        for line in ["verify --help", "help verify", "verify --strict x -h y"] {
            #expect(try await Sample.program.outcome(line).output == expected)
        }
    }

    @Test("Required options and words to choose from are part of the usage")
    func requirements() async throws {
        let output = try await Sample.program.outcome("issue --help").output
        #expect(output.hasPrefix("Usage: sample issue --product ID [OPTIONS] KIND [COUNT]\n"))
        #expect(output.contains("  --product ID  what is bought (required)\n"))
        #expect(output.contains("  KIND   what to issue (receipt, transaction)\n"))
    }

    @Test(
        "Every help text fits on a screen of 80 columns and 24 lines",
        arguments: [
            "", "verify", "ledger", "ledger check", "ledger show", "issue", "help", "completions",
        ]
    )
    func fits(command: String) async throws {
        let output = try await Sample.program.outcome("help \(command)").output
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 25)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("A narrower screen gets shorter lines, a wider one no longer ones")
    func widths() async throws {
        let narrow = try await Sample.program.outcome("--help", columns: 50).output
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 50 })
        let wide = try await Sample.program.outcome("verify --help", columns: 300).output
        let usual = try await Sample.program.outcome("verify --help").output
        #expect(wide == usual)
    }

    @Test("Titles are bold where the terminal shows styles")
    func styles() async throws {
        let output = try await Sample.program.outcome("--help", styled: true).output
        #expect(output.contains("\u{1B}[1mCommands:\u{1B}[0m\n"))
    }
}
