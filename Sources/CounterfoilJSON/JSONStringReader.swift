/// What a string's bytes are like.
struct JSONStringTraits {
    /// Where the first backslash stands; the number of bytes when there is none.
    let firstBackslash: Int

    /// Whether all bytes before the first backslash are ASCII.
    let isASCII: Bool

    /// Looks at each byte of a string between its quotation marks.
    init(_ text: Span<UInt8>) {
        (firstBackslash, isASCII) = unsafe text.withUnsafeBytes {
            unsafe ByteSearch.firstBackslash(in: $0)
        }
    }
}

/// A string of a document, not yet built.
enum JSONStringInPlace: Sendable {
    /// A string without escapes: the bytes of the text that it is.
    case plain(Range<Int>)
    /// A string that had escapes, as some clients write `\/` for each slash of base 64.
    case unescaped([UInt8])

    /// The same string in a text that has so many bytes more in front.
    func moved(by count: Int) -> JSONStringInPlace {
        switch self {
        case .plain(let range): .plain(range.lowerBound + count..<range.upperBound + count)
        case .unescaped: self
        }
    }
}

extension String {
    /// The string that bytes of a text stand for which simdjson has found to be UTF-8.
    init(foundUTF8 bytes: Span<UInt8>, isASCII: Bool) {
        self = String(copying: unsafe UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
    }
}

/// Resolves the escapes of a string (RFC 8259 §7).
///
/// `\ud83e\uddfe` is one character, U+1F9FE. Half of such a pair alone is no character: Unicode has
/// no UTF-8 for it, and any substitute would make two different texts equal, so it is refused.
enum JSONUnescaper {
    /// Appends what the bytes between two quotation marks stand for; they begin at `origin` in the
    /// text.
    static func append(
        _ text: Span<UInt8>,
        at origin: Int,
        to bytes: inout [UInt8]
    ) throws(JSONFailure) {
        bytes.reserveCapacity(bytes.count + text.count)
        var offset = 0
        while offset < text.count {
            let rest = text.extracting(offset...)
            let plain = JSONStringTraits(rest).firstBackslash
            bytes.append(addingCapacity: plain) { output in
                unsafe rest.withUnsafeBufferPointer {
                    unsafe output.append(copying: UnsafeBufferPointer(rebasing: $0[..<plain]))
                }
            }
            offset += plain
            guard offset < text.count else { return }
            offset += try appendEscape(in: text, from: offset, at: origin + offset, to: &bytes)
        }
    }

    /// Appends what one escape stands for; the number of bytes that it takes.
    private static func appendEscape(
        in text: Span<UInt8>,
        from start: Int,
        at origin: Int,
        to bytes: inout [UInt8]
    ) throws(JSONFailure) -> Int {
        switch start + 1 < text.count ? text[start + 1] : 0 {
        case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            return try appendUnicodeEscape(in: text, from: start, at: origin, to: &bytes)
        default:
            throw JSONFailure(
                JSONError.invalidEscape,
                "expected one of \"\\/bfnrtu behind a backslash",
                at: origin
            )
        }
        return 2
    }

    private static func appendUnicodeEscape(
        in text: Span<UInt8>,
        from start: Int,
        at origin: Int,
        to bytes: inout [UInt8]
    ) throws(JSONFailure) -> Int {
        guard let unit = codeUnit(in: text, from: start) else {
            throw JSONFailure(
                JSONError.invalidEscape,
                "expected four hexadecimal digits behind \\u",
                at: origin
            )
        }
        if unit & 0xF800 != 0xD800 {
            append(scalar: UInt32(unit), to: &bytes)
            return 6
        }
        guard unit < 0xDC00, let trail = codeUnit(in: text, from: start + 6),
            trail & 0xFC00 == 0xDC00
        else {
            throw JSONFailure(
                JSONError.loneSurrogate,
                "found half of a surrogate pair, which is no character",
                at: origin
            )
        }
        let high = UInt32(unit & 0x3FF) << 10
        append(scalar: 0x10000 + high + UInt32(trail & 0x3FF), to: &bytes)
        return 12
    }

    /// Appends the UTF-8 of a scalar value (RFC 3629 §3).
    private static func append(scalar: UInt32, to bytes: inout [UInt8]) {
        func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80: bytes.append(UInt8(scalar))
        case ..<0x800:
            bytes.append(0xC0 | UInt8(scalar >> 6))
            bytes.append(continuation(0))
        case ..<0x10000:
            bytes.append(0xE0 | UInt8(scalar >> 12))
            bytes.append(continuation(6))
            bytes.append(continuation(0))
        default:
            bytes.append(0xF0 | UInt8(scalar >> 18))
            bytes.append(continuation(12))
            bytes.append(continuation(6))
            bytes.append(continuation(0))
        }
    }

    /// The value of `\uXXXX` at an offset; nil when there is none.
    private static func codeUnit(in text: Span<UInt8>, from start: Int) -> UInt16? {
        guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
            text[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for offset in start + 2..<start + 6 {
            guard let digit = hexadecimalValue(text[offset]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
