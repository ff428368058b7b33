import CounterfoilBasics

/// Property lists as Apple's old receipts have them: quoted keys and texts, each on a line.
enum PropertyListText {
    /// A dictionary of texts.
    static func dictionary(_ entries: [(key: String, value: String)]) -> [UInt8] {
        var text = Array("{\n".utf8)
        for entry in entries {
            text.append(0x09)
            appendQuoted(entry.key, to: &text)
            text += " = ".utf8
            appendQuoted(entry.value, to: &text)
            text += ";\n".utf8
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// Escapes quotation marks, backslashes and control characters; what is not ASCII is written as
    /// `\U` and four hexadecimal digits for each UTF-16 unit.
    private static func appendQuoted(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for unit in string.utf16 {
            switch unit {
            case 0x22, 0x5C: text += [0x5C, UInt8(truncatingIfNeeded: unit)]
            case 0x0A: text += "\\n".utf8
            case 0x20...0x7E: text.append(UInt8(truncatingIfNeeded: unit))
            default:
                let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
                text += "\\U".utf8
                text += Hexadecimal.encode(bytes).utf8
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
