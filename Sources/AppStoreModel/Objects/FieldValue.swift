import CounterfoilBasics
import CounterfoilJSON

/// What a member of one of Apple's objects may be: a type with its one form in JSON.
protocol FieldValue: Sendable {
    /// What the form is, in a sentence: `a string`.
    static var expected: String { get }

    /// What it holds beyond a plain value.
    static var memberForm: KnownMember.Form { get }

    /// Whether a JSON value is of this form.
    static func accepts(_ value: JSONValue) -> Bool

    /// Takes a JSON value; nil when it is not of this form.
    init?(field value: JSONValue)

    /// The JSON value that Apple writes.
    var field: JSONValue { get }

    /// Checks that a JSON value is of this form, and everything in it.
    static func check(_ value: JSONValue, at place: FieldPlace) throws(JSONError)
}

extension FieldValue {
    static var memberForm: KnownMember.Form { .plain }

    static func accepts(_ value: JSONValue) -> Bool { Self(field: value) != nil }

    static func check(_ value: JSONValue, at place: FieldPlace) throws(JSONError) {
        guard accepts(value) else { throw place.refusal(of: value, expected: expected) }
    }
}

/// Where a value stands, made a path only when an error needs it.
enum FieldPlace {
    case member(JSONKeyPath, String)
    case element(JSONKeyPath, Int)

    var path: JSONKeyPath {
        switch self {
        case .member(let object, let key): .member(object, key)
        case .element(let array, let index): .element(array, index)
        }
    }

    /// The error for a value that is not what is expected here.
    func refusal(of value: JSONValue, expected: String) -> JSONError {
        .wrongType(expected: expected, found: value.foundInWords, at: path)
    }
}

// MARK: Strings, numbers and truth values

extension String: FieldValue {
    static var expected: String { "a string" }

    static func accepts(_ value: JSONValue) -> Bool {
        guard case .string = value else { return false }
        return true
    }

    init?(field value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    var field: JSONValue { .string(self) }
}

extension Bool: FieldValue {
    static var expected: String { "true or false" }

    init?(field value: JSONValue) {
        guard case .bool(let bool) = value else { return nil }
        self = bool
    }

    var field: JSONValue { .bool(self) }
}

extension Int64: FieldValue {
    static var expected: String { "an integer of 64 bits" }

    init?(field value: JSONValue) {
        guard case .number(let number) = value, let integer = number.int64 else { return nil }
        self = integer
    }

    var field: JSONValue { JSONValue(self) }
}

extension Instant: FieldValue {
    static var expected: String { "a date in milliseconds" }

    static var memberForm: KnownMember.Form { .date }

    /// Takes milliseconds since 1970; of a fraction, as Xcode writes it, the whole millisecond
    /// before.
    init?(field value: JSONValue) {
        guard case .number(let number) = value, let whole = number.roundedDown else { return nil }
        self.init(millisecondsSince1970: whole)
    }

    var field: JSONValue { JSONValue(millisecondsSince1970) }
}

// MARK: Open sets

/// One of Apple's open sets of words or numbers: what is unknown survives as it was written.
protocol OpenFieldValue: FieldValue, RawRepresentable, Hashable where RawValue: FieldValue {
    init(rawValue: RawValue)
}

extension OpenFieldValue {
    static var expected: String { RawValue.expected }

    static func accepts(_ value: JSONValue) -> Bool { RawValue.accepts(value) }

    init?(field value: JSONValue) {
        guard let rawValue = RawValue(field: value) else { return nil }
        self.init(rawValue: rawValue)
    }

    var field: JSONValue { rawValue.field }
}

// MARK: Arrays

extension Array: FieldValue where Element: FieldValue {
    static var expected: String { "an array" }

    init?(field value: JSONValue) {
        guard case .array(let values) = value else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = Element(field: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    var field: JSONValue { .array(map(\.field)) }

    static func check(_ value: JSONValue, at place: FieldPlace) throws(JSONError) {
        guard case .array(let values) = value else {
            throw place.refusal(of: value, expected: expected)
        }
        let path = place.path
        for (index, value) in values.enumerated() {
            try Element.check(value, at: .element(path, index))
        }
    }
}
