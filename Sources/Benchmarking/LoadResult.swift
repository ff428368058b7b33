/// What a server did under load.
package struct LoadResult: Sendable {
    /// Answers that accepted the receipt.
    package internal(set) var answers = 0
    /// Answers that did not, connections that broke, and what was no answer.
    package internal(set) var errors = 0
    /// How long was measured.
    package internal(set) var seconds = 0.0
    /// Request to answer, whole.
    package internal(set) var latencies = Latencies()

    /// The result of no load at all.
    package init() {}

    /// Answers a second.
    package var rate: Double { seconds > 0 ? Double(answers) / seconds : 0 }
}

/// Times in buckets that are at most 1.6 % wide, so that any number of them takes the same memory.
package struct Latencies: Sendable {
    private static let steps = 64

    private var counts = [Int](repeating: 0, count: 58 * steps)
    private var total = 0

    /// Counts a time.
    mutating func add(microseconds: Int) {
        counts[Self.bucket(max(0, microseconds))] += 1
        total += 1
    }

    /// The time that so many of a hundred do not exceed, in milliseconds; 0 where none was counted.
    package func percentile(_ percent: Double) -> Double {
        let rank = max(1, Int((Double(total) * percent / 100).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() {
            seen += count
            if seen >= rank { return Double(Self.upperBound(bucket)) / 1000 }
        }
        return 0
    }

    /// Times below 64 have a bucket each; above, each power of two has 64.
    private static func bucket(_ microseconds: Int) -> Int {
        guard microseconds >= steps else { return microseconds }
        let shift = Int.bitWidth - 1 - microseconds.leadingZeroBitCount - 6
        return (shift + 1) * steps + (microseconds >> shift) - steps
    }

    private static func upperBound(_ bucket: Int) -> Int {
        guard bucket >= steps else { return bucket }
        let shift = bucket / steps - 1
        return (bucket % steps + steps) << shift | ((1 << shift) - 1)
    }
}
