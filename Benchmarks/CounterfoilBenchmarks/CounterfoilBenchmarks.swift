/// Measures what docs/MEASUREMENTS.md tells; `make bench` runs it.
@main
enum CounterfoilBenchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve"? where arguments.count == 3:
            try await LoadBenchmark.serve(
                isEmpty: arguments[1] == "empty",
                folder: arguments[2]
            )
        case "requests"? where arguments.count == 2:
            try await LoadBenchmark.profile(requests: Int(arguments[1]) ?? 1000)
        case "receipts"? where arguments.count == 3:
            try await BatchReceipts.write(Int(arguments[1]) ?? 0, folder: arguments[2])
        case "profile"?:
            try ReceiptBenchmark().profile(
                purchases: arguments.dropFirst().first.flatMap { Int($0) } ?? 10,
                isCold: arguments.contains("cold")
            )
        default:
            try ReceiptBenchmark().run()
        }
    }
}
