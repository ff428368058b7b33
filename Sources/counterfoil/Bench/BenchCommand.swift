import CommandLineInterface

/// `counterfoil bench`: what it costs on this machine.
enum BenchCommand {
    static let command = Command(
        "bench",
        "measure on this machine",
        discussion: [
            "Measures verification and the server where you run it, each beside what nobody can go"
                + " below in the same run. On a busy machine trust the ratios, not the rates."
        ],
        commands: [BenchReceiptsCommand.command, BenchLoadCommand.command]
    )

    /// How an answer is written.
    enum Format: String, CaseIterable, Sendable {
        case human, json
    }

    static let format = Option.value(
        "format",
        .choice(of: Format.self),
        default: .human,
        "how to print it"
    )
}
