import CounterfoilBasics

extension PropertyListValue {
    /// Reads an OpenStep (NeXTSTEP) property list; zeros and white space may follow it.
    ///
    /// Comments (`// …` and `/* … */`) count as white space. In quoted text `\a \b \f \n \r \t \v`
    /// are control characters, one to three octal digits up to 377 a character of the NeXTSTEP
    /// encoding, `\U` and four hexadecimal digits a UTF-16 unit, and any other character stands
    /// for itself. Text outside escapes is UTF-8.
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
    var position = 0
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
        case PropertyListCharacter.openingBrace:
            try requireDepth(depth, at: start)
            return .dictionary(try dictionary(in: bytes, depth: depth))
        case PropertyListCharacter.openingParenthesis:
            try requireDepth(depth, at: start)
            return .array(try array(in: bytes, depth: depth))
        case PropertyListCharacter.less:
            return .data(try data(in: bytes))
        default:
            return .string(try text(in: bytes))
        }
    }

    mutating func requireEnd(in bytes: Span<UInt8>) throws(PropertyListError) {
        while position < bytes.count,
            bytes[position] == 0 || PropertyListCharacter.isBlank(bytes[position])
        {
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
            if try current(in: bytes) == PropertyListCharacter.closingBrace {
                position += 1
                return dictionary
            }
            let start = position
            let key = try text(in: bytes)
            try skipBlanks(in: bytes)
            guard try current(in: bytes) == PropertyListCharacter.equals else {
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
            if try current(in: bytes) == PropertyListCharacter.closingBrace { continue }
            guard try current(in: bytes) == PropertyListCharacter.semicolon else {
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
            if try current(in: bytes) == PropertyListCharacter.closingParenthesis {
                position += 1
                return elements
            }
            elements.append(try value(in: bytes, depth: depth + 1))
            try skipBlanks(in: bytes)
            if try current(in: bytes) == PropertyListCharacter.closingParenthesis { continue }
            guard try current(in: bytes) == PropertyListCharacter.comma else {
                throw unexpected(in: bytes, ", behind an element")
            }
            position += 1
        }
    }

    private mutating func data(in bytes: Span<UInt8>) throws(PropertyListError) -> [UInt8] {
        let start = position
        position += 1
        var digits: [UInt8] = []
        while try current(in: bytes) != PropertyListCharacter.greater {
            if !PropertyListCharacter.isBlank(bytes[position]) { digits.append(bytes[position]) }
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

// MARK: - Characters

extension PropertyListReader {
    func current(in bytes: Span<UInt8>) throws(PropertyListError) -> UInt8 {
        guard position < bytes.count else { throw truncated(at: bytes.count) }
        return bytes[position]
    }

    private mutating func skipBlanks(in bytes: Span<UInt8>) throws(PropertyListError) {
        while position < bytes.count {
            if PropertyListCharacter.isBlank(bytes[position]) {
                position += 1
            } else if bytes[position] == PropertyListCharacter.slash, position + 1 < bytes.count {
                if bytes[position + 1] == PropertyListCharacter.slash {
                    while position < bytes.count, !PropertyListCharacter.isLineEnd(bytes[position])
                    {
                        position += 1
                    }
                } else if bytes[position + 1] == PropertyListCharacter.asterisk {
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
            if bytes[position] == PropertyListCharacter.asterisk,
                bytes[position + 1] == PropertyListCharacter.slash
            {
                position += 2
                return
            }
            position += 1
        }
        throw truncated(at: bytes.count)
    }

    func truncated(at offset: Int) -> PropertyListError {
        PropertyListError(
            PropertyListError.truncated,
            at: offset,
            "found the end inside of the list"
        )
    }

    func unexpected(in bytes: Span<UInt8>, _ expected: String) -> PropertyListError {
        PropertyListError(
            PropertyListError.unexpectedCharacter,
            at: position,
            "found 0x\(Hexadecimal.encode([bytes[position]])), expected \(expected)"
        )
    }
}
