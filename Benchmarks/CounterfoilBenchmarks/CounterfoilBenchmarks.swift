import Benchmarking

/// Measures what docs/MEASUREMENTS.md tells beyond `counterfoil bench`; `make bench` runs it.
@main
enum CounterfoilBenchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve"? where arguments.count == 3:
            try await LoadBenchmark.serve(
                arguments[1] == "empty" ? .empty : .verifyReceipt,
                folder: arguments[2]
            )
        case "requests"? where arguments.count == 2:
            try await LoadBenchmark.profile(requests: Int(arguments[1]) ?? 1000)
        case "receipts"? where arguments.count == 3:
            try await BatchReceipts.write(Int(arguments[1]) ?? 0, folder: arguments[2])
        case "peer"? where arguments.count == 2:
            try PeerBenchmark().run(python: arguments[1])
            try SignedDataPeerBenchmark().run(python: arguments[1])
        case "year"?:
            try await YearOfSubscriptions.run(arguments.dropFirst().first.flatMap { Int($0) })
        case "packing"?: try PackedEvidence.run()
        case "ledger"? where arguments.count >= 4:
            try await LedgerBenchmark.run(
                folder: arguments[1],
                notifications: Int(arguments[2]) ?? 20_000,
                purchases: arguments[3...].compactMap { Int($0) }
            )
        case "profile-jws"?:
            try SignedDataPeerBenchmark().profile(
                arguments.dropFirst().first.flatMap(SampleSignedData.Kind.init) ?? .transaction,
                isCold: arguments.contains("cold")
            )
        case "profile"?:
            try PeerBenchmark().profile(
                purchases: arguments.dropFirst().first.flatMap { Int($0) } ?? 10,
                isCold: arguments.contains("cold")
            )
        default:
            try PeerBenchmark().run()
            try await SignedDataPeerBenchmark().run()
            try await YearOfSubscriptions.run(nil)
            try PackedEvidence.run()
        }
    }
}
