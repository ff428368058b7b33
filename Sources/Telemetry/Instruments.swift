import CounterfoilBasics
import Synchronization

/// A number that only grows: requests answered, bytes sent.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    init() {}

    /// Adds to the counter; never blocks.
    package func increment(by amount: UInt64 = 1) { count.add(amount, ordering: .relaxed) }

    /// The present value.
    package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A number that goes up and down: open connections, entries waiting.
package final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)

    init() {}

    package func set(_ value: Int64) { level.store(value, ordering: .relaxed) }

    package func add(_ amount: Int64) { level.add(amount, ordering: .relaxed) }

    /// The present value.
    package var value: Int64 { level.load(ordering: .relaxed) }
}

/// How many observations fell into each of a row of buckets, and their sum.
///
/// An observation is one comparison for each bucket it is above, and two atomic additions.
package final class Histogram: Sendable {
    private let buckets: Buckets
    /// One count for each bound, and a last one for everything above.
    private let counts: InlineArray<25, Atomic<UInt64>>
    private let sum = Atomic<Int64>(0)

    init(_ buckets: Buckets) {
        self.buckets = buckets
        counts = InlineArray { _ in Atomic(0) }
    }

    /// Observes a duration, in a histogram of durations.
    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let nanoseconds = whole &+ attoseconds / 1_000_000_000
        observe(unit: overflow ? .max : nanoseconds)
    }

    /// Observes a number, in a histogram of sizes.
    package func observe(_ number: Int) { observe(unit: Int64(number)) }

    private func observe(unit: Int64) {
        var index = 0
        while index < buckets.bounds.count, unit > buckets.bounds[index] { index += 1 }
        counts[index].add(1, ordering: .relaxed)
        // A sum that has wrapped is worse than one that stands still: 290 years of nanoseconds.
        sum.add(min(unit, 1 << 53), ordering: .relaxed)
    }

    /// The bounds, of which each counts what is not above it.
    package struct Buckets: Sendable {
        let bounds: [Int64]
        /// Nanoseconds are shown as seconds, other units as they are.
        let isDuration: Bool

        private init(bounds: [Int64], isDuration: Bool) {
            precondition((1...24).contains(bounds.count), "a histogram has 1 to 24 bounds")
            precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "bounds ascend")
            self.bounds = bounds
            self.isDuration = isDuration
        }

        /// From 50 microseconds to 10 seconds: answers, queries, calls of other servers.
        package static let latency = Buckets(
            bounds: [
                50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000,
                500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
            ].map { $0 * 1000 },
            isDuration: true
        )

        /// From 256 bytes to 16 MiB, by fours: bodies.
        package static let bytes = Buckets(
            bounds: (0..<9).map { 256 << (2 * $0) },
            isDuration: false
        )

        /// Bounds of one's own, for counts; up to 24.
        package static func counts(_ bounds: [Int64]) -> Buckets {
            Buckets(bounds: bounds, isDuration: false)
        }
    }

    /// What has been observed up to now.
    struct Snapshot {
        /// Each bound with the number of observations that were not above it.
        var cumulative: [(bound: String, count: UInt64)]
        var total: UInt64
        var sum: String
    }

    var snapshot: Snapshot {
        var total: UInt64 = 0
        var cumulative: [(bound: String, count: UInt64)] = []
        for (index, bound) in buckets.bounds.enumerated() {
            total += counts[index].load(ordering: .relaxed)
            cumulative.append((text(bound), total))
        }
        // The count is the sum of the buckets, so that both agree in every exposition.
        total += counts[buckets.bounds.count].load(ordering: .relaxed)
        return Snapshot(
            cumulative: cumulative,
            total: total,
            sum: text(sum.load(ordering: .relaxed))
        )
    }

    private func text(_ value: Int64) -> String {
        guard buckets.isDuration else { return String(value) }
        let whole = value / 1_000_000_000
        var fraction = CivilTime.padded(Int(value % 1_000_000_000), 9)
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
    }
}
