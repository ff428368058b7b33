import AppStoreModel
import CounterfoilBasics
import Foundation
import Testing

@testable import AppStoreSimulator

@Suite("docs/REHEARSING.md")
struct RehearsingDocumentTests {
    private static let text = Result {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("docs/REHEARSING.md"),
            encoding: .utf8
        )
    }

    /// The rows of the table under a heading of columns, without its second line.
    private static func rows(below heading: String) throws -> [String] {
        let lines = try text.get().split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(String.init)
    }

    @Test("It says what is sent of each event, as it is sent")
    func events() throws {
        let expected = Event.allCases.map { event in
            let announcement = Announcement(of: event)
            let subtype = announcement.subtype.map { " " + $0.rawValue } ?? ""
            let v2 = announcement.type.map { "`\($0.rawValue)\(subtype)`" } ?? "–"
            let v1 = announcement.v1.map { "`\($0.rawValue)`" }.joined(separator: " ")
            return "| `\(event)` | \(v2) | \(v1.isEmpty ? "–" : v1) |"
        }
        let found = try Self.rows(below: "| event | version 2 | version 1 |")
        #expect(found == expected, "\(expected.joined(separator: "\n"))")
    }

    @Test(
        "Its example renews each month of a year, whenever it starts",
        arguments: ["2026-01-01T00:00:00Z", "2026-01-31T10:00:00Z", "2028-02-29T23:30:00Z"]
    )
    func example(start: String) throws {
        var life = Life(at: Life.instant(start))
        try life.buy("gold.month")
        life.advance(days: 365)
        let events = life.events()
        #expect(events.first == .subscribed)
        #expect(events.dropFirst().allSatisfy { $0 == .renewed })
        #expect((11...12).contains(events.count - 1))
        #expect(life.states == [.active])
    }

    @Test("It names every switch of the store's rules")
    func rules() throws {
        let names = Mirror(reflecting: StoreRules()).children.compactMap {
            $0.label.map { "`\($0)`" }
        }
        let found = try Self.rows(below: "| switch | without it |").map {
            $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
        }
        #expect(found == names)
    }
}
