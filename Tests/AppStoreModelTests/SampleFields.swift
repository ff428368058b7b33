import CounterfoilBasics
import CounterfoilJSON

@testable import AppStoreModel

/// Random values for every form that a member may have.
struct SampleFields {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The JSON of a random value of a form, as Apple would write it.
    mutating func json(of form: any FieldValue.Type) -> JSONValue {
        if let form = form as? any ListForm.Type {
            return .array(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in json(of: form.element) }
            )
        }
        if let form = form as? any FieldedObject.Type { return .object(filled(form).object) }
        if let form = form as? any SentForm.Type { return sent(form) }
        if let form = form as? any OpenFieldValue.Type { return json(of: form.raw) }
        if form == Bool.self { return .bool(Bool.random(using: &random)) }
        if form == Int64.self || form == Instant.self { return JSONValue(integer()) }
        return .string(text())
    }

    /// An object with every known member set through its property, in random order.
    mutating func filled<Root: FieldedObject>(_ type: Root.Type) -> Root {
        var root = Root()
        for field in Root.fields.fields.shuffled(using: &random) {
            root.set(field, json(of: field.form))
        }
        return root
    }

    /// The JSON that Apple sends for one of the values that a form has.
    private mutating func sent<Sent: SentForm>(_ form: Sent.Type) -> JSONValue {
        let candidates: [JSONValue] = ["0", "1", "350000000000002", "true", "Größe", "Production"]
        let values = candidates.compactMap { candidate in
            if case .value(let value) = form.find(in: candidate) { value } else { nil }
        }
        return form.json(values.randomElement(using: &random)!)
    }

    private mutating func integer() -> Int64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .random(in: -3...3, using: &random)
        case 1: .random(in: 1_500_000_000_000...1_800_000_000_000, using: &random)
        case 2:
            [Int64.min, .max, 9_007_199_254_740_993, -62_135_769_600_000].randomElement(
                using: &random
            )!
        default: .random(in: .min ... .max, using: &random)
        }
    }

    private mutating func text() -> String {
        let texts = [
            "", "0", "350000000000002", "Größe \"1\"", "\u{0}\n", "PURCHASED", "K\u{212A}",
        ]
        return texts.randomElement(using: &random)!
    }
}

extension FieldedObject {
    /// Sets a member through its property.
    mutating func set(_ field: FieldTable<Self>.Field, _ value: JSONValue) {
        func set<Value: FieldValue>(_ type: Value.Type, on root: inout Self) {
            if let sent = type as? any SentForm.Type { return root.set(field, value, as: sent) }
            let property = field.property as! WritableKeyPath<Self, Value?>
            root[keyPath: property] = Value(field: value)!
        }
        set(field.form, on: &self)
    }

    /// Takes a member out through its property.
    mutating func remove(_ field: FieldTable<Self>.Field) {
        func remove<Value: FieldValue>(_ type: Value.Type, on root: inout Self) {
            if let sent = type as? any SentForm.Type { return root.remove(field, as: sent) }
            root[keyPath: field.property as! WritableKeyPath<Self, Value?>] = nil
        }
        remove(field.form, on: &self)
    }

    /// What a member's property reads, as JSON.
    func get(_ field: FieldTable<Self>.Field) -> JSONValue? {
        func get<Value: FieldValue>(_ type: Value.Type) -> JSONValue? {
            if let sent = type as? any SentForm.Type { return self.get(field, as: sent) }
            return self[keyPath: field.property as! WritableKeyPath<Self, Value?>]?.field
        }
        return get(field.form)
    }

    private mutating func set<Sent: SentForm>(
        _ field: FieldTable<Self>.Field,
        _ json: JSONValue,
        as form: Sent.Type
    ) {
        guard case .value(let value) = form.find(in: json) else { preconditionFailure() }
        self[keyPath: field.property as! WritableKeyPath<Self, Sent.Value?>] = value
    }

    private mutating func remove<Sent: SentForm>(
        _ field: FieldTable<Self>.Field,
        as form: Sent.Type
    ) {
        self[keyPath: field.property as! WritableKeyPath<Self, Sent.Value?>] = nil
    }

    private func get<Sent: SentForm>(
        _ field: FieldTable<Self>.Field,
        as form: Sent.Type
    ) -> JSONValue? {
        self[keyPath: field.property as! WritableKeyPath<Self, Sent.Value?>].map { form.json($0) }
    }
}

private protocol ListForm { static var element: any FieldValue.Type { get } }
extension Array: ListForm where Element: FieldValue {
    static var element: any FieldValue.Type { Element.self }
}

extension OpenFieldValue { static var raw: any FieldValue.Type { RawValue.self } }
