/// A date and time of day in the proleptic Gregorian calendar, without a zone.
///
/// The arithmetic is our own because FoundationEssentials knows no zones but GMT, and because a
/// date must come out the same whatever TZ and LANG say.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var millisecond: Int

    package init(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Int = 0,
        millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// The civil time of an instant in UTC.
    package init(_ instant: Instant) {
        self.init(millisecondsSinceEpoch: instant.millisecondsSince1970)
    }

    /// The civil time that many milliseconds after midnight of 1970-01-01.
    package init(millisecondsSinceEpoch: Int64) {
        let days = millisecondsSinceEpoch.flooredQuotient(by: Self.millisecondsPerDay)
        // Not value − days × day: near Int64.min the product would overflow.
        let remainder = millisecondsSinceEpoch % Self.millisecondsPerDay
        let rest = remainder < 0 ? remainder + Self.millisecondsPerDay : remainder
        // Days to civil date by 400-year eras that begin on 1 March, so that the leap day is last.
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.init(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
            month: Int(month),
            day: Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1),
            hour: Int(rest / 3_600_000),
            minute: Int(rest / 60_000 % 60),
            second: Int(rest / 1000 % 60),
            millisecond: Int(rest % 1000)
        )
    }

    /// Milliseconds from midnight of 1970-01-01 to this civil time.
    ///
    /// The fields must be in range (see ``isValid``) and the year within ±200 million.
    package var millisecondsSinceEpoch: Int64 {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let seconds = Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
        return days * Self.millisecondsPerDay + seconds * 1000 + Int64(millisecond)
    }

    /// The instant, when this civil time is taken as UTC.
    package var instant: Instant { Instant(millisecondsSince1970: millisecondsSinceEpoch) }

    /// Whether the calendar has this date and the day this time (no leap seconds).
    package var isValid: Bool {
        (-200_000_000...200_000_000).contains(year) && (1...12).contains(month)
            && (1...Self.daysInMonth(month, year: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute)
            && (0...59).contains(second) && (0...999).contains(millisecond)
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        return Int((days % 7 + 11) % 7)
    }

    package static func isLeapYear(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    package static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeapYear(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static let millisecondsPerDay: Int64 = 86_400_000

    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int64 {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// A number in decimal with leading zeros up to a width; a minus sign comes before them.
    package static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension Int64 {
    /// The quotient rounded toward negative infinity; the divisor is positive.
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
