import CounterfoilBasics

/// Several pieces of work measured in turns, so that a busy machine disturbs all of them alike.
package struct Turns: Sendable {
    /// A piece of work and how it is called.
    package struct Work {
        /// How it is called.
        package let name: String
        let body: () throws -> Void

        /// Makes a piece of work; its first run is not measured.
        package init(_ name: String, _ body: @escaping () throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// How long is measured.
    package enum Effort: Sendable {
        /// 15 turns of 40 milliseconds for each piece of work.
        case usual
        /// A look, for tests.
        case brief

        var rounds: Int { self == .usual ? 15 : 3 }
        var roundMilliseconds: Double { self == .usual ? 40 : 2 }
    }

    /// Microseconds of processor time of one run of each piece of work: the median of the rounds.
    package let microseconds: [String: Double]

    /// Runs each piece of work in turns.
    ///
    /// - Parameters:
    ///   - works: what is compared.
    ///   - rounds: how many turns each has.
    ///   - roundMilliseconds: about how long a turn is; a piece of work that takes less is repeated.
    /// - Throws: what the work throws.
    package init(_ works: [Work], rounds: Int, roundMilliseconds: Double) throws {
        var samples: [String: [Double]] = [:]
        var counts: [Int] = []
        for work in works {
            try work.body()
            let once = try Self.microseconds(of: work, count: 1)
            counts.append(max(1, Int(roundMilliseconds * 1000 / max(once, 0.5))))
        }
        for _ in 0..<max(1, rounds) {
            for (work, count) in zip(works, counts) {
                let sample = try Self.microseconds(of: work, count: count)
                samples[work.name, default: []].append(sample)
            }
        }
        microseconds = samples.mapValues { values in values.sorted()[values.count / 2] }
    }

    /// Runs each piece of work in turns.
    ///
    /// - Throws: what the work throws.
    package init(_ works: [Work], _ effort: Effort = .usual) throws {
        try self.init(
            works,
            rounds: effort.rounds,
            roundMilliseconds: effort.roundMilliseconds
        )
    }

    /// The time of a piece of work by its name.
    package subscript(name: String) -> Double { microseconds[name] ?? .nan }

    private static func microseconds(of work: Work, count: Int) throws -> Double {
        let watch = ThreadStopwatch()
        for _ in 0..<count { try work.body() }
        return watch.elapsedMicroseconds / Double(count)
    }
}
