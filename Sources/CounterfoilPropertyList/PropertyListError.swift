package import CounterfoilBasics

/// Why bytes are not a property list, or one that is too large.
package struct PropertyListError: CodedError, Hashable {
    /// What callers tell refusals apart by; one of ``allCodes``.
    package let code: ErrorCode

    /// What was found, what was expected and at which byte.
    package let reason: String

    /// Where it was found.
    package let offset: Int

    init(_ code: ErrorCode, at offset: Int, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = "\(reason) at byte \(offset)"
    }

    /// The text ends inside of a value.
    package static let truncated: ErrorCode = "plist.truncated"
    /// A character that cannot stand there.
    package static let unexpectedCharacter: ErrorCode = "plist.unexpected_character"
    /// The text is not UTF-8, or an escape names no character.
    package static let badText: ErrorCode = "plist.bad_text"
    /// An odd number of hexadecimal digits, or something else, between angle brackets.
    package static let badData: ErrorCode = "plist.bad_data"
    /// The same key twice in one dictionary.
    package static let duplicateKey: ErrorCode = "plist.duplicate_key"
    /// Something follows the list.
    package static let trailingBytes: ErrorCode = "plist.trailing_bytes"
    /// More bytes than the limit.
    package static let tooLong: ErrorCode = "limit.plist_bytes"
    /// More containers inside each other than the limit.
    package static let tooDeep: ErrorCode = "limit.plist_nesting"
    /// More keys or values than the limit.
    package static let tooManyValues: ErrorCode = "limit.plist_values"

    /// Every code of this error.
    package static let allCodes: [ErrorCode] = [
        truncated, unexpectedCharacter, badText, badData, duplicateKey, trailingBytes, tooLong,
        tooDeep, tooManyValues,
    ]
}
