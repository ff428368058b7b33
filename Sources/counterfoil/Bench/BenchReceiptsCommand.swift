import Benchmarking
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON

/// `counterfoil bench receipts`: what verifying an app receipt costs.
enum BenchReceiptsCommand {
    static let command = Command(
        "receipts",
        "what verifying app receipts costs, beside raw RSA",
        discussion: [
            "Verifies receipts of 1 to 5,000 purchases on one processor, from their bytes to a"
                + " verified value: under a chain of certificates that was seen before (known) and"
                + " one that was not (cold). Beside it one raw RSA-2048 verification by the same"
                + " OpenSSL, and SHA-256 over what is signed. Processor time, median of turns.",
            "The receipts are made for it, under an authority of their own. It takes about half a"
                + " minute; --brief only takes a look.",
        ],
        options: [BenchCommand.brief, BenchCommand.format],
        examples: [
            Command.Example("counterfoil bench receipts", "a table"),
            Command.Example("counterfoil bench receipts --format json", "for a program"),
        ],
        action: run
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let benchmark = try ReceiptBenchmark(now: SystemClock().now)
        let effort: Turns.Effort = invocation[BenchCommand.brief] ? .brief : .usual
        let rows = try ReceiptBenchmark.purchaseCounts.map { purchases in
            try benchmark.measure(purchases: purchases, effort)
        }
        switch invocation[BenchCommand.format] {
        case .human: try streams.output.lines(table(rows))
        case .json: try streams.output.write(bytes: json(rows))
        }
        return .success
    }

    private static func table(_ rows: [ReceiptBenchmark.Row]) -> [StyledText] {
        var table = Table(
            [
                "purchases", "bytes", "raw", "hash", "known", "per s", "x raw", "cold", "per s",
                "x raw",
            ].map { Table.Column($0, .trailing) }
        )
        for row in rows {
            var cells = [
                Figure.count(row.purchases), Figure.count(row.bytes), Figure.time(row.raw),
                Figure.time(row.hash),
            ]
            for time in [row.knownChain, row.coldChain] {
                cells += [
                    Figure.time(time), Figure.count(Int(1e6 / time)),
                    Figure.ratio(time / row.raw),
                ]
            }
            table.append(cells.map { StyledText($0) })
        }
        return [
            "App receipts on one processor, in microseconds: one raw RSA-2048 verification,",
            "SHA-256 of the content, and verification under a known and under a cold chain.",
            "",
        ] + table.lines()
    }

    private static func json(_ rows: [ReceiptBenchmark.Row]) -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.key("receipts")
            writer.array { writer in
                for row in rows { write(row, to: &writer) }
            }
        }
        return writer.finish() + [0x0A]
    }

    private static func write(_ row: ReceiptBenchmark.Row, to writer: inout JSONWriter) {
        writer.objectOnOneLine { writer in
            writer.member("purchases", Int64(row.purchases))
            writer.member("bytes", Int64(row.bytes))
            writer.decimal("rawMicroseconds", row.raw, digits: 2)
            writer.decimal("hashMicroseconds", row.hash, digits: 2)
            writer.decimal("knownMicroseconds", row.knownChain, digits: 2)
            writer.decimal("knownPerSecond", 1e6 / row.knownChain, digits: 0)
            writer.decimal("knownToRaw", row.knownChain / row.raw, digits: 2)
            writer.decimal("coldMicroseconds", row.coldChain, digits: 2)
            writer.decimal("coldPerSecond", 1e6 / row.coldChain, digits: 0)
            writer.decimal("coldToRaw", row.coldChain / row.raw, digits: 2)
        }
    }
}
