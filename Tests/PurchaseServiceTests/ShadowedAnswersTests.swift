import AppStoreModel
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

/// Published answers of Apple's endpoint, each in the place of Apple's beside ours to a receipt of
/// the same content, compared as a shadow compares them: by values, too.
@Suite("What a shadow finds in published answers", corpus)
struct ShadowedAnswersTests {
    @Test("Every field that differs is explained in the document, and every one there is met")
    func fields() throws {
        var found: [Row: Set<String>] = [:]
        for name in PublishedAnswersTests.names
        where !PublishedAnswersTests.handwritten.contains(where: { name.contains($0) }) {
            let published = try JSONValue(parsing: Corpus.bytes(name))
            let ours = try JSONValue(parsing: Comparison.answer(to: published).json)
            let differences = AnswerDifference.between(
                try #require(published.object),
                try #require(ours.object)
            )
            for field in DifferingField.fields(of: differences) {
                found[Row(field.field, field.kind.rawValue), default: []].insert(name)
            }
        }
        let documented = try Row.documented()
        let explained = try documented.union(Row.documentedOfKeysAndForms())
        for (row, names) in found where !explained.contains(row) {
            Issue.record("`\(row.field)` | \(row.difference) is not explained: \(names.sorted())")
        }
        for row in documented where found[row] == nil {
            Issue.record("`\(row.field)` | \(row.difference) is in the document and in no answer")
        }
    }

    @Test("What is passed over is listed in the document")
    func passedOver() throws {
        let document = try ProjectDocument("docs/RELAY.md")
        #expect(document.names(under: "### Passed over") == AnswerDifference.alwaysDifferent)
    }
}

/// A field and how it differs, as tables explain them.
private struct Row: Hashable {
    let field: String
    let difference: String

    init(_ field: String, _ difference: String) {
        self.field = field
        self.difference = difference
    }

    /// The rows of the page's own table.
    static func documented() throws -> Set<Row> {
        let document = try ProjectDocument("docs/RELAY.md")
        var rows: Set<Row> = []
        for cells in document.rows(under: "### What a shadow finds") {
            #expect(cells.count == 3)
            for field in cells[0].matches(of: /`([^`]+)`/) {
                rows.insert(Row(String(field.1), cells[1]))
            }
        }
        return rows
    }

    /// What the tables of docs/VERIFY_RECEIPT.md explain, which tell keys and types but no values.
    static func documentedOfKeysAndForms() throws -> Set<Row> {
        let rows = try Difference.documented().map { difference in
            Row(
                difference.path,
                difference.kind.contains(" for ") ? "another form" : difference.kind
            )
        }
        return Set(rows)
    }
}
