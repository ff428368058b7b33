import CounterfoilBasics

extension JSONValue {
    /// Reads a configuration file: JSON that people edit.
    ///
    /// Besides JSON it takes `//` comments to the end of the line, `/* … */` comments (not within
    /// one another), and a comma behind the last member or element, because putting the last line
    /// into a comment leaves one. Errors say line and column.
    ///
    /// - Throws: ``JSONError`` with the place of what is at fault.
    package init(
        parsingConfiguration text: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) {
        do throws(JSONFailure) {
            // Before any copy is made of it.
            try JSONParsing.checkSize(of: text, limits)
            let json = try JSONComments.blanked(text)
            self = try JSONParsing.value(of: json.span, limits)
        } catch {
            throw JSONError(error.code, error.found, at: error.offset, in: text)
        }
    }
}

/// The dialect of configuration files, turned into JSON of the same length.
enum JSONComments {
    /// The text with spaces for its comments and for commas that close a list, so that every other
    /// byte stays where it was.
    static func blanked(_ text: Span<UInt8>) throws(JSONFailure) -> [UInt8] {
        var bytes = text.copied
        var tokens = LastTokens()
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            if byte == UInt8(ascii: "/"), let end = try endOfComment(in: text, from: offset) {
                for position in offset..<end where !isLineEnd(text[position]) {
                    bytes[position] = 0x20
                }
                offset = end
                continue
            }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}"),
                let comma = tokens.closingComma
            {
                bytes[comma] = 0x20
            }
            tokens.take(byte, at: offset)
            offset = byte == UInt8(ascii: "\"") ? endOfString(in: text, from: offset) : offset + 1
        }
        return bytes
    }

    /// What stood last outside comments and white space.
    private struct LastTokens {
        private var last: UInt8 = 0
        private var lastOffset = 0
        private var beforeLast: UInt8 = 0

        mutating func take(_ byte: UInt8, at offset: Int) {
            guard byte > 0x20 else { return }
            beforeLast = last
            last = byte
            lastOffset = offset
        }

        /// Where a comma stands that has a value before it and nothing behind: in `[,]` and
        /// `[1,,]` is none.
        var closingComma: Int? {
            guard last == UInt8(ascii: ",") else { return nil }
            switch beforeLast {
            case 0, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"):
                return nil
            default: return lastOffset
            }
        }
    }

    /// The offset behind a string's closing quotation mark; the end when there is none.
    private static func endOfString(in text: Span<UInt8>, from start: Int) -> Int {
        var offset = start + 1
        while offset < text.count, text[offset] != UInt8(ascii: "\"") {
            offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(offset + 1, text.count)
    }

    /// The offset behind a comment; nil when none begins here.
    private static func endOfComment(
        in text: Span<UInt8>,
        from start: Int
    ) throws(JSONFailure) -> Int? {
        guard start + 1 < text.count else { return nil }
        var offset = start + 2
        switch text[start + 1] {
        case UInt8(ascii: "/"):
            while offset < text.count, !isLineEnd(text[offset]) { offset += 1 }
            return offset
        case UInt8(ascii: "*"):
            while offset + 1 < text.count {
                if text[offset] == UInt8(ascii: "*"), text[offset + 1] == UInt8(ascii: "/") {
                    return offset + 2
                }
                offset += 1
            }
            throw JSONFailure(
                JSONError.unterminatedComment,
                "the comment that begins here is not closed",
                at: start
            )
        default: return nil
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
