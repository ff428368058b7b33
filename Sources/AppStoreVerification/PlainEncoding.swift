/// The encoding that nearly every attribute has: a low tag number and a definite length of one to
/// three bytes, all in one piece.
///
/// A receipt has up to 100,000 of them, and going through the general reader for each costs more
/// than the signature. What is not plain is left to that reader, which gives the same result.
enum PlainEncoding {
    static let sequence: UInt8 = 0x30
    static let integer: UInt8 = 0x02
    static let octetString: UInt8 = 0x04
    static let utf8String: UInt8 = 0x0C
    static let ia5String: UInt8 = 0x16

    /// Where the content of the element stands that begins at an offset, when it has the
    /// identifier, is plain and ends no later than `end`.
    @inline(__always)
    static func content(
        of identifier: UInt8,
        in bytes: Span<UInt8>,
        at offset: Int,
        end: Int
    ) -> Range<Int>? {
        guard end - offset >= 2, bytes[offset] == identifier else { return nil }
        let length = Int(bytes[offset + 1])
        var start = offset + 2
        var count = length
        if length >= 0x80 {
            let octets = length - 0x80
            guard octets == 1 || octets == 2, end - start >= octets else { return nil }
            count = Int(bytes[start])
            if octets == 2 { count = count << 8 | Int(bytes[start + 1]) }
            start += octets
        }
        guard end - start >= count else { return nil }
        return start..<(start + count)
    }

    /// The number in the content of an INTEGER of one to eight bytes.
    @inline(__always)
    static func int64(_ content: Range<Int>, in bytes: Span<UInt8>) -> Int64? {
        guard (1...8).contains(content.count) else { return nil }
        var value = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        for offset in (content.lowerBound + 1)..<content.upperBound {
            value = value << 8 | Int64(bytes[offset])
        }
        return value
    }

    /// Where the content of a value stands that is one element with the identifier.
    @inline(__always)
    static func wholeContent(
        of identifier: UInt8,
        in bytes: Span<UInt8>
    ) -> Range<Int>? {
        guard let content = content(of: identifier, in: bytes, at: 0, end: bytes.count),
            content.upperBound == bytes.count
        else { return nil }
        return content
    }
}
