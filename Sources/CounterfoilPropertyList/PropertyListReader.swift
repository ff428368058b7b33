import CounterfoilBasics

extension PropertyListValue {
    /// Reads an OpenStep (NeXTSTEP) property list; zeros and white space may follow it.
    ///
    /// Comments (`// …` and `/* … */`) count as white space. In quoted text `\a \b \f \n \r \t \v`
    /// are control characters, one to three octal digits a character of the NeXTSTEP encoding,
    /// `\U` and four hexadecimal digits a UTF-16 unit, and any other character stands for itself.
    ///
    /// - Throws: ``PropertyListError``.
    package init(
        parsing bytes: Span<UInt8>,
        limits: PropertyListLimits = .default
    ) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else {
            throw PropertyListError(
                PropertyListError.tooLong,
                at: 0,
                "found \(bytes.count) bytes, expected at most \(limits.bytes),"
            )
        }
        var reader = PropertyListReader(limits: limits)
        self = try reader.value(in: bytes, depth: 0)
        try reader.requireEnd(in: bytes)
    }
}

/// A cursor over the text of a property list.
struct PropertyListReader {
    private let limits: PropertyListLimits
    private(set) var position = 0
    private var valueCount = 0

    init(limits: PropertyListLimits) { self.limits = limits }

    mutating func value(
        in bytes: Span<UInt8>,
        depth: Int
    ) throws(PropertyListError) -> PropertyListValue {
        try skipBlanks(in: bytes)
        let start = position
        valueCount += 1
        guard valueCount <= limits.values else {
            throw PropertyListError(
                PropertyListError.tooManyValues,
                at: start,
                "found more than \(limits.values) values"
            )
        }
        switch try current(in: bytes) {
        case Character.openingBrace:
            try requireDepth(depth, at: start)
            return .dictionary(try dictionary(in: bytes, depth: depth))
        case Character.openingParenthesis:
            try requireDepth(depth, at: start)
            return .array(try array(in: bytes, depth: depth))
        case Character.less:
            return .data(try data(in: bytes))
        default:
            return .string(try text(in: bytes))
        }
    }

    mutating func requireEnd(in bytes: Span<UInt8>) throws(PropertyListError) {
        while position < bytes.count, bytes[position] == 0 || Character.isBlank(bytes[position]) {
            position += 1
        }
        try skipBlanks(in: bytes)
        guard position == bytes.count else {
            throw PropertyListError(
                PropertyListError.trailingBytes,
                at: position,
                "found \(bytes.count - position) more bytes behind the list"
            )
        }
    }
}

// MARK: - Containers

extension PropertyListReader {
    private mutating func dictionary(
        in bytes: Span<UInt8>,
        depth: Int
    ) throws(PropertyListError) -> PropertyListDictionary {
        position += 1
        var dictionary = PropertyListDictionary()
        while true {
            try skipBlanks(in: bytes)
            if try current(in: bytes) == Character.closingBrace {
                position += 1
                return dictionary
            }
            let start = position
            let key = try text(in: bytes)
            try skipBlanks(in: bytes)
            guard try current(in: bytes) == Character.equals else {
                throw unexpected(in: bytes, "= behind a key")
            }
            position += 1
            let value = try value(in: bytes, depth: depth + 1)
            guard dictionary.entries.count < limits.keys else {
                throw PropertyListError(
                    PropertyListError.tooManyValues,
                    at: start,
                    "found more than \(limits.keys) keys in one dictionary"
                )
            }
            guard dictionary.append(value, for: key) else {
                throw PropertyListError(
                    PropertyListError.duplicateKey,
                    at: start,
                    "found a key for the second time"
                )
            }
            try skipBlanks(in: bytes)
            // The last entry may go without its semicolon.
            if try current(in: bytes) == Character.closingBrace { continue }
            guard try current(in: bytes) == Character.semicolon else {
                throw unexpected(in: bytes, "; behind a value")
            }
            position += 1
        }
    }

    private mutating func array(
        in bytes: Span<UInt8>,
        depth: Int
    ) throws(PropertyListError) -> [PropertyListValue] {
        position += 1
        var elements: [PropertyListValue] = []
        while true {
            try skipBlanks(in: bytes)
            if try current(in: bytes) == Character.closingParenthesis {
                position += 1
                return elements
            }
            elements.append(try value(in: bytes, depth: depth + 1))
            try skipBlanks(in: bytes)
            if try current(in: bytes) == Character.closingParenthesis { continue }
            guard try current(in: bytes) == Character.comma else {
                throw unexpected(in: bytes, ", behind an element")
            }
            position += 1
        }
    }

    private mutating func data(in bytes: Span<UInt8>) throws(PropertyListError) -> [UInt8] {
        let start = position
        position += 1
        var digits: [UInt8] = []
        while try current(in: bytes) != Character.greater {
            if !Character.isBlank(bytes[position]) { digits.append(bytes[position]) }
            position += 1
        }
        position += 1
        guard let data = Hexadecimal.decode(String(decoding: digits, as: UTF8.self)) else {
            throw PropertyListError(
                PropertyListError.badData,
                at: start,
                "found data that are no pairs of hexadecimal digits"
            )
        }
        return data
    }

    private func requireDepth(_ depth: Int, at start: Int) throws(PropertyListError) {
        guard depth < limits.nesting else {
            throw PropertyListError(
                PropertyListError.tooDeep,
                at: start,
                "found more than \(limits.nesting) containers inside each other"
            )
        }
    }
}

// MARK: - Text

extension PropertyListReader {
    private mutating func text(in bytes: Span<UInt8>) throws(PropertyListError) -> String {
        let first = try current(in: bytes)
        if first == Character.quote || first == Character.apostrophe {
            return try quotedText(in: bytes, endingWith: first)
        }
        let start = position
        while position < bytes.count, Character.isUnquoted(bytes[position]) { position += 1 }
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
            guard bytes[position] == Character.backslash else {
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
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return try unicodeEscape(in: bytes, from: start)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return octalEscape(in: bytes)
        case 0..<0x80: return String(UnicodeScalar(letter))
        default:
            // The first byte of a longer character, which stands for itself.
            position -= 1
            return ""
        }
    }

    private mutating func octalEscape(in bytes: Span<UInt8>) -> String {
        var code = 0
        for _ in 0..<3 where position < bytes.count && (0x30...0x37).contains(bytes[position]) {
            code = code * 8 + Int(bytes[position] - 0x30)
            position += 1
        }
        return String(NextstepEncoding.scalar(for: UInt8(truncatingIfNeeded: code)))
    }

    /// Four hexadecimal digits of UTF-16, with a second escape for the other half of a pair.
    private mutating func unicodeEscape(
        in bytes: Span<UInt8>,
        from start: Int
    ) throws(PropertyListError) -> String {
        var units = [try unicodeUnit(in: bytes, from: start)]
        if UTF16.isLeadSurrogate(units[0]), position + 1 < bytes.count,
            bytes[position] == Character.backslash,
            [UInt8(ascii: "U"), UInt8(ascii: "u")].contains(bytes[position + 1])
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
            guard let digit = Character.hexadecimalValue(bytes[position]) else {
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

// MARK: - Characters

extension PropertyListReader {
    private func current(in bytes: Span<UInt8>) throws(PropertyListError) -> UInt8 {
        guard position < bytes.count else { throw truncated(at: bytes.count) }
        return bytes[position]
    }

    private mutating func skipBlanks(in bytes: Span<UInt8>) throws(PropertyListError) {
        while position < bytes.count {
            if Character.isBlank(bytes[position]) {
                position += 1
            } else if bytes[position] == Character.slash, position + 1 < bytes.count {
                if bytes[position + 1] == Character.slash {
                    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
                } else if bytes[position + 1] == Character.asterisk {
                    try skipComment(in: bytes)
                } else {
                    return
                }
            } else {
                return
            }
        }
    }

    private mutating func skipComment(in bytes: Span<UInt8>) throws(PropertyListError) {
        position += 2
        while position + 1 < bytes.count {
            if bytes[position] == Character.asterisk, bytes[position + 1] == Character.slash {
                position += 2
                return
            }
            position += 1
        }
        throw truncated(at: bytes.count)
    }

    private func truncated(at offset: Int) -> PropertyListError {
        PropertyListError(
            PropertyListError.truncated,
            at: offset,
            "found the end inside of the list"
        )
    }

    private func unexpected(in bytes: Span<UInt8>, _ expected: String) -> PropertyListError {
        PropertyListError(
            PropertyListError.unexpectedCharacter,
            at: position,
            "found 0x\(Hexadecimal.encode([bytes[position]])), expected \(expected)"
        )
    }
}

/// The characters that structure a property list.
private enum Character {
    static let openingBrace = UInt8(ascii: "{")
    static let closingBrace = UInt8(ascii: "}")
    static let openingParenthesis = UInt8(ascii: "(")
    static let closingParenthesis = UInt8(ascii: ")")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let equals = UInt8(ascii: "=")
    static let semicolon = UInt8(ascii: ";")
    static let comma = UInt8(ascii: ",")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let asterisk = UInt8(ascii: "*")

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Letters, digits and `_ $ / : . -`, as NeXTSTEP's parser takes them.
    static func isUnquoted(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
