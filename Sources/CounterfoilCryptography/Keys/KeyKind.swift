package import CounterfoilASN1

/// What kind of public key it is, known by reading its encoding alone.
package enum KeyKind: Hashable, Sendable {
    /// RSA, with the length of its modulus in bits; the public exponent is nil when it has more
    /// than 64 bits.
    case rsa(bits: Int, exponent: UInt64?)

    /// An elliptic curve that is supported.
    case ellipticCurve(EllipticCurve)

    /// Anything else: the identifier of the curve where the key is on a named one, otherwise that
    /// of the algorithm.
    case other(ASN1ObjectIdentifier)
}

extension KeyKind {
    var isRSA: Bool {
        if case .rsa = self { true } else { false }
    }

    /// Whether keys of this kind make signatures of a scheme.
    func supports(_ scheme: SignatureAlgorithm.Scheme) -> Bool {
        switch (self, scheme) {
        case (.rsa, .rsaPKCS1), (.ellipticCurve, .ecdsa): true
        default: false
        }
    }
}

extension KeyKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rsa(let bits, _): "RSA-\(bits)"
        case .ellipticCurve(let curve): curve.name
        case .other(let identifier): "\(identifier)"
        }
    }
}

/// A curve that the App Store signs on (FIPS 186-4, RFC 5480 §2.1.1.1).
package enum EllipticCurve: CaseIterable, Hashable, Sendable {
    case p256
    case p384

    /// The name people use: `P-256`.
    package var name: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        }
    }

    /// The length in bytes of a coordinate, and of half a plain signature.
    package var coordinateByteCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }
}

/// Which keys are worth a look: a key outside is refused before any signature is checked with it.
package struct KeyLimits: Hashable, Sendable {
    /// The shortest and the longest RSA modulus, in bits.
    package var rsaBits: ClosedRange<Int>

    /// The largest public exponent of an RSA key; the cost of a verification grows with it.
    package var largestRSAExponent: UInt64

    /// The curves an ECDSA key may be on.
    package var curves: Set<EllipticCurve>

    package init(
        rsaBits: ClosedRange<Int>,
        largestRSAExponent: UInt64 = 65_537,
        curves: Set<EllipticCurve> = [.p256, .p384]
    ) {
        self.rsaBits = rsaBits
        self.largestRSAExponent = largestRSAExponent
        self.curves = curves
    }

    /// RSA of 2,048 to 4,096 bits with an exponent of at most 65,537, and P-256 and P-384.
    package static let `default` = KeyLimits(rsaBits: 2048...4096)

    /// As the default, but RSA from 1,024 bits: the leaves of iOS 6 receipts have no more.
    package static let transactionReceipts = KeyLimits(rsaBits: 1024...4096)
}

extension KeyLimits {
    /// Checks that a key of a kind may be used.
    ///
    /// - Throws: `chain.key_unsupported`, or `chain.key_out_of_bounds` with what was found and
    ///   what is allowed.
    package func check(_ kind: KeyKind) throws(KeyError) {
        switch kind {
        case .rsa(let bits, let exponent):
            guard rsaBits.contains(bits) else {
                throw KeyError(
                    KeyError.outOfBounds,
                    "found an RSA key of \(bits) bits, expected "
                        + "\(rsaBits.lowerBound) to \(rsaBits.upperBound)"
                )
            }
            // An even exponent, or 1, has no private counterpart: anyone could sign.
            guard let exponent, exponent <= largestRSAExponent, exponent > 1, exponent % 2 == 1
            else {
                throw KeyError(
                    KeyError.outOfBounds,
                    "found the RSA exponent \(exponent.map(String.init) ?? "above 64 bits"), "
                        + "expected an odd one from 3 to \(largestRSAExponent)"
                )
            }
        case .ellipticCurve(let curve):
            guard curves.contains(curve) else {
                throw KeyError(
                    KeyError.outOfBounds,
                    "found a key on \(curve.name), expected one on "
                        + curves.map(\.name).sorted().joined(separator: " or ")
                )
            }
        case .other(let identifier):
            throw KeyError(
                KeyError.unsupported,
                "found a key of \(identifier), expected RSA, P-256 or P-384"
            )
        }
    }
}
