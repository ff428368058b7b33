/// Base 64 text (RFC 4648 §4 and §5).
public enum Base64 {
    /// The letters for 62 and 63, and whether `=` fills the last group.
    public enum Alphabet: Sendable {
        /// `+` and `/`, with padding (RFC 4648 §4).
        case standard
        /// `-` and `_`, without padding (RFC 4648 §5, as JWS uses it).
        case urlSafe
    }

    /// Why text is not base 64.
    public enum Failure: Error, Hashable, Sendable {
        /// A byte outside the alphabet, with its offset in the text.
        case unexpectedByte(UInt8, offset: Int)
        /// A last group of a single letter, padding in the wrong place or number, or a missing
        /// padding, with the offset where the group begins.
        case incompleteGroup(offset: Int)
        /// Bits behind the last byte that are not zero: another text stands for the same bytes.
        case strayBits(offset: Int)
    }

    /// The bytes that the text stands for; the text must be exactly the alphabet's form.
    ///
    /// - Throws: ``Failure`` with the offset of the first byte that does not fit.
    public static func decode(
        _ text: Span<UInt8>,
        _ alphabet: Alphabet = .standard
    ) throws(Failure) -> [UInt8] {
        var letters = text.count
        if alphabet == .standard {
            guard letters % 4 == 0 else { throw .incompleteGroup(offset: letters - letters % 4) }
            if letters > 0, text[letters - 1] == 0x3D { letters -= 1 }
            if letters > 0, letters % 4 == 3, text[letters - 1] == 0x3D { letters -= 1 }
        }
        guard letters % 4 != 1 else { throw .incompleteGroup(offset: letters - 1) }
        let values = alphabet == .standard ? standardValues : urlSafeValues
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters / 4 * 3 + 2)
        let wholeGroups = letters - letters % 4
        let groups = alphabet == .standard ? standardGroups : urlSafeGroups
        let offset = groups.decode(text, groups: wholeGroups / 4, to: &bytes) * 4
        try values.withSpan { (values: Span<UInt8>) throws(Failure) in
            guard offset == wholeGroups else { throw unexpected(in: text, from: offset, values) }
            guard letters > wholeGroups else { return }
            let first = values[Int(text[offset])]
            let second = values[Int(text[offset + 1])]
            let third = letters - offset == 3 ? values[Int(text[offset + 2])] : 0
            guard first | second | third < 0x40 else {
                throw unexpected(in: text, from: offset, values)
            }
            bytes.append(first << 2 | second >> 4)
            if letters - offset == 3 { bytes.append(second << 4 | third >> 2) }
            let stray = letters - offset == 3 ? third & 0x03 : second & 0x0F
            guard stray == 0 else { throw .strayBits(offset: offset) }
        }
        return bytes
    }

    /// The text that stands for the bytes.
    public static func encode(_ bytes: Span<UInt8>, _ alphabet: Alphabet = .standard) -> String {
        var text: [UInt8] = []
        append(bytes, alphabet, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text that stands for the bytes, as ASCII, to a buffer.
    public static func append(
        _ bytes: Span<UInt8>,
        _ alphabet: Alphabet = .standard,
        to text: inout [UInt8]
    ) {
        text.append(addingCapacity: room(forBytes: bytes.count)) { output in
            append(bytes, alphabet, to: &output)
        }
    }

    /// How many letters of the standard alphabet, padding included, stand for so many bytes.
    package static func length(forBytes count: Int) -> Int { (count + 2) / 3 * 4 }

    /// The most letters that stand for so many bytes.
    package static func room(forBytes count: Int) -> Int { (count / 3 + 1) * 4 }

    /// Appends the text that stands for the bytes, as ASCII, to a buffer that has room for it.
    package static func append(
        _ bytes: Span<UInt8>,
        _ alphabet: Alphabet = .standard,
        to text: inout OutputSpan<UInt8>
    ) {
        let groups = alphabet == .standard ? standardGroups : urlSafeGroups
        groups.encode(bytes, groups: bytes.count / 3, to: &text)
        let offset = bytes.count - bytes.count % 3
        guard offset < bytes.count else { return }
        let letters = alphabet == .standard ? standardLetters : urlSafeLetters
        let first = bytes[offset]
        let second = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        text.append(letters[Int(first >> 2)])
        text.append(letters[Int((first & 3) << 4 | second >> 4)])
        if offset + 1 < bytes.count { text.append(letters[Int((second & 15) << 2)]) }
        guard alphabet == .standard else { return }
        text.append(0x3D)
        if offset + 1 == bytes.count { text.append(0x3D) }
    }

    private static func unexpected(
        in text: Span<UInt8>,
        from start: Int,
        _ values: Span<UInt8>
    ) -> Failure {
        var offset = start
        while offset + 1 < text.count, values[Int(text[offset])] < 0x40 { offset += 1 }
        return .unexpectedByte(text[offset], offset: offset)
    }

    private static let standardLetters = letters("+/")
    private static let urlSafeLetters = letters("-_")
    private static let standardGroups = Base64Groups(letters: standardLetters)
    private static let urlSafeGroups = Base64Groups(letters: urlSafeLetters)
    private static let standardValues = values(of: standardLetters)
    private static let urlSafeValues = values(of: urlSafeLetters)

    private static func letters(_ lastTwo: String) -> [UInt8] {
        Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
    }

    private static func values(of letters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }
}

extension Array {
    /// Hands the elements to a closure as a span, with typed errors.
    fileprivate func withSpan<Result, Failure: Error>(
        _ body: (Span<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}
