import CounterfoilBasics

extension PropertyListReader {
    mutating func text(in bytes: Span<UInt8>) throws(PropertyListError) -> String {
        let first = try current(in: bytes)
        if first == PropertyListCharacter.quote || first == PropertyListCharacter.apostrophe {
            return try quotedText(in: bytes, endingWith: first)
        }
        let start = position
        while position < bytes.count, PropertyListCharacter.isUnquoted(bytes[position]) {
            position += 1
        }
        guard position > start else { throw unexpected(in: bytes, "a value") }
        return try string(bytes.extracting(start..<position), at: start)
    }

    private mutating func quotedText(
        in bytes: Span<UInt8>,
        endingWith quote: UInt8
    ) throws(PropertyListError) -> String {
        let start = position
        position += 1
        var run = position
        var unescaped = ""
        while try current(in: bytes) != quote {
            guard bytes[position] == PropertyListCharacter.backslash else {
                position += 1
                continue
            }
            unescaped += try string(bytes.extracting(run..<position), at: start)
            unescaped += try escape(in: bytes)
            run = position
        }
        let end = position
        position += 1
        let last = try string(bytes.extracting(run..<end), at: start)
        return unescaped.isEmpty ? last : unescaped + last
    }

    /// The character or characters that an escape stands for; the cursor stands on its backslash.
    private mutating func escape(in bytes: Span<UInt8>) throws(PropertyListError) -> String {
        let start = position
        position += 1
        let letter = try current(in: bytes)
        position += 1
        switch letter {
        case UInt8(ascii: "a"): return "\u{07}"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "v"): return "\u{0B}"
        case UInt8(ascii: "U"): return try unicodeEscape(in: bytes, from: start)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return try octalEscape(in: bytes, from: start)
        case 0..<0x80: return String(UnicodeScalar(letter))
        default:
            // The first byte of a longer character, which stands for itself.
            position -= 1
            return ""
        }
    }

    private mutating func octalEscape(
        in bytes: Span<UInt8>,
        from start: Int
    ) throws(PropertyListError) -> String {
        var number = 0
        for _ in 0..<3 where position < bytes.count && (0x30...0x37).contains(bytes[position]) {
            number = number * 8 + Int(bytes[position] - 0x30)
            position += 1
        }
        guard let code = UInt8(exactly: number) else {
            throw PropertyListError(
                PropertyListError.badText,
                at: start,
                "found an octal escape above 377"
            )
        }
        return String(NextstepEncoding.scalar(for: code))
    }

    /// Four hexadecimal digits of UTF-16, with a second escape for the other half of a pair.
    private mutating func unicodeEscape(
        in bytes: Span<UInt8>,
        from start: Int
    ) throws(PropertyListError) -> String {
        var units = [try unicodeUnit(in: bytes, from: start)]
        if UTF16.isLeadSurrogate(units[0]), position + 1 < bytes.count,
            bytes[position] == PropertyListCharacter.backslash,
            bytes[position + 1] == UInt8(ascii: "U")
        {
            position += 2
            units.append(try unicodeUnit(in: bytes, from: start))
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError(
                PropertyListError.badText,
                at: start,
                "found one half of a surrogate pair"
            )
        }
        return text
    }

    private mutating func unicodeUnit(
        in bytes: Span<UInt8>,
        from start: Int
    ) throws(PropertyListError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw truncated(at: bytes.count) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = PropertyListCharacter.hexadecimalValue(bytes[position]) else {
                throw PropertyListError(
                    PropertyListError.badText,
                    at: start,
                    "found an escape without four hexadecimal digits"
                )
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private func string(
        _ bytes: Span<UInt8>,
        at start: Int
    ) throws(PropertyListError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw PropertyListError(
                PropertyListError.badText,
                at: start,
                "found text that is not UTF-8"
            )
        }
    }
}
