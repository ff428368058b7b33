import CounterfoilBasics
import CounterfoilCryptography

/// A shared secret of an app (App Store Connect), which vouches for notifications of version 1.
///
/// The secret itself is not kept, only its SHA-256.
public struct SharedSecret: Sendable, CustomStringConvertible {
    /// The name by which answers and logs tell secrets apart while one takes over from another.
    public let id: String
    /// SHA-256 over the secret.
    package let digest: [UInt8]

    /// Keeps the digest of a secret.
    public init(id: String, _ secret: String) {
        self.id = id
        digest = Self.digest(of: secret)
    }

    /// The name and the fingerprint.
    public var description: String { "\(id) (\(fingerprint))" }

    /// Eight hexadecimal digits of the secret's SHA-256, which tell secrets apart and give none
    /// away.
    public var fingerprint: String { Self.fingerprint(digest) }

    /// The fingerprint of any password.
    static func fingerprint(of password: String) -> String { fingerprint(digest(of: password)) }

    /// Whether a password is this secret; how long the answer takes tells nothing about either.
    func isSame(as password: String) -> Bool {
        let other = Self.digest(of: password)
        return constantTimeEqual(digest.span, other.span)
    }

    package static func digest(of text: String) -> [UInt8] {
        MessageDigest(of: Array(text.utf8).span, .sha256).bytes
    }

    private static func fingerprint(_ digest: [UInt8]) -> String {
        Hexadecimal.encode(digest.prefix(4))
    }
}
