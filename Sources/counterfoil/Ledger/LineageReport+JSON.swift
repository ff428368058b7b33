import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Journal
import Ledger

extension LineageReport {
    /// The whole story for programs; docs/LEDGER.md lists the members.
    var json: JSONObject {
        var object: JSONObject = [
            "bundleId": .string(lineage.scope.bundleId),
            "environment": .string(lineage.scope.environment.rawValue),
            "realm": .string(lineage.scope.realm.rawValue),
            "originalTransactionId": .string(lineage.originalTransactionId),
            "effectiveAt": JSONValue(question.effectiveAt),
        ]
        object.setIfPresent("signer", lineage.signer.map { .string($0.description) })
        object.setIfPresent("knownAt", question.knownAt.map { .string($0.description) })
        object["standing"] = standing.map { .object($0.json) } ?? .null
        object["purchases"] = .array(
            known.purchases.map { .object($0.json(registers: known.registers(of: $0.id))) }
        )
        object["entries"] = .array(story.chapters.map { .object($0.json) })
        return object
    }
}

extension Purchase {
    fileprivate func json(registers: [Ledger.Lineage.ShownRegister]) -> JSONObject {
        var members = JSONObject()
        for register in registers {
            members[register.name] = .object([
                "value": .string(register.value),
                "attestedAt": JSONValue(register.stamp.attestedAt),
                "grade": .string(register.stamp.grade.name),
                "evidence": .string(register.stamp.digest.description),
            ])
        }
        return [
            "purchase": .string(id.encoded),
            "purchaseDate": JSONValue(purchaseDate),
            "transactionIds": .array(
                self.registers.transactions.keys.sorted().map(JSONValue.string)
            ),
            "registers": .object(members),
        ]
    }
}

extension LineageStory.Chapter {
    fileprivate var json: JSONObject {
        [
            "position": .string(position.description),
            "recordedAt": JSONValue(recordedAt),
            "document": document.map { .object($0.evidence.json) } ?? .null,
            "evidence": .array(evidence.map { .object($0.evidence.json) }),
            "events": .array(events.map { .object($0.json) }),
        ]
    }
}

extension Evidence {
    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "digest": .string(digest.description),
            "kind": .string(kind.rawValue),
            "grade": .string(grade.name),
        ]
        object.setIfPresent("attestedAt", attestedAt.map { JSONValue($0) })
        object.setIfPresent("signer", signer.map { .string($0.description) })
        object.setIfPresent("envelope", envelope.map { .string($0.description) })
        return object
    }
}
