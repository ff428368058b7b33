/// Wall time in America/Los_Angeles, which Apple shows as the `_pst` rendering of a date.
///
/// Two rules of the tz database cover everything the App Store ever dated: from 2007 daylight
/// time runs from the second Sunday of March to the first Sunday of November, in 1987–2006 from
/// the first Sunday of April to the last Sunday of October. It begins at 10:00 UTC and ends at
/// 09:00 UTC. Earlier years, before the store existed, follow the rule of 1987–2006.
package enum LosAngelesTime {
    /// The civil time in Los Angeles at an instant.
    package static func civilTime(at instant: Instant) -> CivilTime {
        civilTime(at: instant, inUTC: CivilTime(instant))
    }

    /// The civil time in Los Angeles at an instant whose civil time in UTC is known already.
    package static func civilTime(at instant: Instant, inUTC civil: CivilTime) -> CivilTime {
        let offset: Int64 = isDaylightTime(at: instant, inUTC: civil) ? -25_200_000 : -28_800_000
        let (shifted, overflow) =
            instant.millisecondsSince1970.addingReportingOverflow(offset)
        return CivilTime(millisecondsSinceEpoch: overflow ? .min : shifted)
    }

    /// Seconds to add to UTC: −25,200 in daylight time, −28,800 otherwise.
    package static func offsetSeconds(at instant: Instant) -> Int {
        isDaylightTime(at: instant, inUTC: CivilTime(instant)) ? -25_200 : -28_800
    }

    private static func isDaylightTime(at instant: Instant, inUTC civil: CivilTime) -> Bool {
        // The switches fall in March to April and October to November, so the UTC year is the
        // local one wherever it matters.
        switch civil.month {
        case 1, 2, 12: return false
        case 5...9: return true
        default: break
        }
        let year = civil.year
        let (begins, ends) =
            year >= 2007
            ? (sunday(2, of: 3, year), sunday(1, of: 11, year))
            : (sunday(1, of: 4, year), lastSunday(of: 10, year))
        let begin = CivilTime(year: year, month: year >= 2007 ? 3 : 4, day: begins, hour: 10)
        let end = CivilTime(year: year, month: year >= 2007 ? 11 : 10, day: ends, hour: 9)
        return begin.instant <= instant && instant < end.instant
    }

    private static func sunday(_ ordinal: Int, of month: Int, _ year: Int) -> Int {
        let first = CivilTime(year: year, month: month, day: 1).weekday
        return 1 + (7 - first) % 7 + 7 * (ordinal - 1)
    }

    private static func lastSunday(of month: Int, _ year: Int) -> Int {
        let last = CivilTime.daysInMonth(month, year: year)
        return last - CivilTime(year: year, month: month, day: last).weekday
    }
}
