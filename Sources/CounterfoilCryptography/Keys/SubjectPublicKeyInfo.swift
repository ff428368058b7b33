import CounterfoilASN1
package import CounterfoilBasics

/// A public key as certificates hold it (RFC 5280 §4.1.2.7): read, but not yet given to OpenSSL.
package struct SubjectPublicKeyInfo: Hashable, Sendable {
    /// The whole encoding.
    package let der: [UInt8]

    /// What kind of key it is.
    package let kind: KeyKind

    /// Where the numbers stand in ``der``.
    let material: Material

    /// Where the BIT STRING's bytes stand in ``der``.
    private let key: Range<Int>

    /// The numbers that make the key.
    enum Material: Hashable, Sendable {
        case rsa(modulus: Range<Int>, exponent: Range<Int>)
        case point(EllipticCurve, Range<Int>)
        case other
    }

    /// Reads an encoding; the kind of key may be any.
    ///
    /// - Throws: `chain.key_malformed` when it is not DER as RFC 3279 §2.3 and RFC 5480 §2 have it.
    package init(_ der: [UInt8]) throws(KeyError) {
        self.der = der
        let parts: Parts
        do {
            parts = try Parts(der.span)
        } catch {
            throw KeyError(KeyError.malformed, "the public key is not as RFC 5280 has it: \(error)")
        }
        try parts.checkNumbers(in: der.span)
        kind = parts.kind
        material = parts.material
        key = parts.key
    }

    /// The SHA-256 digest of the whole encoding, by which keys are pinned.
    package var sha256: SHA256Digest { SHA256Digest(of: der.span) }

    /// The SHA-1 digest of the key without its header: the usual subject and authority key
    /// identifier (RFC 5280 §4.2.1.2, method 1).
    package var keyIdentifier: [UInt8] { keyDigest(.sha1).bytes }

    /// The digest of the key without its header, by which OCSP names issuers (RFC 6960 §4.1.1).
    package func keyDigest(_ algorithm: DigestAlgorithm) -> MessageDigest {
        MessageDigest(of: der.span.extracting(key), algorithm)
    }
}

/// What reading finds.
private struct Parts {
    var kind: KeyKind
    var material: SubjectPublicKeyInfo.Material
    var key: Range<Int>

    init(_ der: Span<UInt8>) throws(ASN1Error) {
        var document = try ASN1Reader(der, rules: .der)
        var info = try document.nextContents(of: .sequence, in: der)
        try document.requireEnd()
        var algorithm = try info.nextContents(of: .sequence, in: der)
        let identifier = try algorithm.nextObjectIdentifier(in: der)
        let parameters = try algorithm.next(in: der)
        try algorithm.requireEnd()
        let element = try info.nextRequired(.bitString, in: der)
        let bits = try element.bitString(in: der)
        try info.requireEnd()
        key = bits.range
        kind = .other(identifier)
        material = .other
        switch identifier {
        case .rsaEncryption:
            guard let parameters, parameters.tag == .null, bits.unusedBits == 0 else {
                throw ASN1Error(
                    ASN1Error.unexpectedTag,
                    at: algorithm.position,
                    "found parameters that an RSA key has not"
                )
            }
            try parameters.requireNull()
            try readRSA(der)
        case .ecPublicKey:
            // Curves that are spelled out instead of named stay "other": RFC 5480 §2.1.1.
            guard let parameters, parameters.tag == .objectIdentifier else { return }
            let curve = try parameters.objectIdentifier(in: der)
            kind = .other(curve)
            try readPoint(on: EllipticCurve(curve), element, bits)
        default:
            break
        }
    }

    /// RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER } (RFC 8017 §A.1.1).
    private mutating func readRSA(_ der: Span<UInt8>) throws(ASN1Error) {
        var document = try ASN1Reader(key, rules: .der)
        var numbers = try document.nextContents(of: .sequence, in: der)
        try document.requireEnd()
        let modulus = try numbers.nextRequired(.integer, in: der).naturalNumberBytes(in: der)
        let exponent = try numbers.nextRequired(.integer, in: der).naturalNumberBytes(in: der)
        try numbers.requireEnd()
        var bits = modulus.count * 8
        if let first = modulus.first { bits -= der[first].leadingZeroBitCount }
        var value: UInt64?
        if exponent.count <= 8 {
            var number: UInt64 = 0
            for offset in exponent { number = number << 8 | UInt64(der[offset]) }
            value = number
        }
        kind = .rsa(bits: bits, exponent: value)
        material = .rsa(modulus: modulus, exponent: exponent)
    }

    /// The point in the uncompressed form, which alone every implementation must write
    /// (RFC 5480 §2.2).
    private mutating func readPoint(
        on curve: EllipticCurve?,
        _ element: ASN1Element,
        _ bits: ASN1BitString
    ) throws(ASN1Error) {
        guard let curve else { return }
        guard bits.unusedBits == 0, key.count == 1 + 2 * curve.coordinateByteCount else {
            throw ASN1Error(
                ASN1Error.badBitString,
                at: element.encoding.lowerBound,
                "found a point of \(key.count) bytes, expected "
                    + "\(1 + 2 * curve.coordinateByteCount) on \(curve.name)"
            )
        }
        kind = .ellipticCurve(curve)
        material = .point(curve, key)
    }

    /// Checks what the encoding cannot say: an even modulus is no product of two odd primes, and a
    /// point begins with 4.
    func checkNumbers(in der: Span<UInt8>) throws(KeyError) {
        switch material {
        case .rsa(let modulus, _):
            guard let last = modulus.last, der[last] % 2 == 1 else {
                throw KeyError(KeyError.malformed, "found an RSA modulus that is even")
            }
        case .point(let curve, let point):
            guard der[point.lowerBound] == 4 else {
                throw KeyError(
                    KeyError.malformed,
                    "found a point on \(curve.name) that is not in the uncompressed form"
                )
            }
        case .other:
            break
        }
    }
}

extension EllipticCurve {
    /// The curve of an identifier (RFC 5480 §2.1.1.1); nil for one that is not supported.
    init?(_ identifier: ASN1ObjectIdentifier) {
        switch identifier {
        case .secp256r1: self = .p256
        case .secp384r1: self = .p384
        default: return nil
        }
    }
}
