/// Characters that act on a terminal, or that nobody sees.
package enum ControlCharacters {
    /// The text with every such character written out: `\n`, `\t`, `\u{1b}`; a byte of a file's
    /// name that is not UTF-8: `\xe9`.
    ///
    /// These are the general categories Cc (C0, DEL, C1 with the one-byte CSI), Cf (bidirectional
    /// overrides, zero-width characters, tags), Zl, Zp, Cs, Co and Cn. Backslashes are left alone:
    /// this is for reading, not for reading back.
    package static func shown(in text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same JSON with DEL and every such character beyond ASCII as `\u0085`.
    ///
    /// JSON itself asks for that in C0 alone. Such characters stand in strings only, so what it says
    /// is the same.
    package static func escaped(inJSON json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F, isHidden(scalar) {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
                    result.append(contentsOf: ("\\u" + zeros + digits).utf8)
                }
            } else {
                result.append(
                    contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                )
            }
        }
        return result
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            FileName.strayByte(scalar).map(FileName.escape)
                ?? "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}
