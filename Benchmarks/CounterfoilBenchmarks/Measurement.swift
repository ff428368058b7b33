import CounterfoilBasics
import Glibc

/// Several pieces of work measured in turns, so that a noisy machine disturbs all of them alike.
struct Measurement {
    /// A piece of work and how it is called in the table.
    struct Work {
        let name: String
        let body: () throws -> Void
    }

    /// Microseconds of one run of each piece of work: the median over the rounds.
    let microseconds: [String: Double]

    /// Runs each piece of work in turns, for about so long in all.
    init(_ works: [Work], rounds: Int = 15, roundMilliseconds: Double = 40) throws {
        var samples: [String: [Double]] = [:]
        var counts: [Int] = []
        for work in works {
            try work.body()
            let once = try Self.microseconds(of: work, count: 1)
            counts.append(max(1, Int(roundMilliseconds * 1000 / max(once, 0.5))))
        }
        for _ in 0..<rounds {
            for (work, count) in zip(works, counts) {
                samples[work.name, default: []].append(
                    try Self.microseconds(of: work, count: count)
                )
            }
        }
        microseconds = samples.mapValues { values in values.sorted()[values.count / 2] }
    }

    subscript(name: String) -> Double { microseconds[name] ?? .nan }

    private static func microseconds(of work: Work, count: Int) throws -> Double {
        let start = threadMicroseconds()
        for _ in 0..<count { try work.body() }
        return (threadMicroseconds() - start) / Double(count)
    }

    /// The processor time of this thread: what others do on the machine does not count.
    private static func threadMicroseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}

extension Double {
    /// The number with so many digits behind the point.
    func rounded(to digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((self * scale).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let whole = scaled / Int(scale)
        let fraction = CivilTime.padded(scaled % Int(scale), digits)
        return "\(whole).\(fraction)"
    }
}
