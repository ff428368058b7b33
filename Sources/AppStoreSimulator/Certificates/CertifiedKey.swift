import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A public key as a certificate states it (RFC 5280 §4.1.2.7), whether or not anybody has the
/// private half.
public struct CertifiedKey: Hashable, Sendable {
    /// The SubjectPublicKeyInfo in DER.
    public let der: [UInt8]

    /// SHA-1 of the key's bits: the usual key identifier (RFC 5280 §4.2.1.2, method 1).
    public let identifier: [UInt8]

    init(_ key: SubjectPublicKeyInfo) {
        der = key.der
        identifier = key.keyIdentifier
    }

    private init(
        _ algorithm: ASN1ObjectIdentifier,
        bits: [UInt8],
        parameters: (inout DERWriter) -> Void
    ) {
        identifier = MessageDigest(of: bits.span, .sha1).bytes
        der = DERWriter.bytes { writer in
            writer.sequence { info in
                info.sequence { identifier in
                    identifier.objectIdentifier(algorithm)
                    parameters(&identifier)
                }
                info.bitString(bits)
            }
        }
    }
}

extension CertifiedKey {
    /// An RSA public key of any size with a modulus that nobody can factor into a private key.
    ///
    /// Making a genuine key of 16,384 bits takes minutes; whoever checks sizes before signatures
    /// cannot tell this one from it.
    ///
    /// - Parameters:
    ///   - bits: The length of the modulus; a multiple of 8 from 512 to 65,536.
    ///   - exponent: The public exponent.
    ///   - seed: Decides the modulus.
    /// - Returns: The public key; its modulus is an odd number of the full length.
    public static func unfactoredRSA(
        bits: Int,
        exponent: UInt64 = 65_537,
        seed: UInt64
    ) -> CertifiedKey {
        precondition((512...65_536).contains(bits) && bits % 8 == 0, "no such size of RSA key")
        var random = SeededRandom(seed: seed)
        var modulus = (0..<bits / 8).map { _ in UInt8.random(in: 0...255, using: &random) }
        modulus[0] |= 0x80
        modulus[modulus.count - 1] |= 1
        return rsa(modulus: modulus, exponent: exponent)
    }

    /// The key of another size of exponent, its modulus being that of a genuine key.
    static func rsa(modulus: [UInt8], exponent: UInt64) -> CertifiedKey {
        let bits = DERWriter.bytes { writer in
            writer.sequence { numbers in
                numbers.naturalNumber(modulus)
                numbers.naturalNumber(withUnsafeBytes(of: exponent.bigEndian) { Array($0) })
            }
        }
        return CertifiedKey(OID.rsaEncryption, bits: bits) { $0.null() }
    }

    /// A curve on which the App Store signs nothing.
    public enum ForeignCurve: String, CaseIterable, Hashable, Sendable {
        /// NIST P-521.
        case p521 = "P-521"
        /// The curve of Bitcoin.
        case secp256k1
    }

    /// A valid public key on a foreign curve: the curve's own base point (SEC 2 §2.4.1, §2.6.1),
    /// whose private half is 1.
    public static func basePoint(of curve: ForeignCurve) -> CertifiedKey {
        let (identifier, coordinates) =
            switch curve {
            case .p521: (OID.secp521r1, p521BasePoint)
            case .secp256k1: (OID.secp256k1, secp256k1BasePoint)
            }
        let point = [0x04] + (Hexadecimal.decode(coordinates) ?? [])
        return CertifiedKey(OID.ecPublicKey, bits: point) { $0.objectIdentifier(identifier) }
    }

    private static let p521BasePoint =
        "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d"
        + "3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66"
        + "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e"
        + "662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650"

    private static let secp256k1BasePoint =
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
        + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
}
