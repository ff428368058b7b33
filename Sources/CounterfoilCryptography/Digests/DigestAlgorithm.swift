import CCounterfoilOpenSSL
package import CounterfoilASN1

/// A hash function that Apple's documents and certificates are signed with (FIPS 180-4).
package enum DigestAlgorithm: UInt8, CaseIterable, Hashable, Sendable {
    case sha1
    case sha256
    case sha384
    case sha512

    /// How many bytes its digests have: 20, 32, 48 or 64.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The name people use: `SHA-256`.
    package var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        case .sha512: "SHA-512"
        }
    }
}

extension DigestAlgorithm {
    /// The algorithm of an identifier (RFC 5754 §2, RFC 3370 §2.1); nil for one that is not
    /// supported.
    package init?(_ identifier: ASN1ObjectIdentifier) {
        for algorithm in Self.allCases where algorithm.identifier == identifier {
            self = algorithm
            return
        }
        return nil
    }

    /// Its identifier.
    package var identifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

extension DigestAlgorithm: CustomStringConvertible {
    package var description: String { name }
}

extension DigestAlgorithm {
    /// OpenSSL's implementation, fetched once: fetching by name at each use costs more than
    /// hashing a short message.
    var implementation: OpaquePointer {
        switch self {
        case .sha1: unsafe Self.fetchedSHA1
        case .sha256: unsafe Self.fetchedSHA256
        case .sha384: unsafe Self.fetchedSHA384
        case .sha512: unsafe Self.fetchedSHA512
        }
    }

    // A fetched EVP_MD is immutable, and shared by all threads.
    private nonisolated(unsafe) static let fetchedSHA1 = unsafe fetch("SHA1")
    private nonisolated(unsafe) static let fetchedSHA256 = unsafe fetch("SHA2-256")
    private nonisolated(unsafe) static let fetchedSHA384 = unsafe fetch("SHA2-384")
    private nonisolated(unsafe) static let fetchedSHA512 = unsafe fetch("SHA2-512")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let digest = unsafe EVP_MD_fetch(OpenSSL.context, name, nil) else {
            preconditionFailure("OpenSSL's default provider offers \(name)")
        }
        return unsafe digest
    }
}
