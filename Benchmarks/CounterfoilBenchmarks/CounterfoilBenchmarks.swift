/// Measures what docs/MEASUREMENTS.md tells; `make bench` runs it.
@main
enum CounterfoilBenchmarks {
    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "profile" {
            try ReceiptBenchmark().profile(
                purchases: Int(CommandLine.arguments.dropFirst(2).first ?? "") ?? 10,
                isCold: CommandLine.arguments.contains("cold")
            )
        } else {
            try ReceiptBenchmark().run()
        }
    }
}
