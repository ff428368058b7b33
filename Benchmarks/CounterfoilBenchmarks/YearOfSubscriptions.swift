import Benchmarking
import CounterfoilBasics

/// A year of subscriptions in the local App Store, beside its signatures alone.
enum YearOfSubscriptions {
    /// Lives it, and prints what it cost.
    ///
    /// - Throws: what the store throws, which is a defect.
    static func run(_ subscriptions: Int?) async throws {
        let subscriptions = subscriptions ?? 10_000
        let benchmark = try YearBenchmark()
        print("A year of \(subscriptions) subscriptions, every notification signed")
        for threads in 1...2 {
            let before = YearBenchmark.residentBytes
            let watch = Stopwatch()
            let outcomes = try await benchmark.live(
                subscriptions: subscriptions,
                threads: threads
            )
            let seconds = Double(watch.elapsed.milliseconds) / 1000
            try report(threads, outcomes, seconds, benchmark)
            if threads == 1 { report(memoryOf: outcomes[0], subscriptions, before) }
        }
    }

    private static func report(
        _ threads: Int,
        _ outcomes: [YearBenchmark.Outcome],
        _ seconds: Double,
        _ benchmark: YearBenchmark
    ) throws {
        let days = outcomes.reduce(0) { $0 + $1.subscriptionDays }
        let documents = outcomes.reduce(0) { $0 + $1.documents }
        let work = outcomes.reduce(0) { $0 + $1.microseconds }
        let bytes = outcomes.reduce(0) { $0 + $1.bytes } / max(1, documents)
        let raw = try benchmark.signature(bytes: bytes) * Double(documents)
        print(
            "  \(threads) thread\(threads == 1 ? "" : "s"): "
                + "\(Int(Double(days) / seconds)) subscription-days/s, "
                + "\(Int(Double(documents) / seconds)) documents/s of \(bytes) bytes, "
                + "the signatures alone \((raw / work).rounded(to: 2)) of the time"
        )
    }

    /// A customer's memory is that of what was bought, and nothing else grows.
    private static func report(
        memoryOf outcome: YearBenchmark.Outcome,
        _ subscriptions: Int,
        _ before: Int
    ) {
        let times = [
            ("half a year", outcome.residentBytes.halfway, outcome.purchases.halfway),
            ("the year", outcome.residentBytes.end, outcome.purchases.end),
        ]
        for (time, bytes, purchases) in times {
            print(
                "  memory after \(time): \((bytes - before) / subscriptions) bytes for each customer,"
                    + " who bought \(Double(purchases) / Double(subscriptions)) times:"
                    + " \((bytes - before) / purchases) for each purchase"
            )
        }
    }
}
