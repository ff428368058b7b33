import CounterfoilBasics
import Foundation
import Testing

@Suite("Civil time")
struct CivilTimeTests {
    @Test("Every day from 1600 to 4100 goes to a date and back")
    func roundTrip() {
        var day = CivilTime(year: 1600, month: 1, day: 1).millisecondsSinceEpoch
        let last = CivilTime(year: 4100, month: 1, day: 1).millisecondsSinceEpoch
        var previous = CivilTime(millisecondsSinceEpoch: day - 1)
        while day < last {
            let civil = CivilTime(millisecondsSinceEpoch: day)
            if civil.millisecondsSinceEpoch != day || !civil.isValid
                || civil.day != 1 && civil.day != previous.day + 1
            {
                Issue.record("\(civil) does not follow \(previous)")
            }
            previous = civil
            day += 86_400_000
        }
    }

    @Test("Los Angeles agrees with the system's tz database around every switch since 1987")
    func losAngeles() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        for year in 1987...2060 {
            for hour in stride(from: 0, to: 366 * 24, by: 7) {
                let start = CivilTime(year: year, month: 1, day: 1).instant
                let instant = start.advanced(by: .seconds(hour * 3600 + 1800))
                let date = Date(
                    timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000
                )
                let expected = zone.secondsFromGMT(for: date)
                if LosAngelesTime.offsetSeconds(at: instant) != expected {
                    Issue.record("\(instant): the tz database says \(expected)")
                }
            }
        }
    }

    @Test(
        "The hours around the switches are rendered as Apple does",
        arguments: [
            (CivilTime(year: 2025, month: 3, day: 9, hour: 9, minute: 30), 1),
            (CivilTime(year: 2025, month: 3, day: 9, hour: 10, minute: 30), 3),
            (CivilTime(year: 2025, month: 11, day: 2, hour: 8, minute: 30), 1),
            (CivilTime(year: 2025, month: 11, day: 2, hour: 9, minute: 30), 1),
        ]
    )
    func switches(utc: CivilTime, hour: Int) {
        let local = LosAngelesTime.civilTime(at: utc.instant)
        #expect(local.hour == hour)
        #expect(local.minute == 30)
    }

    @Test("An instant describes itself in RFC 3339, with milliseconds only where there are some")
    func description() {
        #expect(Instant(millisecondsSince1970: 0).description == "1970-01-01T00:00:00Z")
        #expect(
            Instant(millisecondsSince1970: 1_335_798_355_868).description
                == "2012-04-30T15:05:55.868Z"
        )
        #expect(Instant(millisecondsSince1970: -1).description == "1969-12-31T23:59:59.999Z")
        #expect(
            CivilTime(year: 4001, month: 1, day: 1).instant.description == "4001-01-01T00:00:00Z"
        )
        #expect(CivilTime(year: 1, month: 1, day: 1).instant.description == "0001-01-01T00:00:00Z")
    }

    @Test("Moving past the ends of time stops there instead of trapping")
    func saturation() {
        let end = Instant(millisecondsSince1970: .max)
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(Instant(secondsSince1970: .max) == end)
        // Of more seconds than 64 bits hold.
        #expect(Instant(millisecondsSince1970: 1).advanced(by: .zero - .seconds(Int64.min)) == end)
        #expect(Instant(millisecondsSince1970: .min).advanced(by: .seconds(-5)) < end)
        _ = Instant(millisecondsSince1970: .min).description
        _ = end.description
    }
}
