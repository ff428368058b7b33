import CounterfoilCryptography

/// The hash function under a signature.
public enum SigningDigest: String, CaseIterable, Hashable, Sendable {
    /// What the App Store signed with until 2023 (Apple, TN3138).
    case sha1 = "SHA-1"
    /// What the App Store signs with.
    case sha256 = "SHA-256"
    /// Longer than any receipt uses.
    case sha384 = "SHA-384"
    /// Longer than any receipt uses.
    case sha512 = "SHA-512"

    var algorithm: DigestAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
