package import CounterfoilBasics

// The next element together with its value, for the fields of a structure in their order.
extension ASN1Reader {
    /// Reads the next element, an INTEGER that fits 64 bits; see ``ASN1Element/int64(in:)``.
    @inlinable
    package mutating func nextInt64(
        _ tag: ASN1Tag = .integer,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> Int64 {
        try nextRequired(tag, in: bytes).int64(in: bytes)
    }

    /// Reads the next element, an OBJECT IDENTIFIER.
    package mutating func nextObjectIdentifier(
        _ tag: ASN1Tag = .objectIdentifier,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1ObjectIdentifier {
        try nextRequired(tag, in: bytes).objectIdentifier(in: bytes)
    }

    /// Reads the next element, an OCTET STRING in one piece or in chunks.
    package mutating func nextOctets(
        _ tag: ASN1Tag = .octetString,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1Octets {
        try nextRequired(tag, in: bytes).octets(in: bytes, limits: limits)
    }

    /// Reads the next element, an OCTET STRING that is in one piece by whatever rules.
    ///
    /// - Returns: Where its octets stand.
    /// - Throws: `asn1.unexpected_form` for one in chunks, and as ``nextRequired(_:in:)``.
    package mutating func nextOctetsInPlace(
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> Range<Int> {
        let element = try nextRequired(.octetString, in: bytes)
        try element.requirePrimitive()
        return element.content
    }

    /// Reads the next element, a BIT STRING.
    package mutating func nextBitString(
        _ tag: ASN1Tag = .bitString,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1BitString {
        try nextRequired(tag, in: bytes).bitString(in: bytes)
    }

    /// Reads the next element, a UTCTime or a GeneralizedTime; see ``ASN1Element/time(in:)``.
    package mutating func nextTime(in bytes: Span<UInt8>) throws(ASN1Error) -> Instant {
        guard let element = try next(in: bytes) else {
            throw ASN1Error.missing(.utcTime, at: position)
        }
        return try element.time(in: bytes)
    }

    /// Reads a BOOLEAN if the next element is one; otherwise returns nil and stays before it.
    package mutating func nextBooleanIfPresent(
        _ tag: ASN1Tag = .boolean,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> Bool? {
        try nextIfPresent(tag, in: bytes)?.boolean(in: bytes)
    }
}
