import CounterfoilASN1

/// The two encodings of an ECDSA signature: DER (RFC 3279 §2.2.3) and the plain r ‖ s of JWS
/// (RFC 7518 §3.4).
enum ECDSASignature {
    /// The DER form of a plain signature of at most 2 × 48 bytes, whose halves are the two numbers.
    ///
    /// Whether the numbers are in range is left to the verification.
    static func der(fromRaw raw: Span<UInt8>) -> [UInt8] {
        let half = raw.count / 2
        // Written by hand: this stands in the way of every JWS, and both lengths fit one byte.
        var der: [UInt8] = [0x30, 0]
        der.reserveCapacity(raw.count + 8)
        append(raw.extracting(0..<half), to: &der)
        append(raw.extracting(half..<raw.count), to: &der)
        der[1] = UInt8(der.count - 2)
        return der
    }

    /// Appends an INTEGER that is not negative, without leading zeros.
    private static func append(_ number: Span<UInt8>, to der: inout [UInt8]) {
        var first = 0
        while first + 1 < number.count, number[first] == 0 { first += 1 }
        let isPadded = number[first] >= 0x80
        der.append(0x02)
        der.append(UInt8(number.count - first + (isPadded ? 1 : 0)))
        if isPadded { der.append(0) }
        for index in first..<number.count { der.append(number[index]) }
    }

    /// The plain form of a DER signature, each number padded to `half` bytes.
    ///
    /// - Throws: ``ASN1Error`` when the bytes are no such signature.
    static func raw(fromDER der: Span<UInt8>, half: Int) throws(ASN1Error) -> [UInt8] {
        var document = try ASN1Reader(der, rules: .der)
        var numbers = try document.nextContents(of: .sequence, in: der)
        try document.requireEnd()
        var raw: [UInt8] = []
        for _ in 0..<2 {
            let number = try numbers.nextRequired(.integer, in: der).naturalNumberBytes(in: der)
            raw += Array(repeating: 0, count: max(0, half - number.count)) + der.copy(number)
        }
        try numbers.requireEnd()
        return raw
    }
}
