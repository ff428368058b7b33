package import CounterfoilBasics

/// How far an instant is from another, in the words that people use: `3 years ago`, `in 2 days`.
///
/// Only the largest unit counts, rounded toward zero. Months and years are those of the calendar
/// in UTC.
package struct Age: Hashable, Sendable, CustomStringConvertible {
    /// The instant's distance in words.
    package let description: String

    /// Says how far `instant` is from `now`.
    package init(of instant: Instant, at now: Instant) {
        let isPast = instant <= now
        let words = Self.distance(from: min(instant, now), to: max(instant, now))
        guard let words else {
            description = "just now"
            return
        }
        description = isPast ? "\(words) ago" : "in \(words)"
    }

    private static func distance(from earlier: Instant, to later: Instant) -> String? {
        let months = months(from: CivilTime(earlier), to: CivilTime(later))
        let seconds = later.duration(since: earlier).milliseconds / 1000
        let units: [(count: Int64, name: String)] = [
            (Int64(months / 12), "year"), (Int64(months), "month"), (seconds / 86_400, "day"),
            (seconds / 3600, "hour"), (seconds / 60, "minute"),
        ]
        return units.first { $0.count > 0 }.map { count, name in
            "\(count) \(name)\(count == 1 ? "" : "s")"
        }
    }

    /// Whole months between two civil times, the earlier one first.
    private static func months(from earlier: CivilTime, to later: CivilTime) -> Int {
        let months = (later.year - earlier.year) * 12 + later.month - earlier.month
        return timeInMonth(later) < timeInMonth(earlier) ? months - 1 : months
    }

    private static func timeInMonth(_ time: CivilTime) -> Int {
        (((time.day * 24 + time.hour) * 60 + time.minute) * 60 + time.second) * 1000
            + time.millisecond
    }
}
