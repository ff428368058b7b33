import CounterfoilBasics

/// Why a text is refused, and where in the bytes that the reader was given.
struct JSONFailure: Error {
    var code: ErrorCode
    var found: String
    var offset: Int

    init(_ code: ErrorCode, _ found: String, at offset: Int) {
        self.code = code
        self.found = found
        self.offset = offset
    }
}

extension JSONFailure {
    /// A token that the grammar does not expect at an offset, or the end of the text.
    static func unexpected(
        in text: Span<UInt8>,
        at offset: Int,
        expected: String
    ) -> JSONFailure {
        guard offset < text.count else {
            return JSONFailure(
                JSONError.truncated,
                "expected \(expected), found the end",
                at: text.count
            )
        }
        return JSONFailure(
            JSONError.syntax,
            "expected \(expected), found \(inWords(text[offset]))",
            at: offset
        )
    }

    /// A name for a token by its first byte, which gives nothing away of a string's content.
    static func inWords(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
        case 0x21...0x7E: "\u{201C}\(UnicodeScalar(byte))\u{201D}"
        default: "the byte 0x\(Hexadecimal.encode(CollectionOfOne(byte)))"
        }
    }

    /// A key in a sentence: escaped, and cut where it is long.
    static func inWords(key: String) -> String {
        let longest = 64
        let shown =
            key.unicodeScalars.count > longest
            ? String(String.UnicodeScalarView(key.unicodeScalars.prefix(longest))) + "…" : key
        return JSONValue.string(shown).description
    }
}
