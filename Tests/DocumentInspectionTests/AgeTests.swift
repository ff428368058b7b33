import CounterfoilBasics
import DocumentInspection
import Testing

@Suite("Ages")
struct AgeTests {
    private static let now = CivilTime(year: 2024, month: 2, day: 29, hour: 12).instant

    @Test(
        "The largest unit counts, in the calendar of UTC",
        arguments: [
            (CivilTime(year: 2021, month: 2, day: 28, hour: 12), "3 years ago"),
            (CivilTime(year: 2021, month: 3, day: 1), "2 years ago"),
            (CivilTime(year: 2023, month: 2, day: 28, hour: 12), "1 year ago"),
            (CivilTime(year: 2023, month: 3, day: 1), "11 months ago"),
            (CivilTime(year: 2024, month: 1, day: 29, hour: 12), "1 month ago"),
            (CivilTime(year: 2024, month: 1, day: 29, hour: 12, minute: 1), "30 days ago"),
            (CivilTime(year: 2024, month: 2, day: 28, hour: 12), "1 day ago"),
            (CivilTime(year: 2024, month: 2, day: 28, hour: 13), "23 hours ago"),
            (CivilTime(year: 2024, month: 2, day: 29, hour: 11, minute: 58), "2 minutes ago"),
            (CivilTime(year: 2024, month: 2, day: 29, hour: 12), "just now"),
            (CivilTime(year: 2024, month: 2, day: 29, hour: 12, second: 59), "just now"),
            (CivilTime(year: 2024, month: 2, day: 29, hour: 12, minute: 1), "in 1 minute"),
            (CivilTime(year: 2024, month: 3, day: 30, hour: 12), "in 1 month"),
            (CivilTime(year: 4001, month: 1, day: 1), "in 1976 years"),
            (CivilTime(year: 1, month: 1, day: 1), "2023 years ago"),
        ]
    )
    func words(time: CivilTime, expected: String) {
        #expect(Age(of: time.instant, at: Self.now).description == expected)
    }

    @Test("No instant is too far away")
    func extremes() {
        let ends = [Int64.min, 0, Int64.max].map(Instant.init(millisecondsSince1970:))
        for instant in ends {
            for now in ends where instant != now {
                #expect(Age(of: instant, at: now).description.contains("years"))
            }
        }
    }
}
