import Benchmarking
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON

/// `counterfoil bench jws`: what verifying signed data costs.
enum BenchSignedDataCommand {
    static let command = Command(
        "jws",
        "what verifying signed data costs, beside raw ECDSA",
        discussion: [
            "Verifies transactions, renewal info, and notifications with one of each in them on"
                + " one processor, from their bytes to verified values, under a chain of"
                + " certificates that was seen before (known) and one that was not (cold). Beside"
                + " each the checks of the signatures alone, hash included, by the same OpenSSL:"
                + " P-256 for each document, for cold also P-384 for two certificates. Processor"
                + " time, median of turns.",
            "The documents are made for it, under an authority of their own. It takes about"
                + " twenty seconds; --brief only takes a look.",
        ],
        options: [BenchCommand.brief, BenchCommand.format],
        examples: [
            Command.Example("counterfoil bench jws", "a table"),
            Command.Example("counterfoil bench jws --format json", "for a program"),
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let benchmark = try SignedDataBenchmark(now: SystemClock().now)
        let effort: Turns.Effort = invocation[BenchCommand.brief] ? .brief : .usual
        let rows = try SampleSignedData.Kind.allCases.map { try benchmark.measure($0, effort) }
        let scaling = try await benchmark.twoThreadsToOne(effort)
        switch invocation[BenchCommand.format] {
        case .human: try streams.output.lines(table(rows, scaling))
        case .json: try streams.output.write(bytes: json(rows, scaling))
        }
        return .success
    }

    private static func table(_ rows: [SignedDataBenchmark.Row], _ scaling: Double) -> [StyledText]
    {
        var table = Table(
            [Table.Column("document")]
                + ["bytes", "raw", "known", "per s", "x raw", "raw", "cold", "per s", "x raw"].map {
                    Table.Column($0, .trailing)
                }
        )
        for row in rows {
            var cells = [name(row.kind), Figure.count(row.bytes)]
            for (raw, time) in [
                (row.raw, row.knownChain), (row.rawWithChain, row.coldChain),
            ] {
                cells += [
                    Figure.time(raw), Figure.time(time), Figure.count(Int(1e6 / time)),
                    Figure.decimal(time / raw, digits: 2),
                ]
            }
            table.append(cells.map { StyledText($0) })
        }
        return [
            "Signed data on one processor, in microseconds: its signatures alone (raw), and",
            "verification under a known chain; then both with the signatures of the chain.",
            "",
        ] + table.lines() + [
            "",
            "Two threads verify \(Figure.decimal(scaling, digits: 2)) times as many as one.",
        ]
    }

    private static func name(_ kind: SampleSignedData.Kind) -> String {
        switch kind {
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .notification: "notification"
        }
    }

    private static func json(_ rows: [SignedDataBenchmark.Row], _ scaling: Double) -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.key("documents")
            writer.array { writer in
                for row in rows { write(row, to: &writer) }
            }
            writer.decimal("twoThreadsToOne", scaling, digits: 2)
        }
        return writer.finish() + [0x0A]
    }

    private static func write(_ row: SignedDataBenchmark.Row, to writer: inout JSONWriter) {
        writer.objectOnOneLine { writer in
            writer.member("kind", row.kind.rawValue)
            writer.member("bytes", Int64(row.bytes))
            writer.member("signatures", Int64(row.documents))
            writer.decimal("rawMicroseconds", row.raw, digits: 2)
            writer.decimal("knownMicroseconds", row.knownChain, digits: 2)
            writer.decimal("knownPerSecond", 1e6 / row.knownChain, digits: 0)
            writer.decimal("knownToRaw", row.knownChain / row.raw, digits: 2)
            writer.decimal("rawWithChainMicroseconds", row.rawWithChain, digits: 2)
            writer.decimal("coldMicroseconds", row.coldChain, digits: 2)
            writer.decimal("coldPerSecond", 1e6 / row.coldChain, digits: 0)
            writer.decimal("coldToRaw", row.coldChain / row.rawWithChain, digits: 2)
        }
    }
}
