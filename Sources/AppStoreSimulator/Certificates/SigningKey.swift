import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// A private key that signs certificates and receipts: RSA, or ECDSA on P-256 or P-384.
///
/// Any number of threads may sign with one key at once. No description shows its numbers.
public struct SigningKey: Sendable {
    let privateKey: PrivateKey

    /// The public half.
    public let publicKey: CertifiedKey

    init(_ privateKey: PrivateKey) {
        self.privateKey = privateKey
        publicKey = CertifiedKey(privateKey.publicKey.subjectPublicKeyInfo)
    }

    /// Any size that OpenSSL makes and uses: whether it is too weak is for others to find out.
    private static let limits = KeyLimits(rsaBits: 512...16_384)

    /// Makes a new RSA key of 512 to 16,384 bits; one of 2,048 takes about a tenth of a second.
    ///
    /// - Throws: `issue.key_unusable` for other sizes.
    public static func rsa(bits: Int = 2048) throws(SimulatorError) -> SigningKey {
        do {
            return SigningKey(try PrivateKey.generateRSA(bits: bits, limits: limits))
        } catch {
            throw SimulatorError(error)
        }
    }

    /// Makes a new key on the curve P-256, with which JWS data is signed.
    public static func p256() throws(SimulatorError) -> SigningKey {
        try generated(on: .p256)
    }

    /// Makes a new key on the curve P-384, with which issuers of JWS signers sign.
    public static func p384() throws(SimulatorError) -> SigningKey {
        try generated(on: .p384)
    }

    private static func generated(on curve: EllipticCurve) throws(SimulatorError) -> SigningKey {
        do {
            return SigningKey(try PrivateKey.generate(on: curve))
        } catch {
            throw SimulatorError(error)
        }
    }

    /// Reads an unencrypted key from PEM text.
    public init(pem: String) throws(SimulatorError) {
        do {
            self.init(try PrivateKey(pem: pem.utf8Span.span, limits: Self.limits))
        } catch {
            throw SimulatorError(error)
        }
    }

    /// The key as unencrypted PKCS #8 in PEM: a secret.
    public func pem() throws(SimulatorError) -> String {
        do {
            return try privateKey.pem().secret
        } catch {
            throw SimulatorError(error)
        }
    }

    /// The way in which this key signs with a digest.
    func algorithm(_ digest: SigningDigest) -> SignatureAlgorithm {
        if case .rsa = privateKey.publicKey.kind { return .rsaPKCS1(digest.algorithm) }
        return .ecdsa(digest.algorithm)
    }

    /// Whether the key is on P-256, as ES256 needs.
    var isOnP256: Bool { privateKey.publicKey.kind == .ellipticCurve(.p256) }

    /// Signs as JWS does: with ECDSA the plain r ‖ s (RFC 7518 §3.4), with RSA as everywhere.
    func signPlain(
        _ message: Span<UInt8>,
        _ digest: SigningDigest
    ) throws(SimulatorError) -> [UInt8] {
        do {
            guard case .ellipticCurve = privateKey.publicKey.kind else {
                return try privateKey.sign(message, algorithm(digest))
            }
            return try privateKey.signPlainECDSA(message, digest.algorithm)
        } catch {
            throw SimulatorError(error)
        }
    }

    func sign(
        _ message: some Sequence<UInt8>,
        _ digest: SigningDigest
    ) throws(SimulatorError) -> [UInt8] {
        do {
            return try privateKey.sign(Array(message).span, algorithm(digest))
        } catch {
            throw SimulatorError(error)
        }
    }
}

extension SigningKey: CustomStringConvertible {
    /// The kind of key and nothing of its secret.
    public var description: String { "a private key (\(privateKey.publicKey.kind))" }
}
