public import CounterfoilBasics
import CounterfoilCryptography

/// What is known of the revocation of certificates at one moment: a value, which nothing changes.
///
/// A certificate that is not in it is one of which nothing is known.
public struct RevocationSnapshot: Hashable, Sendable {
    /// What is known, by the SHA-256 digest of each whole certificate.
    public let certificates: [SHA256Digest: Status]

    /// Makes a snapshot of what is known.
    public init(_ certificates: [SHA256Digest: Status] = [:]) { self.certificates = certificates }

    /// What is known of one certificate.
    public enum Status: Hashable, Sendable {
        /// Not revoked; that counts until an instant.
        case good(until: Instant)
        /// Revoked, for good.
        case revoked(Revocation)
    }

    /// What is known of the certificate with a fingerprint; nil for nothing.
    public subscript(fingerprint: SHA256Digest) -> Status? { certificates[fingerprint] }

    /// This snapshot with another status of one certificate.
    func setting(_ status: Status, of fingerprint: SHA256Digest) -> RevocationSnapshot {
        var certificates = certificates
        certificates[fingerprint] = status
        return RevocationSnapshot(certificates)
    }
}

/// That a certificate was revoked, and what that means for what was signed with it.
public struct Revocation: Hashable, Sendable {
    /// The instant from which on the certificate does not count.
    public let since: Instant

    /// The number of the reason (RFC 5280 §5.3.1), where one is given.
    public let reason: Int64?

    /// Makes a revocation.
    public init(since: Instant, reason: Int64? = nil) {
        self.since = since
        self.reason = reason
    }

    /// Whether nothing that was ever signed counts any more: somebody else may have had the key
    /// before anybody knew, and then a signature's date is that person's word.
    public var spoilsEverything: Bool {
        switch reason.map(CRLReason.init(rawValue:)) {
        case .keyCompromise?, .cACompromise?, .aACompromise?: true
        default: false
        }
    }

    /// Whether it spoils what was signed at an instant.
    public func spoils(signedAt instant: Instant) -> Bool { spoilsEverything || since <= instant }
}

extension Revocation: CustomStringConvertible {
    /// Since when, and why: `since 2026-01-02T03:04:05Z (keyCompromise)`.
    public var description: String {
        "since \(since)" + (reason.map { " (\(CRLReason(rawValue: $0)))" } ?? "")
    }
}
