/// How many columns a terminal gives to a text.
///
/// The rule is that of a grapheme cluster: the sum of its scalars' widths, but never more than
/// two. Scalars of East Asian Width W or F (Unicode Standard Annex 11) and those that are shown
/// as emoji have two columns, combining marks none, all others one. Terminals differ about the
/// rest, and no rule is right for all of them.
package enum DisplayWidth {
    /// The columns of a text without line breaks.
    package static func columns(of text: some StringProtocol) -> Int {
        // A run of printable ASCII, the usual case, needs no look into Unicode's tables.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The longest beginning of a text that fits into some columns.
    package static func prefix<Text: StringProtocol>(
        of text: Text,
        columns limit: Int
    ) -> Text.SubSequence {
        var used = 0
        for index in text.indices {
            used += columns(of: text[index])
            if used > limit { return text[..<index] }
        }
        return text[...]
    }

    private static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        // Variation selector 16 asks for the emoji form of what could also be a plain sign.
        if scalars.contains("\u{FE0F}"), scalars.first?.properties.isEmoji == true { return 2 }
        return min(2, scalars.reduce(0) { $0 + columns(of: $1) })
    }

    static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and final consonants of Hangul join the syllable that they follow.
        let joins =
            (0x1160...0x11FF).contains(scalar.value)
            || (0xD7B0...0xD7FF).contains(scalar.value)
        return joins ? 0 : isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        return wideRanges.contains { $0.contains(scalar.value) }
    }

    /// The blocks of East Asian Width W and F, apart from emoji.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A,  // angle brackets
        0x2E80...0x303E,  // radicals, CJK punctuation
        0x3041...0xA4CF,  // kana, Bopomofo, enclosed signs, ideographs, hexagrams, Yi
        0xA960...0xA97F,  // more Hangul initial consonants
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // compatibility ideographs
        0xFE10...0xFE19,  // vertical forms
        0xFE30...0xFE6F,  // compatibility and small forms
        0xFF01...0xFF60,  // full-width forms
        0xFFE0...0xFFE6,  // full-width signs
        0x16FE0...0x1B2FF,  // Tangut, Khitan, kana supplements, Nushu
        0x1F200...0x1F265,  // enclosed ideographs
        0x20000...0x2FFFD,  // ideographs B to F
        0x30000...0x3FFFD,  // ideographs G and later
    ]
}
