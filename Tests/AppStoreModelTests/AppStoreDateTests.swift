import AppStoreModel
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("App Store dates")
struct AppStoreDateTests {
    @Test(
        "Every form that the App Store has used gives the same instant",
        arguments: [
            "2024-06-03T08:15:30Z", "2024-06-03T08:15:30.000Z", "2024-06-03T08:15:30z",
            "2024-06-03T10:15:30+02:00", "2024-06-03T10:15:30+0200", "2024-06-03T00:45:30-0730",
            "2024-06-03T08:15:30+0000", "2024-06-03 08:15:30 Etc/GMT", "2024-06-03 08:15:30 GMT",
            "2024-06-03 08:15:30 UTC", "2024-06-03 01:15:30 America/Los_Angeles", "1717402530000",
        ]
    )
    func forms(text: String) {
        #expect(
            AppStoreDate.parse(text) == Instant(millisecondsSince1970: 1_717_402_530_000)
        )
    }

    @Test(
        "Fractions are cut to whole milliseconds",
        arguments: [
            ("2020-09-24T10:00:19.686Z", 686), ("2020-09-24T10:00:19.6Z", 600),
            ("2020-09-24T10:00:19.68699999Z", 686), ("2020-09-24T10:00:19Z", 0),
        ]
    )
    func fractions(text: String, milliseconds: Int64) {
        #expect(
            AppStoreDate.parse(text)?.millisecondsSince1970 == 1_600_941_619_000 + milliseconds
        )
    }

    @Test(
        "Text that is no date is nil and never a guess",
        arguments: [
            "", " ", "yesterday", "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z",
            "2024-06-03T24:00:00Z", "2024-06-03T08:15:60Z", "2024-06-03T08:15:30",
            "2024-06-03T08:15:30.Z", "2024-06-03T08:15:30+2", "2024-06-03T08:15:30+24:00",
            "2024-06-03T08:15:30Zjunk", "2024-06-03 08:15:30 Europe/Berlin", "2024-06-03",
            "20240603T081530Z", "+1717402530000", "17174025300000000000", "--5", "-",
            "2024-06-03T08:15:30.00000000000000000000000000000000000000000000000000000000000000Z",
        ]
    )
    func refusals(text: String) {
        #expect(AppStoreDate.parse(text) == nil)
    }

    @Test("Years 1 and 4001 survive")
    func farYears() throws {
        let never = try #require(AppStoreDate.parse("4001-01-01T03:00:00+0300"))
        #expect(AppStoreDate.gmt(never) == "4001-01-01 00:00:00 Etc/GMT")
        let first = try #require(AppStoreDate.parse("0001-01-01T00:00:00Z"))
        #expect(AppStoreDate.parse(AppStoreDate.milliseconds(first)) == first)
        #expect(AppStoreDate.gmt(first) == "0001-01-01 00:00:00 Etc/GMT")
    }

    @Test("The three renderings are Apple's, on both sides of the switch to daylight time")
    func renderings() {
        let sandbox = Instant(millisecondsSince1970: 1_375_340_400_000)
        #expect(AppStoreDate.gmt(sandbox) == "2013-08-01 07:00:00 Etc/GMT")
        #expect(AppStoreDate.milliseconds(sandbox) == "1375340400000")
        #expect(AppStoreDate.pst(sandbox) == "2013-08-01 00:00:00 America/Los_Angeles")
        let winter = Instant(millisecondsSince1970: 1_741_512_600_000)
        #expect(AppStoreDate.pst(winter) == "2025-03-09 01:30:00 America/Los_Angeles")
        let summer = Instant(millisecondsSince1970: 1_741_516_200_000)
        #expect(AppStoreDate.pst(summer) == "2025-03-09 03:30:00 America/Los_Angeles")
    }

    @Test("What is rendered is read back, all through two years")
    func roundTrip() {
        var instant = CivilTime(year: 2024, month: 1, day: 1).instant
        let end = CivilTime(year: 2026, month: 1, day: 1).instant
        while instant < end {
            if AppStoreDate.parse(AppStoreDate.gmt(instant)) != instant {
                Issue.record("\(instant) is not read back from its GMT rendering")
            }
            let pst = AppStoreDate.parse(AppStoreDate.pst(instant))
            // In the hour that occurs twice the text stands for two instants an hour apart.
            if pst != instant && pst?.advanced(by: .seconds(3600)) != instant {
                Issue.record("\(instant) is not read back from its Los Angeles rendering")
            }
            instant = instant.advanced(by: .seconds(1_799))
        }
    }

    @Test(
        "Every published answer's three renderings of a date agree",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func publishedAnswers() throws {
        var compared = 0
        for name in Corpus.names(in: "verify-receipt-responses", ending: ".json") {
            let json = try JSONSerialization.jsonObject(with: Data(Corpus.bytes(name)))
            compared += try compareDates(in: json, file: name)
        }
        #expect(compared > 450)
    }

    /// Counts the dates whose renderings agree; ones that were edited by hand are told apart by
    /// their text, which no longer matches itself.
    private func compareDates(in json: Any, file: String) throws -> Int {
        if let array = json as? [Any] {
            return try array.reduce(0) { try $0 + compareDates(in: $1, file: file) }
        }
        guard let object = json as? [String: Any] else { return 0 }
        var count = 0
        for (key, value) in object {
            count += try compareDates(in: value, file: file)
            guard let text = value as? String, let pst = object["\(key)_pst"] as? String,
                let milliseconds = object["\(key)_ms"] as? String,
                let instant = AppStoreDate.parse(milliseconds)
            else { continue }
            let seconds = Instant(secondsSince1970: instant.millisecondsSince1970 / 1000)
            if AppStoreDate.gmt(seconds) == text, AppStoreDate.pst(seconds) == pst { count += 1 }
        }
        return count
    }
}
