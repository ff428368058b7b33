import CommandLineInterface

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The command-line tool: every command stands in a file of its own.
@main
struct Counterfoil {
    static let program = Program(
        name: "counterfoil",
        version: "0.1.0",
        summary: "Proves and explains what the App Store signed.",
        commands: [
            InspectCommand.command, VerifyCommand.command, CompareCommand.command,
            ServeCommand.command,
            LedgerCommand.command, IssueCommand.command, DemoCommand.command, BenchCommand.command,
        ],
        explain: explanation
    )

    static func main() async {
        let exitCode = await program.run(CommandLine.words)
        exit(exitCode.rawValue)
    }
}
