extension JSONValue {
    /// Reads a document (RFC 8259) whole: one value in UTF-8, with white space around it.
    ///
    /// One byte order mark before it is passed over, as RFC 8259 §8.1 allows, because some clients
    /// send it. Refused are keys that stand twice in one object, escapes that name half of a
    /// surrogate pair, `NaN` and all else that is not in the grammar.
    ///
    /// - Throws: ``JSONError`` with the offset in bytes of what is at fault.
    public init(
        parsing text: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) {
        do throws(JSONFailure) {
            self = try JSONParsing.value(of: text, limits)
        } catch {
            throw JSONError(error.code, error.found, at: error.offset)
        }
    }

    /// Reads a document whole, as ``init(parsing:limits:)-(Span<UInt8>,_)`` does.
    ///
    /// - Throws: ``JSONError`` with the offset in bytes of what is at fault.
    public init(
        parsing text: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self = try JSONValue(parsing: text.span, limits: limits)
    }
}

/// Reading of a whole text, with offsets from its first byte.
enum JSONParsing {
    static func value(
        of text: Span<UInt8>,
        _ limits: JSONLimits
    ) throws(JSONFailure) -> JSONValue {
        try withTokens(of: text, limits) { (text, tokens) throws(JSONFailure) in
            var parser = JSONParser(limits: limits)
            return try parser.document(text, tokens)
        }
    }

    /// Lends a text without its byte order mark, and its tokens, to a closure.
    static func withTokens<Result>(
        of text: Span<UInt8>,
        _ limits: JSONLimits,
        _ body: (Span<UInt8>, Span<UInt32>) throws(JSONFailure) -> Result
    ) throws(JSONFailure) -> Result {
        try checkSize(of: text, limits)
        let mark = startsWithByteOrderMark(text) ? 3 : 0
        let content = text.extracting(mark...)
        do throws(JSONFailure) {
            let tokens = try JSONTokens(of: content)
            return try tokens.withOffsets { (offsets) throws(JSONFailure) in
                try body(content, offsets)
            }
        } catch {
            throw JSONFailure(error.code, error.found, at: error.offset + mark)
        }
    }

    static func checkSize(of text: Span<UInt8>, _ limits: JSONLimits) throws(JSONFailure) {
        guard text.count <= limits.bytes else {
            throw JSONFailure(
                JSONError.tooLarge,
                "expected at most \(limits.bytes) bytes, found \(text.count)",
                at: limits.bytes
            )
        }
    }

    private static func startsWithByteOrderMark(_ text: Span<UInt8>) -> Bool {
        text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    }
}
