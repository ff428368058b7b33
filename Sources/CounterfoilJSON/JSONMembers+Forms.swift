/// What a reader finds in a JSON value that may have one of several forms.
package enum JSONFinding<Value: Sendable>: Sendable {
    /// Nothing: `null`, or an empty string where there is no number.
    case nothing
    /// A value.
    case value(Value)
    /// Something of another type.
    case other
}

extension JSONMembers.Forms {
    /// A text, an empty one included; a number's text where Apple's forms are taken.
    package func string(in value: JSONValue) -> JSONFinding<String> {
        switch value {
        case .null: .nothing
        case .string(let text): .value(text)
        case .number(let number) where self == .asAppleSends: .value(number.text)
        default: .other
        }
    }

    /// An id: a string of any length, or an integer, exact beyond 2^53; nothing for an empty string.
    package func identifier(in value: JSONValue) -> JSONFinding<String> {
        switch value {
        case .null: .nothing
        case .string(let text): text.isEmpty ? .nothing : .value(text)
        case .number(let number) where self == .asAppleSends && number.isWholeAsWritten:
            .value(number.text)
        default: .other
        }
    }

    /// An integer of 64 bits.
    package func integer(in value: JSONValue) -> JSONFinding<Int64> {
        switch value {
        case .null: return .nothing
        case .number(let number):
            if let integer = number.int64 { return .value(integer) }
        case .string(let text) where self == .asAppleSends:
            if text.isEmpty { return .nothing }
            if let integer = Int64(text) ?? JSONNumber(text: text)?.int64 { return .value(integer) }
        default: break
        }
        return .other
    }

    /// True or false; where Apple's forms are taken, also 1 or 0, and each of these in a string.
    package func bool(in value: JSONValue) -> JSONFinding<Bool> {
        switch value {
        case .null: return .nothing
        case .bool(let bool): return .value(bool)
        case .number(let number) where self == .asAppleSends:
            switch number.int64 {
            case 0: return .value(false)
            case 1: return .value(true)
            default: break
            }
        case .string(let text) where self == .asAppleSends:
            switch text {
            case "": return .nothing
            case "true", "1": return .value(true)
            case "false", "0": return .value(false)
            default: break
            }
        default: break
        }
        return .other
    }
}

extension JSONNumber {
    /// Whether the text is digits alone, perhaps behind a minus sign.
    fileprivate var isWholeAsWritten: Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
}
