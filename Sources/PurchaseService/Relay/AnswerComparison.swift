package import CounterfoilJSON

/// A place in which Apple's answer and ours to the same request differ.
package struct AnswerDifference: Hashable, Sendable {
    /// How they differ.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Only Apple's has the member or the element.
        case onlyApples = "only Apple's"
        /// Only ours has it.
        case onlyOurs = "only ours"
        /// Both have it, and mean something else.
        case value = "another value"
        /// Both mean the same, in different types of JSON.
        case form = "another form"
    }

    /// Where it stands: in Apple's answer or, where only ours has it, in ours.
    package let path: JSONKeyPath
    /// How they differ.
    package let kind: Kind
    /// What Apple's has there; for a person who may see the receipt, never for a log.
    package let apples: JSONValue?
    /// What ours has there; likewise.
    package let ours: JSONValue?

    /// The place without the numbers of elements: `receipt.in_app[].quantity`.
    package var field: String { path.withoutNumbers }
}

extension AnswerDifference {
    /// Everything in which two answers to the same request differ, in Apple's order.
    ///
    /// The order of members means nothing, nor does the order of transactions and renewals, which
    /// are compared by their identifiers. `null` is as good as absent. What differs between any two
    /// answers of Apple's own (``alwaysDifferent``) is passed over.
    ///
    /// - Parameters:
    ///   - apples: Apple's answer.
    ///   - ours: Ours.
    /// - Returns: The places; none where both say the same.
    package static func between(_ apples: JSONObject, _ ours: JSONObject) -> [AnswerDifference] {
        var comparison = AnswerComparison()
        comparison.compare(apples.inOneSpelling, ours.inOneSpelling, at: .document)
        return comparison.differences
    }

    /// What no two answers have in common: the instant of the request, and the newest receipt,
    /// which Apple signs anew for each.
    package static let alwaysDifferent: [String] = [
        "receipt.request_date", "receipt.request_date_ms", "receipt.request_date_pst",
        "latest_receipt",
    ]
}

/// The walk through two answers; how deep they are nested is bounded by their reading.
private struct AnswerComparison {
    private(set) var differences: [AnswerDifference] = []

    /// The members by which elements of arrays are told apart.
    private static let identities = [
        "receipt.in_app": "transaction_id",
        "latest_receipt_info": "transaction_id",
        "pending_renewal_info": "original_transaction_id",
    ]

    mutating func compare(_ apples: JSONObject, _ ours: JSONObject, at path: JSONKeyPath) {
        for (key, value) in apples {
            compare(value, ours[key], at: .member(path, key))
        }
        for (key, value) in ours where apples[key] == nil {
            compare(nil, value, at: .member(path, key))
        }
    }

    private mutating func compare(_ apples: JSONValue?, _ ours: JSONValue?, at path: JSONKeyPath) {
        guard !AnswerDifference.alwaysDifferent.contains(path.withoutNumbers) else { return }
        switch (apples?.unlessNull, ours?.unlessNull) {
        case (nil, nil): break
        case (let apples?, nil): note(.onlyApples, apples, nil, at: path)
        case (nil, let ours?): note(.onlyOurs, nil, ours, at: path)
        case (.object(let apples), .object(let ours)): compare(apples, ours, at: path)
        case (.array(let apples), .array(let ours)):
            compare(apples, ours, by: Self.identities[path.withoutNumbers], at: path)
        case (let apples?, let ours?):
            guard apples != ours else { return }
            let kind: AnswerDifference.Kind = apples.means(ours) ? .form : .value
            note(kind, apples, ours, at: path)
        }
    }

    private mutating func compare(
        _ apples: [JSONValue],
        _ ours: [JSONValue],
        by identity: String?,
        at path: JSONKeyPath
    ) {
        var waiting: [String: [Int]] = [:]
        for (index, element) in ours.enumerated().reversed() {
            waiting[name(of: element, index, identity), default: []].append(index)
        }
        for (index, element) in apples.enumerated() {
            let twin = waiting[name(of: element, index, identity)]?.popLast()
            compare(element, twin.map { ours[$0] }, at: .element(path, index))
        }
        for index in waiting.values.joined().sorted() {
            compare(nil, ours[index], at: .element(path, index))
        }
    }

    /// What an element is found by in the other array: its identifier, else its place.
    private func name(of element: JSONValue, _ index: Int, _ identity: String?) -> String {
        identity.flatMap { element[$0]?.scalarText } ?? "#\(index)"
    }

    private mutating func note(
        _ kind: AnswerDifference.Kind,
        _ apples: JSONValue?,
        _ ours: JSONValue?,
        at path: JSONKeyPath
    ) {
        differences.append(
            AnswerDifference(path: path, kind: kind, apples: apples, ours: ours)
        )
    }
}

extension JSONObject {
    /// The object with today's spelling of the one key that has two.
    fileprivate var inOneSpelling: JSONObject {
        guard let value = self["is-retryable"], self["is_retryable"] == nil else { return self }
        var object = self
        object["is-retryable"] = nil
        object["is_retryable"] = value
        return object
    }
}

extension JSONValue {
    fileprivate var unlessNull: JSONValue? { isNull ? nil : self }

    /// The text of a scalar, whatever its type.
    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether both are scalars of one meaning in different types: `"1"` and `1`, `"false"` and
    /// `false`, `1` and `true`.
    fileprivate func means(_ other: JSONValue) -> Bool {
        guard let text = scalarText, let otherText = other.scalarText else { return false }
        if text == otherText { return true }
        guard bool != nil || other.bool != nil,
            case .value(let one) = JSONMembers.Forms.asAppleSends.bool(in: self),
            case .value(let two) = JSONMembers.Forms.asAppleSends.bool(in: other)
        else { return false }
        return one == two
    }
}

extension JSONKeyPath {
    /// The path with every number of an element left out.
    fileprivate var withoutNumbers: String {
        switch self {
        case .document: ""
        case .element(let array, _): "\(array.withoutNumbers)[]"
        case .member(.document, let key): Self.member(.document, key).description
        case .member(let object, let key):
            "\(object.withoutNumbers).\(Self.member(.document, key).description)"
        }
    }
}
