import Foundation

/// The process's resident memory, as Linux counts it.
package enum ResidentMemory {
    /// Whether it can be known here.
    package static var isKnown: Bool { kibibytes() != nil }

    private static func kibibytes() -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return nil }
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }

    /// Ends the process with a failure when the rounds take 4 MiB more than some before them took.
    package static func expectFlat(rounds: Int, _ body: () throws -> Void) rethrows {
        for _ in 0..<rounds / 10 { try body() }
        let before = kibibytes() ?? 0
        for _ in 0..<rounds { try body() }
        expectNoGrowth(since: before, rounds: rounds)
    }

    /// The same for rounds that threads share; each round has a number of its own.
    package static func expectFlat(
        rounds: Int,
        threads: Int,
        _ body: @Sendable (Int) -> Void
    ) {
        func run(_ numbers: Range<Int>) {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in stride(
                    from: numbers.lowerBound + thread,
                    to: numbers.upperBound,
                    by: threads
                ) {
                    body(number)
                }
            }
        }
        run(0..<rounds / 10)
        let before = kibibytes() ?? 0
        run(rounds / 10..<rounds / 10 + rounds)
        expectNoGrowth(since: before, rounds: rounds)
    }

    private static func expectNoGrowth(since before: Int, rounds: Int) {
        let after = kibibytes() ?? 0
        print("resident memory \(before) KiB, after \(rounds) more rounds \(after) KiB")
        guard after - before > 4 * 1024 else { return }
        // Exit tests look at the status alone.
        exit(EXIT_FAILURE)
    }
}
