/// The tag and length of an element (X.690 §8.1.2 and §8.1.3).
@usableFromInline
struct ASN1Header {
    /// The packed tag with the constructed flag.
    let tagAndForm: UInt32
    /// The offset behind the length.
    let contentStart: Int
    /// The offset behind the content; nil for an indefinite length.
    let contentEnd: Int?

    /// Whether it has the tag that only end-of-contents bytes may have.
    var isEndOfContents: Bool { tagAndForm & ~ASN1Element.constructedFlag == 0 }

    /// Reads the header at an offset that lies before `end`, and checks that the content, too,
    /// ends there or earlier.
    init(
        in bytes: Span<UInt8>,
        at start: Int,
        end: Int,
        rules: ASN1Rules
    ) throws(ASN1Error) {
        let identifier = bytes[start]
        var offset = start + 1
        var tagAndForm = Self.tagAndForm(identifier)
        if identifier & 0x1F == 0x1F {
            let number = try Self.highTagNumber(in: bytes, at: &offset, end: end, rules: rules)
            tagAndForm = tagAndForm & ~0x1F | number
        }
        self.tagAndForm = tagAndForm
        guard offset < end else { throw .cutOff("length", at: offset) }
        let first = bytes[offset]
        offset += 1
        guard first != 0x80 else {
            guard rules == .ber else { throw .notDER("an indefinite length", at: offset - 1) }
            guard tagAndForm & ASN1Element.constructedFlag != 0 else {
                throw .indefinitePrimitive(at: start)
            }
            contentStart = offset
            contentEnd = nil
            return
        }
        var length = Int(first)
        if first > 0x80 {
            length = try Self.longLength(first, in: bytes, at: &offset, end: end, rules: rules)
        }
        guard length <= end - offset else {
            throw .overrun(length: length, remaining: end - offset, at: start)
        }
        contentStart = offset
        contentEnd = offset + length
    }

    /// The class, the low tag number and the form that the first byte states.
    @inlinable
    static func tagAndForm(_ identifier: UInt8) -> UInt32 {
        let byte = UInt32(identifier)
        return (byte & 0xE0) << 24 | byte & 0x1F
    }

    /// A tag number of 31 and more: base 128, most significant digit first (X.690 §8.1.2.4).
    private static func highTagNumber(
        in bytes: Span<UInt8>,
        at offset: inout Int,
        end: Int,
        rules: ASN1Rules
    ) throws(ASN1Error) -> UInt32 {
        let start = offset - 1
        var number = 0
        while true {
            guard offset < end else { throw .cutOff("tag", at: offset) }
            let byte = bytes[offset]
            guard number > 0 || byte != 0x80 else {
                throw ASN1Error(ASN1Error.badTag, at: start, "found a padded tag number")
            }
            offset += 1
            number = number << 7 | Int(byte & 0x7F)
            guard number <= ASN1Tag.maximumNumber else {
                throw ASN1Error(
                    ASN1Error.badTag,
                    at: start,
                    "found a tag number above the limit of \(ASN1Tag.maximumNumber)"
                )
            }
            if byte & 0x80 == 0 { break }
        }
        guard rules == .ber || number >= 0x1F else {
            throw .notDER("tag number \(number) in the long form", at: start)
        }
        return UInt32(truncatingIfNeeded: number)
    }

    /// A length in the long form: a count of bytes, then that many (X.690 §8.1.3.5).
    private static func longLength(
        _ first: UInt8,
        in bytes: Span<UInt8>,
        at offset: inout Int,
        end: Int,
        rules: ASN1Rules
    ) throws(ASN1Error) -> Int {
        let start = offset - 1
        guard first != 0xFF else {
            throw ASN1Error(ASN1Error.badLength, at: start, "found the reserved length byte 0xff")
        }
        let count = Int(first & 0x7F)
        guard count <= end - offset else { throw .cutOff("length", at: end) }
        var length = 0
        for index in offset..<offset + count {
            length = length << 8 | Int(bytes[index])
            guard length <= Int(Int32.max) else {
                throw ASN1Error(
                    ASN1Error.lengthOverflow,
                    at: start,
                    "found a length above the limit of \(Int32.max) bytes"
                )
            }
        }
        guard rules == .ber || (length >= 0x80 && bytes[offset] != 0) else {
            throw .notDER("length \(length) in \(count) bytes", at: start)
        }
        offset += count
        return length
    }
}
