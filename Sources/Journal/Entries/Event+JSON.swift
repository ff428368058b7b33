import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
package import CounterfoilJSON
import Ledger

extension Event {
    /// The version of what follows; docs/EVENTS.md lists its members.
    private static let jsonVersion: Int64 = 1

    /// The event for whoever follows the feed.
    package var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id.description),
            "version": JSONValue(Self.jsonVersion),
            "type": .string(type),
            "occurredAt": JSONValue(occurredAt),
            "recordedAt": JSONValue(recordedAt),
            "bundleId": .string(scope.bundleId),
            "environment": .string(scope.environment.rawValue),
            "realm": .string(scope.realm.rawValue),
        ]
        object.setIfPresent(
            "originalTransactionId",
            lineage.map { .string($0.originalTransactionId) }
        )
        object.setIfPresent("signer", lineage?.signer.map { .string($0.description) })
        object["cause"] = .object(cause.json)
        switch content {
        case .change(let change):
            object.setIfPresent("direction", change.direction.map { .string($0.rawValue) })
            object["before"] = change.before.map { .object($0.json) } ?? .null
            object["after"] = change.after.map { .object($0.json) } ?? .null
            object["reasons"] = .array(change.reasons.map { .object($0.json) })
        case .occurrence(let occurrence):
            object["key"] = .string(occurrence.key)
            object["details"] = .object(occurrence.details)
        }
        return object
    }
}

extension Event.Cause {
    fileprivate var json: JSONObject {
        switch self {
        case .learned(let digest):
            ["kind": "learned", "evidence": .string(digest.description)]
        case .clock: ["kind": "clock"]
        case .rules(let position):
            ["kind": "rules", "position": .string(position.description)]
        }
    }
}
