import CounterfoilBasics

extension PropertyListValue {
    /// The value as OpenStep text in the App Store's layout: a line for each entry, indented by
    /// tabs, all text quoted, and no line end behind the last brace.
    ///
    /// The text is ASCII: what is not stands as an escape, so that reading it again gives an
    /// equal value under any encoding.
    package func encoded() -> [UInt8] {
        var writer = PropertyListWriter()
        writer.write(self, depth: 0)
        return writer.text
    }
}

/// Writes values as OpenStep text.
private struct PropertyListWriter {
    private(set) var text: [UInt8] = []

    mutating func write(_ value: PropertyListValue, depth: Int) {
        switch value {
        case .string(let string): write(string)
        case .data(let data): write(data)
        case .array(let elements): write(elements, depth: depth)
        case .dictionary(let dictionary): write(dictionary, depth: depth)
        }
    }

    private mutating func write(_ dictionary: PropertyListDictionary, depth: Int) {
        text += "{\n".utf8
        for entry in dictionary.entries {
            indent(depth + 1)
            write(entry.key)
            text += " = ".utf8
            write(entry.value, depth: depth + 1)
            text += ";\n".utf8
        }
        indent(depth)
        text.append(PropertyListCharacter.closingBrace)
    }

    private mutating func write(_ elements: [PropertyListValue], depth: Int) {
        text += "(\n".utf8
        for (index, element) in elements.enumerated() {
            indent(depth + 1)
            write(element, depth: depth + 1)
            text += index + 1 < elements.count ? ",\n".utf8 : "\n".utf8
        }
        indent(depth)
        text.append(PropertyListCharacter.closingParenthesis)
    }

    /// Data in groups of four bytes.
    private mutating func write(_ data: [UInt8]) {
        text.append(PropertyListCharacter.less)
        for start in stride(from: 0, to: data.count, by: 4) {
            if start > 0 { text.append(0x20) }
            text += Hexadecimal.encode(data[start..<min(start + 4, data.count)]).utf8
        }
        text.append(PropertyListCharacter.greater)
    }

    private mutating func write(_ string: String) {
        text.append(PropertyListCharacter.quote)
        for unit in string.utf16 { write(unit) }
        text.append(PropertyListCharacter.quote)
    }

    /// One UTF-16 unit of quoted text; a character beyond them takes two escapes.
    private mutating func write(_ unit: UInt16) {
        switch unit {
        case 0x22: text += #"\""#.utf8
        case 0x5C: text += #"\\"#.utf8
        case 0x0A: text += #"\n"#.utf8
        case 0x09: text += #"\t"#.utf8
        case 0x0D: text += #"\r"#.utf8
        case 0x20..<0x7F: text.append(UInt8(unit))
        case 0..<0x80: text += "\\\(Self.padded(String(unit, radix: 8), 3))".utf8
        default: text += "\\U\(Self.padded(String(unit, radix: 16), 4))".utf8
        }
    }

    private mutating func indent(_ depth: Int) {
        text += repeatElement(0x09, count: depth)
    }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
