import AppStoreClient
import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// A field in which Apple's answer and ours differ in one way, in one place or in many: all that a
/// log may hold of a difference.
package struct DifferingField: Hashable, Sendable {
    /// The place without the numbers of elements: `receipt.in_app[].quantity`.
    package let field: String
    /// How they differ.
    package let kind: AnswerDifference.Kind
    /// In how many places.
    package let count: Int
}

extension DifferingField {
    /// The fields of differences, by name.
    package static func fields(of differences: [AnswerDifference]) -> [DifferingField] {
        var counts: [String: [AnswerDifference.Kind: Int]] = [:]
        for difference in differences {
            counts[difference.field, default: [:]][difference.kind, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.flatMap { field, kinds in
            AnswerDifference.Kind.allCases.compactMap { kind in
                kinds[kind].map { DifferingField(field: field, kind: kind, count: $0) }
            }
        }
    }
}

extension RelayFinding {
    /// The fields in which Apple's answer differs from the body of ours; none where one of both is
    /// none, or larger than any of Apple's.
    package func fieldsDiffering(from ours: [UInt8]) -> [DifferingField] {
        guard let apples = answer?.reply.object else { return [] }
        do {
            let ours = try JSONMembers(JSONValue(parsing: ours, limits: AppleAnswer.limits)).object
            return DifferingField.fields(of: AnswerDifference.between(apples, ours))
        } catch {
            // The answer to a receipt of many megabytes is larger than what is compared.
            return []
        }
    }
}
