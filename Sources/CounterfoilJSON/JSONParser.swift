/// Walks the tokens of a text by the grammar of RFC 8259 and builds its values.
///
/// The text and its tokens are arguments of every step and not kept, so that they can be spans.
struct JSONParser {
    private let limits: JSONLimits
    private let depth: Int
    /// The token that comes next.
    private var next = 0
    private var values = 0
    private var keys = JSONKeyReader()
    private var unescaped: [UInt8] = []
    /// How many members the last object had: the best guess for one that follows.
    private var expectedMembers = 4

    init(limits: JSONLimits) {
        self.limits = limits
        depth = min(limits.depth, JSONLimits.deepest)
    }

    /// A text and its tokens.
    typealias Text = Span<UInt8>
    typealias Offsets = Span<UInt32>

    /// The document's one value.
    mutating func document(_ text: Text, _ tokens: Offsets) throws(JSONFailure) -> JSONValue {
        let value = try value(text, tokens, level: 0)
        try expectEnd(text, tokens)
        return value
    }

    /// Checks that nothing follows the document's value.
    func expectEnd(_ text: Text, _ tokens: Offsets) throws(JSONFailure) {
        let offset = offset(tokens)
        guard offset == text.count else {
            throw JSONFailure(
                JSONError.trailingContent,
                "expected the end, found \(JSONFailure.inWords(text[offset]))",
                at: offset
            )
        }
    }

    /// The value that begins at the next token, inside so many arrays and objects.
    mutating func value(
        _ text: Text,
        _ tokens: Offsets,
        level: Int
    ) throws(JSONFailure) -> JSONValue {
        let start = offset(tokens)
        guard start < text.count else {
            throw .unexpected(in: text, at: start, expected: "a value")
        }
        try countValue(at: start)
        switch text[start] {
        case UInt8(ascii: "\""): return .string(try string(text, tokens))
        case UInt8(ascii: "{"): return .object(try object(text, tokens, level: level))
        case UInt8(ascii: "["): return .array(try array(text, tokens, level: level))
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."):
            return .number(try number(text, tokens))
        case UInt8(ascii: "t"):
            try literal("true", text, tokens)
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false", text, tokens)
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null", text, tokens)
            return .null
        default: throw .unexpected(in: text, at: start, expected: "a value")
        }
    }
}

// MARK: Arrays and objects

extension JSONParser {
    private mutating func array(
        _ text: Text,
        _ tokens: Offsets,
        level: Int
    ) throws(JSONFailure) -> [JSONValue] {
        try enter(level, at: offset(tokens))
        next += 1
        if byte(text, tokens) == UInt8(ascii: "]") {
            next += 1
            return []
        }
        var elements: [JSONValue] = []
        while true {
            elements.append(try value(text, tokens, level: level + 1))
            let end = byte(text, tokens)
            guard end == UInt8(ascii: ",") || end == UInt8(ascii: "]") else {
                throw .unexpected(
                    in: text,
                    at: offset(tokens),
                    expected: "a comma or \u{201C}]\u{201D} behind an element"
                )
            }
            next += 1
            if end == UInt8(ascii: "]") { return elements }
        }
    }

    private mutating func object(
        _ text: Text,
        _ tokens: Offsets,
        level: Int
    ) throws(JSONFailure) -> JSONObject {
        var members: [JSONObject.Member] = []
        var frame = try openObject(tokens, level: level)
        while let key = try nextKey(in: &frame, text, tokens) {
            if members.isEmpty { members.reserveCapacity(expectedMembers) }
            let value = try value(text, tokens, level: level + 1)
            members.append(JSONObject.Member(key: key, value: value))
        }
        if !members.isEmpty { expectedMembers = min(members.count, 64) }
        return JSONObject(membersFoundUnique: members, positions: frame.positions)
    }

    /// Steps over the bracket that opens the object that is the document's value.
    mutating func openDocumentObject(
        _ tokens: Offsets
    ) throws(JSONFailure) -> JSONKeyReader.Frame {
        try countValue(at: offset(tokens))
        return try openObject(tokens, level: 0)
    }

    /// Steps over the bracket that opens an object.
    private mutating func openObject(
        _ tokens: Offsets,
        level: Int
    ) throws(JSONFailure) -> JSONKeyReader.Frame {
        try enter(level, at: offset(tokens))
        next += 1
        return keys.openFrame()
    }

    /// Steps over a comma where one must stand, a key and its colon; nil when the object is closed
    /// instead.
    mutating func nextKey(
        in frame: inout JSONKeyReader.Frame,
        _ text: Text,
        _ tokens: Offsets
    ) throws(JSONFailure) -> String? {
        let first = byte(text, tokens)
        if first == UInt8(ascii: "}") {
            next += 1
            keys.close(frame)
            return nil
        }
        if frame.count > 0 {
            guard first == UInt8(ascii: ",") else {
                throw .unexpected(
                    in: text,
                    at: offset(tokens),
                    expected: "a comma or \u{201C}}\u{201D} behind a member"
                )
            }
            next += 1
        }
        let start = offset(tokens)
        guard byte(text, tokens) == UInt8(ascii: "\"") else {
            let expected = frame.count == 0 ? "a key or \u{201C}}\u{201D}" : "a key"
            throw .unexpected(in: text, at: start, expected: expected)
        }
        let content = try stringContent(text, tokens)
        next += 1
        let key = try keys.read(content, of: text, in: &frame)
        guard byte(text, tokens) == UInt8(ascii: ":") else {
            throw .unexpected(in: text, at: offset(tokens), expected: "a colon behind a key")
        }
        next += 1
        return key
    }

    private func enter(_ level: Int, at offset: Int) throws(JSONFailure) {
        guard level < depth else {
            throw JSONFailure(
                JSONError.tooDeep,
                "expected at most \(depth) arrays and objects in one another, found more",
                at: offset
            )
        }
    }

    private mutating func countValue(at offset: Int) throws(JSONFailure) {
        values += 1
        guard values <= limits.values else {
            throw JSONFailure(
                JSONError.tooManyValues,
                "expected at most \(limits.values) values, found more",
                at: offset
            )
        }
    }
}

// MARK: Scalars

extension JSONParser {
    private mutating func string(_ text: Text, _ tokens: Offsets) throws(JSONFailure) -> String {
        let range = try stringContent(text, tokens)
        next += 1
        let content = text.extracting(range)
        let traits = JSONStringTraits(content)
        if traits.firstBackslash == content.count {
            return String(foundUTF8: content, isASCII: traits.isASCII)
        }
        unescaped.removeAll(keepingCapacity: true)
        try JSONUnescaper.append(content, at: range.lowerBound, to: &unescaped)
        return String(foundUTF8: unescaped.span, isASCII: unescaped.span.isASCII)
    }

    /// Steps over a string value and checks it, without building a String.
    mutating func stringInPlace(
        _ text: Text,
        _ tokens: Offsets
    ) throws(JSONFailure) -> JSONStringInPlace {
        try countValue(at: offset(tokens))
        let range = try stringContent(text, tokens)
        next += 1
        let content = text.extracting(range)
        if JSONStringTraits(content).firstBackslash == content.count { return .plain(range) }
        var bytes: [UInt8] = []
        try JSONUnescaper.append(content, at: range.lowerBound, to: &bytes)
        return .unescaped(bytes)
    }

    private mutating func number(
        _ text: Text,
        _ tokens: Offsets
    ) throws(JSONFailure) -> JSONNumber {
        let range = tokenRange(text, tokens)
        let content = text.extracting(range)
        guard JSONNumberSyntax.isNumber(content) else {
            throw JSONFailure(
                JSONError.invalidNumber,
                "expected a number as RFC 8259 writes it",
                at: range.lowerBound
            )
        }
        next += 1
        return JSONNumber(foundWellFormed: String(foundUTF8: content, isASCII: true))
    }

    private mutating func literal(
        _ literal: StaticString,
        _ text: Text,
        _ tokens: Offsets
    ) throws(JSONFailure) {
        let range = tokenRange(text, tokens)
        let expected = unsafe UnsafeBufferPointer(
            start: literal.utf8Start,
            count: literal.utf8CodeUnitCount
        )
        let isLiteral = unsafe text.extracting(range).withUnsafeBufferPointer {
            unsafe $0.elementsEqual(expected)
        }
        guard isLiteral else {
            throw JSONFailure(JSONError.syntax, "expected \(literal)", at: range.lowerBound)
        }
        next += 1
    }
}

// MARK: Tokens

extension JSONParser {
    /// Where the next token begins; the end of the text behind the last.
    func offset(_ tokens: Offsets) -> Int { Int(tokens[next]) }

    /// The byte that the next token begins with; 0, which begins none, at the end.
    func byte(_ text: Text, _ tokens: Offsets) -> UInt8 {
        let offset = offset(tokens)
        return offset < text.count ? text[offset] : 0
    }

    /// The bytes of the next token, which reach to the one after it but for white space.
    private func tokenRange(_ text: Text, _ tokens: Offsets) -> Range<Int> {
        let start = Int(tokens[next])
        var end = Int(tokens[next + 1])
        while end > start, Self.isWhiteSpace(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The bytes between the quotation marks of the next token, which is a string.
    func stringContent(_ text: Text, _ tokens: Offsets) throws(JSONFailure) -> Range<Int> {
        let range = tokenRange(text, tokens)
        guard range.count >= 2, text[range.upperBound - 1] == UInt8(ascii: "\"") else {
            throw JSONFailure(
                JSONError.syntax,
                "expected a string to end with a quotation mark",
                at: range.lowerBound
            )
        }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
