import AppStoreModel
package import CounterfoilBasics
package import CounterfoilJSON

// How answers are written for people and programs; docs/EVENTS.md and docs/LEDGER.md list the
// members. Instants are milliseconds since 1970, as in Apple's signed data.
extension Standing {
    /// The answer with its reasons.
    package var json: JSONObject {
        var object = answer.json
        object["isInferred"] = .bool(isInferred)
        object["since"] = JSONValue(since)
        object.setIfPresent("nextChangeAt", nextChangeAt.map { JSONValue($0) })
        object.setIfPresent("grade", grade.map { .string($0.name) })
        object["reasons"] = .array(reasons.map { .object($0.json) })
        return object
    }
}

extension Answer {
    /// What events tell of an answer.
    package var json: JSONObject {
        var object: JSONObject = [
            "state": .string(state.rawValue),
            "isEntitled": .bool(state.isEntitled),
            "purchase": .string(purchase.encoded),
        ]
        object.setIfPresent("productId", productId.map { .string($0) })
        object.setIfPresent("expiresDate", expiresDate.map { JSONValue($0) })
        object["quantity"] = JSONValue(quantity)
        object.setIfPresent("renews", renews.map { .bool($0) })
        object.setIfPresent("plannedProductId", plannedProductId.map { .string($0) })
        return object
    }
}

extension Reason {
    /// What decided: a word, who said it and when, or a rule.
    package var json: JSONObject {
        switch self {
        case .said(let about, let stamp):
            [
                "about": .string(about.rawValue),
                "attestedAt": JSONValue(stamp.attestedAt),
                "grade": .string(stamp.grade.name),
                "evidence": .string(stamp.digest.description),
            ]
        case .rule(let rule): ["rule": .string(rule.rawValue)]
        }
    }
}

extension Grade {
    /// Its name in answers.
    package var name: String {
        switch self {
        case .operatorFile: "operatorFile"
        case .sharedSecret: "sharedSecret"
        case .appleChannel: "appleChannel"
        case .signature: "signature"
        }
    }
}

extension JSONValue {
    /// An instant as Apple's signed data has it.
    package init(_ instant: Instant) { self.init(instant.millisecondsSince1970) }
}

extension JSONObject {
    /// Writes a member that may be absent.
    package mutating func setIfPresent(_ key: String, _ value: JSONValue?) {
        if let value { self[key] = value }
    }
}
