import CounterfoilASN1

/// The two encodings of an ECDSA signature: DER (RFC 3279 §2.2.3) and the plain r ‖ s of JWS
/// (RFC 7518 §3.4).
enum ECDSASignature {
    /// The DER form of a plain signature, whose halves are the two numbers.
    ///
    /// Whether the numbers are in range is left to the verification.
    static func der(fromRaw raw: Span<UInt8>) -> [UInt8] {
        let half = raw.count / 2
        var writer = DERWriter()
        writer.sequence { numbers in
            numbers.naturalNumber(raw.copy(0..<half))
            numbers.naturalNumber(raw.copy(half..<raw.count))
        }
        return writer.bytes
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
