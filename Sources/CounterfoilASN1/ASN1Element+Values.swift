package import CounterfoilBasics

// The value of an element, whatever its tag: a schema may replace the tag of a type (IMPLICIT).
// What a reader checks on the way are the tags; see `ASN1Reader.nextInt64` and its like.
extension ASN1Element {
    /// The value of an INTEGER or ENUMERATED that fits 64 bits; padded forms are read, save
    /// under DER.
    ///
    /// - Throws: `asn1.integer_too_wide` beyond eight bytes of content, `asn1.bad_integer`,
    ///   `asn1.not_der`, `asn1.unexpected_form`.
    @inlinable
    package func int64(in bytes: Span<UInt8>) throws(ASN1Error) -> Int64 {
        // The common case first: a primitive of one or two bytes, read under BER.
        let count = contentEnd &- contentStart
        if tagAndFlags & (Self.constructedFlag | Self.derFlag) == 0, count == 1 || count == 2 {
            let first = Int64(Int8(bitPattern: bytes[Int(contentStart)]))
            return count == 1 ? first : first << 8 | Int64(bytes[Int(contentStart) + 1])
        }
        return try int64OfAnyForm(in: bytes)
    }

    @usableFromInline
    func int64OfAnyForm(in bytes: Span<UInt8>) throws(ASN1Error) -> Int64 {
        try requireInteger(in: bytes)
        guard content.count <= 8 else {
            throw error(
                ASN1Error.integerTooWide,
                "found an INTEGER of \(content.count) bytes, expected at most 8"
            )
        }
        var value: Int64 = bytes[content.lowerBound] & 0x80 == 0 ? 0 : -1
        for offset in content { value = value << 8 | Int64(bytes[offset]) }
        return value
    }

    /// Where the value of an INTEGER of any size stands: two's complement, at least one byte.
    ///
    /// - Throws: `asn1.bad_integer`, `asn1.not_der`, `asn1.unexpected_form`.
    package func integerBytes(in bytes: Span<UInt8>) throws(ASN1Error) -> Range<Int> {
        try requireInteger(in: bytes)
        return content
    }

    /// Where the magnitude of an INTEGER that must not be negative stands, without leading zeros;
    /// an empty range for zero.
    ///
    /// - Throws: `asn1.bad_integer`, `asn1.not_der`, `asn1.unexpected_form`.
    package func naturalNumberBytes(in bytes: Span<UInt8>) throws(ASN1Error) -> Range<Int> {
        try requireInteger(in: bytes)
        guard bytes[content.lowerBound] & 0x80 == 0 else {
            throw error(ASN1Error.badInteger, "found a negative INTEGER, expected a natural number")
        }
        var first = content.lowerBound
        while first < content.upperBound, bytes[first] == 0 { first += 1 }
        return first..<content.upperBound
    }

    /// The value of a BOOLEAN; under DER true is 0xFF alone.
    ///
    /// - Throws: `asn1.bad_boolean`, `asn1.not_der`, `asn1.unexpected_form`.
    package func boolean(in bytes: Span<UInt8>) throws(ASN1Error) -> Bool {
        try requirePrimitive()
        guard content.count == 1 else {
            throw error(ASN1Error.badBoolean, "found a BOOLEAN of \(content.count) bytes")
        }
        let byte = bytes[content.lowerBound]
        guard !mustBeDER || byte == 0 || byte == 0xFF else {
            throw ASN1Error.notDER(
                "a BOOLEAN that is neither 0x00 nor 0xff",
                at: content.lowerBound
            )
        }
        return byte != 0
    }

    /// Checks that a NULL is empty.
    ///
    /// - Throws: `asn1.bad_null`, `asn1.unexpected_form`.
    package func requireNull() throws(ASN1Error) {
        try requirePrimitive()
        guard content.isEmpty else {
            throw error(ASN1Error.badNull, "found a NULL of \(content.count) bytes")
        }
    }

    /// The value of an OBJECT IDENTIFIER.
    ///
    /// - Throws: `asn1.bad_object_identifier`, `asn1.unexpected_form`.
    package func objectIdentifier(
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1ObjectIdentifier {
        try requirePrimitive()
        let contentBytes = bytes.extracting(content)
        guard let identifier = ASN1ObjectIdentifier(contentBytes: contentBytes) else {
            throw error(
                ASN1Error.badObjectIdentifier,
                "found no OBJECT IDENTIFIER in \(content.count) bytes"
            )
        }
        return identifier
    }

    /// Whether the content is that of a known OBJECT IDENTIFIER; compares bytes and nothing else.
    package func isObjectIdentifier(
        _ identifier: ASN1ObjectIdentifier,
        in bytes: Span<UInt8>
    ) -> Bool {
        !isConstructed && hasContent(identifier.contentBytes, in: bytes)
    }

    /// Whether the content consists of exactly these bytes.
    package func hasContent(_ expected: [UInt8], in bytes: Span<UInt8>) -> Bool {
        guard content.count == expected.count else { return false }
        let start = content.lowerBound
        for index in expected.indices where bytes[start + index] != expected[index] {
            return false
        }
        return true
    }

    /// The value of a BIT STRING in the primitive form, the only one that certificates and
    /// signed data use.
    ///
    /// - Throws: `asn1.bad_bit_string`, `asn1.not_der` for unused bits that are not zero,
    ///   `asn1.unexpected_form`.
    package func bitString(in bytes: Span<UInt8>) throws(ASN1Error) -> ASN1BitString {
        try requirePrimitive()
        guard let first = content.first else {
            throw error(ASN1Error.badBitString, "found an empty BIT STRING")
        }
        let unused = bytes[first]
        guard unused < 8, unused == 0 || content.count > 1 else {
            throw error(
                ASN1Error.badBitString,
                "found \(unused) unused bits in \(content.count - 1) bytes"
            )
        }
        if mustBeDER, unused > 0 {
            let last = bytes[content.upperBound - 1]
            guard last & (1 << unused - 1) == 0 else {
                throw ASN1Error.notDER("unused bits that are not zero", at: content.upperBound - 1)
            }
        }
        return ASN1BitString(range: content.dropFirst(), unusedBits: Int(unused))
    }

    /// The instant of a UTCTime or GeneralizedTime, told apart by the tag.
    ///
    /// The forms are those of RFC 5280 §4.1.2.5: `YYMMDDHHMMSSZ`, where years from 50 are of the
    /// 20th century, and `YYYYMMDDHHMMSSZ`.
    ///
    /// - Throws: `asn1.bad_time`, `asn1.unexpected_tag`, `asn1.unexpected_form`.
    package func time(in bytes: Span<UInt8>) throws(ASN1Error) -> Instant {
        switch tag {
        case .utcTime: try utcTime(in: bytes)
        case .generalizedTime: try generalizedTime(in: bytes)
        default: throw ASN1Error.unexpected(self, insteadOf: .utcTime)
        }
    }

    /// The instant of a UTCTime, whatever the tag; see ``time(in:)``.
    package func utcTime(in bytes: Span<UInt8>) throws(ASN1Error) -> Instant {
        try requirePrimitive()
        return try time(in: bytes, yearDigits: 2)
    }

    /// The instant of a GeneralizedTime, whatever the tag; see ``time(in:)``.
    package func generalizedTime(in bytes: Span<UInt8>) throws(ASN1Error) -> Instant {
        try requirePrimitive()
        return try time(in: bytes, yearDigits: 4)
    }

    private func time(in bytes: Span<UInt8>, yearDigits: Int) throws(ASN1Error) -> Instant {
        let form = yearDigits == 2 ? "YYMMDDHHMMSSZ" : "YYYYMMDDHHMMSSZ"
        guard content.count == yearDigits + 11, bytes[content.upperBound - 1] == 0x5A else {
            throw error(ASN1Error.badTime, "found no time of the form \(form)")
        }
        var fields: InlineArray<7, Int> = [0, 0, 0, 0, 0, 0, 0]
        for index in 0..<yearDigits + 10 {
            let digit = Int(bytes[content.lowerBound + index]) - 0x30
            guard (0...9).contains(digit) else {
                throw error(ASN1Error.badTime, "found no time of the form \(form)")
            }
            let field = (index + 4 - yearDigits) / 2
            fields[field] = fields[field] * 10 + digit
        }
        let century = yearDigits == 4 ? fields[0] : fields[1] < 50 ? 20 : 19
        let civil = CivilTime(
            year: century * 100 + fields[1],
            month: fields[2],
            day: fields[3],
            hour: fields[4],
            minute: fields[5],
            second: fields[6]
        )
        guard civil.isValid else {
            throw error(ASN1Error.badTime, "found a time that the calendar does not have")
        }
        return civil.instant
    }

    private func requireInteger(in bytes: Span<UInt8>) throws(ASN1Error) {
        try requirePrimitive()
        guard !content.isEmpty else {
            throw error(ASN1Error.badInteger, "found an INTEGER without content")
        }
        guard mustBeDER, content.count > 1 else { return }
        // X.690 §8.3.2: the first nine bits are neither all zero nor all one.
        let (first, second) = (bytes[content.lowerBound], bytes[content.lowerBound + 1])
        guard first != (second & 0x80 == 0 ? 0x00 : 0xFF) else {
            throw ASN1Error.notDER("a padded INTEGER", at: encoding.lowerBound)
        }
    }

    func requirePrimitive() throws(ASN1Error) {
        guard !isConstructed else { throw ASN1Error.notPrimitive(self) }
    }

    func error(_ code: ErrorCode, _ reason: String) -> ASN1Error {
        ASN1Error(code, at: encoding.lowerBound, reason)
    }
}

/// The value of a BIT STRING: whole bytes, of which the last may have bits that do not count.
package struct ASN1BitString: Hashable, Sendable {
    /// Where the bytes stand.
    package let range: Range<Int>

    /// How many of the low bits of the last byte do not count: 0 to 7.
    package let unusedBits: Int

    /// Whether a named bit is set, counted from the highest bit of the first byte; bits beyond
    /// the end are not (X.680 §22.7).
    package func isSet(_ bit: Int, in bytes: Span<UInt8>) -> Bool {
        guard bit >= 0, bit < range.count * 8 - unusedBits else { return false }
        return bytes[range.lowerBound + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
    }
}
