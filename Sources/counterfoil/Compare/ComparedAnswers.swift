import AppStoreClient
import AppStoreModel
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import PurchaseService

/// Apple's answer and ours to one receipt, and in what they differ.
struct ComparedAnswers {
    let source: String
    let apples: AppleAnswer
    let ours: VerifyReceiptAnswer
    let differences: [AnswerDifference]

    init(
        source: String,
        _ apples: AppleAnswer,
        _ ours: VerifyReceiptAnswer
    ) throws(JSONError) {
        self.source = source
        self.apples = apples
        self.ours = ours
        let own = try JSONMembers(JSONValue(parsing: ours.outcome.json, limits: AppleAnswer.limits))
        differences = AnswerDifference.between(apples.reply.object, own.object)
    }

    /// The whole as one JSON object.
    var json: JSONObject {
        [
            "source": .string(FileName.shown(source)),
            "apple": .object(AppleDesk.Finding.object(apples)),
            "ours": [
                "status": JSONValue(ours.outcome.statusNumber),
                "address": .string(ours.address.rawValue),
                "code": ours.outcome.refusal.map { .string($0.code.rawValue) } ?? .null,
            ],
            "differences": .array(
                differences.map { difference in
                    [
                        "path": .string(difference.path.description),
                        "difference": .string(difference.kind.rawValue),
                        "apple": difference.apples ?? .null, "ours": difference.ours ?? .null,
                    ]
                }
            ),
        ]
    }

    /// The whole for a person: a line of statuses, and a row for each field that differs.
    func lines(columns: Int) -> [StyledText] {
        let name = FileName.shown(source)
        let statuses: StyledText =
            "Apple \(apples.statusNumber) (\(apples.side.rawValue)), "
            + "ours \(ours.outcome.statusNumber) (\(ours.address.rawValue))"
        guard !differences.isEmpty else {
            return ["\(name): \("the same", .green): \(statuses)"]
        }
        var table = Table([
            Table.Column("  FIELD", .leading, .wrap), Table.Column("DIFFERENCE"),
            Table.Column("PLACES", .trailing), Table.Column("APPLE", .leading, .cut),
            Table.Column("OURS", .leading, .cut),
        ])
        for field in DifferingField.fields(of: differences) {
            let first = differences.first { $0.field == field.field && $0.kind == field.kind }
            table.append([
                "  \(field.field)", "\(field.kind.rawValue)", "\(field.count)",
                "\(Self.shown(first?.apples))", "\(Self.shown(first?.ours))",
            ])
        }
        return ["\(name): \("different", .yellow): \(statuses)"] + table.lines(width: columns)
    }

    /// A value in a cell: a scalar as it is, the rest by its kind.
    private static func shown(_ value: JSONValue?) -> String {
        switch value {
        case nil: "–"
        case .array?, .object?: value?.kindInWords ?? ""
        case let scalar?: String(scalar.description.prefix(64))
        }
    }
}
