import CommandLineInterface
import CounterfoilJSON

/// `counterfoil bench`: what it costs on this machine.
enum BenchCommand {
    static let command = Command(
        "bench",
        "measure on this machine",
        discussion: [
            "Measures verification and the server where you run it, each beside what nobody can go"
                + " below in the same run. On a busy machine trust the ratios, not the rates."
        ],
        commands: [
            BenchReceiptsCommand.command, BenchSignedDataCommand.command, BenchLoadCommand.command,
        ]
    )

    /// How an answer is written.
    enum Format: String, CaseIterable, Sendable {
        case human, json
    }

    static let brief = Option.flag("brief", "a look of a second")

    static let format = Option.value(
        "format",
        .choice(of: Format.self),
        default: .human,
        "how to print it"
    )
}

extension JSONWriter {
    /// Writes a number with so many digits behind the point; null for one that is none.
    mutating func decimal(_ name: StaticString, _ number: Double, digits: Int) {
        key(name)
        let text = Figure.decimal(number, digits: digits).filter { $0 != "," }
        if let number = JSONNumber(text: text) { self.number(number) } else { null() }
    }
}
