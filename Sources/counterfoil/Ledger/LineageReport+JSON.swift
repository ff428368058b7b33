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
            "bundleId": .string(lineage.id.scope.bundleId),
            "environment": .string(lineage.id.scope.environment.rawValue),
            "realm": .string(lineage.id.scope.realm.rawValue),
            "originalTransactionId": .string(lineage.id.originalTransactionId),
        ]
        object.setIfPresent("signer", lineage.id.signer.map { .string($0.description) })
        object["effectiveAt"] = JSONValue(question.effectiveAt)
        object.setIfPresent("knownAt", question.knownAt.map { .string($0.description) })
        object["standing"] = standing.map { .object($0.json) } ?? .null
        let (entitlements, credits) = worth
        object["entitlements"] = .array(entitlements.map { .object($0.json) })
        object["credits"] = JSONValue(credits)
        object["purchases"] = .array(lineage.purchases.map { .object($0.json) })
        object["renewal"] = .object(lineage.shownRegisters.json)
        object["entries"] = .array(story.chapters.map { .object($0.json) })
        return object
    }
}

extension Entitlement {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["name": .string(name)]
        object.setIfPresent("until", until.map { JSONValue($0) })
        return object
    }
}

extension Purchase {
    fileprivate var json: JSONObject {
        [
            "purchase": .string(id.encoded),
            "purchaseDate": JSONValue(purchaseDate),
            "transactions": .array(
                registers.transactions.sorted { $0.key < $1.key }.map { id, dates in
                    .object(dates.json(of: id))
                }
            ),
            "registers": .object(shownRegisters.json),
        ]
    }
}

extension PurchaseRegisters.TransactionDates {
    fileprivate func json(of transactionId: String) -> JSONObject {
        var object: JSONObject = ["transactionId": .string(transactionId)]
        object.setIfPresent("purchaseDate", purchaseDate.map { JSONValue($0) })
        object.setIfPresent("originalPurchaseDate", originalPurchaseDate.map { JSONValue($0) })
        return object
    }
}

extension [ShownRegister] {
    /// Each by its name.
    fileprivate var json: JSONObject {
        reduce(into: JSONObject()) { object, register in
            object[register.name] = .object([
                "value": register.json,
                "attestedAt": JSONValue(register.stamp.attestedAt),
                "grade": .string(register.stamp.grade.name),
                "evidence": .string(register.stamp.digest.description),
            ])
        }
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
