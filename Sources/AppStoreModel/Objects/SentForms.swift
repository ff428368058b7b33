import CounterfoilBasics
import CounterfoilJSON

// In notifications of version 1 and in answers of verifyReceipt numbers and truth values stand in
// strings, and have changed their type more than once. Each form reads all that Apple has sent, and
// writes what Apple sends at present.

/// A form in JSON that is not its value's own.
protocol SentForm: FieldValue {
    associatedtype Value: Sendable

    /// What a JSON value holds, in any of the forms that Apple has sent.
    static func find(in value: JSONValue) -> JSONFinding<Value>

    /// A value in the form that Apple sends.
    static func json(_ value: Value) -> JSONValue

    var value: Value { get }
    init(_ value: Value)
}

extension SentForm {
    static func accepts(_ value: JSONValue) -> Bool {
        if case .other = find(in: value) { return false }
        return true
    }

    init?(field value: JSONValue) {
        guard case .value(let found) = Self.find(in: value) else { return nil }
        self.init(found)
    }

    var field: JSONValue { Self.json(value) }
}

/// Any text; also sent as a number.
struct SentText: SentForm {
    static let expected = "a string"
    let value: String

    init(_ value: String) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<String> {
        JSONMembers.Forms.asAppleSends.string(in: value)
    }

    static func json(_ value: String) -> JSONValue { .string(value) }
}

/// An id in a string; also sent as a number, and empty for none.
struct SentIdentifier: SentForm {
    static let expected = "an id"
    let value: String

    init(_ value: String) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<String> {
        JSONMembers.Forms.asAppleSends.identifier(in: value)
    }

    static func json(_ value: String) -> JSONValue { .string(value) }
}

/// An id as a number; also sent in a string, and empty for none.
struct SentNumericIdentifier: SentForm {
    static let expected = "an id"
    let value: String

    init(_ value: String) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<String> {
        SentIdentifier.find(in: value)
    }

    /// A string for an id that would not come back from a number.
    static func json(_ value: String) -> JSONValue {
        guard let number = Int64(value), String(number) == value else { return .string(value) }
        return JSONValue(number)
    }
}

/// An integer in a string; also sent as a number, and empty for none.
struct SentInteger: SentForm {
    static let expected = "an integer of 64 bits"
    let value: Int64

    init(_ value: Int64) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Int64> {
        JSONMembers.Forms.asAppleSends.integer(in: value)
    }

    static func json(_ value: Int64) -> JSONValue { .string(String(value)) }
}

/// `true` or `false` in a string; also sent as such, and as 1 or 0.
struct SentBool: SentForm {
    static let expected = "true or false"
    let value: Bool

    init(_ value: Bool) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Bool> {
        JSONMembers.Forms.asAppleSends.bool(in: value)
    }

    static func json(_ value: Bool) -> JSONValue { .string(value ? "true" : "false") }
}

/// `1` or `0` in a string for true or false; also sent in the other forms of ``SentBool``.
struct SentFlag: SentForm {
    static let expected = "1 or 0"
    let value: Bool

    init(_ value: Bool) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Bool> { SentBool.find(in: value) }

    static func json(_ value: Bool) -> JSONValue { .string(value ? "1" : "0") }
}

/// A word of an open set; empty for none.
struct SentWord<Word: OpenFieldValue>: SentForm where Word.RawValue == String {
    static var expected: String { "a string" }
    let value: Word

    init(_ value: Word) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Word> {
        SentIdentifier.find(in: value).map { Word(rawValue: $0) }
    }

    static func json(_ value: Word) -> JSONValue { .string(value.rawValue) }
}

/// A number of an open set, in a string; also sent as a number, and empty for none.
struct SentNumber<Number: OpenFieldValue>: SentForm where Number.RawValue == Int64 {
    static var expected: String { SentInteger.expected }
    let value: Number

    init(_ value: Number) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Number> {
        SentInteger.find(in: value).map { Number(rawValue: $0) }
    }

    static func json(_ value: Number) -> JSONValue { .string(String(value.rawValue)) }
}

/// A number of an open set; also sent in a string, and empty for none.
struct SentBareNumber<Number: OpenFieldValue>: SentForm where Number.RawValue == Int64 {
    static var expected: String { SentInteger.expected }
    let value: Number

    init(_ value: Number) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<Number> {
        SentNumber<Number>.find(in: value)
    }

    static func json(_ value: Number) -> JSONValue { JSONValue(value.rawValue) }
}

/// Whether a subscription will renew, as `1` or `0` in a string.
struct SentRenewalStatus: SentForm {
    static let expected = "1 or 0"
    let value: AutoRenewStatus

    init(_ value: AutoRenewStatus) { self.value = value }

    /// Takes any number, and true and false in all their forms.
    static func find(in value: JSONValue) -> JSONFinding<AutoRenewStatus> {
        switch SentInteger.find(in: value) {
        case .value(let number): .value(AutoRenewStatus(rawValue: number))
        case .nothing: .nothing
        case .other: SentBool.find(in: value).map { $0 ? .on : .off }
        }
    }

    static func json(_ value: AutoRenewStatus) -> JSONValue { .string(String(value.rawValue)) }
}

/// Whether a subscription will renew, as `true` or `false` in a string: version 1's own form.
struct SentRenewalWord: SentForm {
    static let expected = "true or false"
    let value: AutoRenewStatus

    init(_ value: AutoRenewStatus) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<AutoRenewStatus> {
        SentRenewalStatus.find(in: value)
    }

    static func json(_ value: AutoRenewStatus) -> JSONValue {
        switch value {
        case .on: "true"
        case .off: "false"
        default: .string(String(value.rawValue))
        }
    }
}

/// The environment in version 1, whose word for production is `PROD`.
struct SentEnvironment: SentForm {
    static let expected = "a string"
    let value: StoreEnvironment

    init(_ value: StoreEnvironment) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<StoreEnvironment> {
        SentIdentifier.find(in: value).map {
            $0 == "PROD" ? .production : StoreEnvironment(rawValue: $0)
        }
    }

    static func json(_ value: StoreEnvironment) -> JSONValue {
        .string(value == .production ? "PROD" : value.rawValue)
    }
}

/// The status of a unified receipt, which is 0.
///
/// Published samples have had a word there; that is nobody's expiry date, so it is kept and not
/// read.
struct SentStatus: SentForm {
    static let expected = "a status"
    let value: VerifyReceiptStatus

    init(_ value: VerifyReceiptStatus) { self.value = value }

    static func find(in value: JSONValue) -> JSONFinding<VerifyReceiptStatus> {
        switch SentInteger.find(in: value) {
        case .value(let number):
            Int(exactly: number).map { .value(VerifyReceiptStatus(rawValue: $0)) } ?? .other
        case .nothing: .nothing
        case .other: value.string == nil ? .other : .nothing
        }
    }

    static func json(_ value: VerifyReceiptStatus) -> JSONValue { JSONValue(value.rawValue) }
}

extension JSONFinding {
    /// The same finding of another value.
    func map<Other: Sendable>(_ transform: (Value) -> Other) -> JSONFinding<Other> {
        switch self {
        case .nothing: .nothing
        case .value(let value): .value(transform(value))
        case .other: .other
        }
    }
}
