extension CompactJWS {
    /// Whether the bytes look like signed data: an object in base64url, then a dot.
    ///
    /// What else begins like an object, a property list in base 64, has no dot.
    static func looksLikeOne(_ bytes: ArraySlice<UInt8>) -> Bool {
        beginsObject(bytes) && bytes.contains(dot)
    }

    /// Whether a reader that is less careful than ours could take a text for signed data: it looks
    /// like it, or has three segments with an object for its payload.
    static func canBeTaken(forOne text: [UInt8]) -> Bool {
        if looksLikeOne(text[...]) { return true }
        let segments = text.split(separator: dot, maxSplits: 2, omittingEmptySubsequences: false)
        return segments.count == 3 && beginsObject(segments[1])
    }

    /// Whether base64url, up to a dot, begins with a brace and a quotation mark.
    ///
    /// As lenient readers do, it passes over whatever is no letter of base 64 and, in what the
    /// letters stand for, over blanks and a byte order mark.
    private static func beginsObject(_ letters: ArraySlice<UInt8>) -> Bool {
        var pending: (bits: UInt16, count: Int) = (0, 0)
        var hasBrace = false
        for letter in letters {
            guard letter != dot else { return false }
            guard let value = value(of: letter) else { continue }
            pending = (pending.bits << 6 | value, pending.count + 6)
            guard pending.count >= 8 else { continue }
            pending.count -= 8
            let byte = UInt8(truncatingIfNeeded: pending.bits >> pending.count)
            if ASCII.isWhiteSpace(byte) { continue }
            if hasBrace { return byte == ASCII.quote }
            if byteOrderMark.contains(byte) { continue }
            guard byte == ASCII.openingBrace else { return false }
            hasBrace = true
        }
        return false
    }

    private static let dot = UInt8(ascii: ".")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The six bits that a letter stands for, in either alphabet of base 64.
    private static func value(of letter: UInt8) -> UInt16? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt16(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt16(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(letter - UInt8(ascii: "0")) + 52
        case ASCII.plus, ASCII.dash: 62
        case ASCII.slash, ASCII.underscore: 63
        default: nil
        }
    }
}
