public import CounterfoilBasics

/// Why a text is no JSON document that can be read, or why a value is not what was expected.
public struct JSONError: CodedError, Hashable, Sendable {
    /// One of ``allCodes``, such as `json.syntax`.
    public let code: ErrorCode

    /// What was found and expected, and where.
    public let reason: String

    /// The place in the text, in bytes from 0; nil when a value's content is at fault, whose key
    /// path the reason then names.
    public let offset: Int?

    /// The place as line and column, for texts that people edit; nil for all others.
    public let position: JSONTextPosition?

    /// An error at a place in the text.
    package init(_ code: ErrorCode, _ found: String, at offset: Int) {
        self.code = code
        reason = "\(found), at byte \(offset)"
        self.offset = offset
        position = nil
    }

    /// An error at a place in a text that people edit.
    package init(_ code: ErrorCode, _ found: String, at offset: Int, in text: Span<UInt8>) {
        let position = JSONTextPosition(of: offset, in: text)
        self.code = code
        reason = "\(found), at line \(position.line), column \(position.column)"
        self.offset = offset
        self.position = position
    }

    /// An error in a value that was read, named by its key path.
    package init(_ code: ErrorCode, _ found: String) {
        self.code = code
        reason = found
        offset = nil
        position = nil
    }
}

extension JSONError {
    /// The text holds no value at all.
    public static let empty: ErrorCode = "json.empty"
    /// The text ends in the middle of a value.
    public static let truncated: ErrorCode = "json.truncated"
    /// Something else stands where the grammar expects a token (RFC 8259 §2).
    public static let syntax: ErrorCode = "json.syntax"
    /// Something follows the document's one value.
    public static let trailingContent: ErrorCode = "json.trailing_content"
    /// A number is not written as RFC 8259 §6 says: `01`, `.5`, `1e`.
    public static let invalidNumber: ErrorCode = "json.invalid_number"
    /// A string holds a control character that must be escaped (RFC 8259 §7).
    public static let unescapedControl: ErrorCode = "json.unescaped_control"
    /// A string holds a backslash that begins none of the escapes of RFC 8259 §7.
    public static let invalidEscape: ErrorCode = "json.invalid_escape"
    /// A string's escapes name half of a surrogate pair, which is no character.
    public static let loneSurrogate: ErrorCode = "json.lone_surrogate"
    /// The text is not UTF-8 (RFC 8259 §8.1).
    public static let invalidUTF8: ErrorCode = "json.invalid_utf8"
    /// A key stands twice in one object.
    public static let duplicateKey: ErrorCode = "json.duplicate_key"
    /// The text has more bytes than ``JSONLimits/bytes``.
    public static let tooLarge: ErrorCode = "json.too_large"
    /// Values are nested deeper than ``JSONLimits/depth``.
    public static let tooDeep: ErrorCode = "json.too_deep"
    /// The document has more values than ``JSONLimits/values``.
    public static let tooManyValues: ErrorCode = "json.too_many_values"
    /// A comment of a configuration file is not closed.
    public static let unterminatedComment: ErrorCode = "json.unterminated_comment"
    /// A member that must be there is not, or is null.
    public static let missingMember: ErrorCode = "json.missing_member"
    /// A value is of another type than expected.
    public static let wrongType: ErrorCode = "json.wrong_type"

    /// Every code of this floor.
    public static let allCodes: [ErrorCode] = [
        empty, truncated, syntax, trailingContent, invalidNumber, unescapedControl,
        invalidEscape, loneSurrogate, invalidUTF8, duplicateKey, tooLarge, tooDeep,
        tooManyValues, unterminatedComment, missingMember, wrongType,
    ]
}

/// A place in a text that people edit.
public struct JSONTextPosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int

    /// The column, from 1, in Unicode scalars.
    public let column: Int

    /// The place of a byte offset in a text; one behind the end is the end's.
    package init(of offset: Int, in text: Span<UInt8>) {
        var line = 1
        var column = 1
        for position in 0..<min(offset, text.count) {
            if text[position] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if text[position] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
