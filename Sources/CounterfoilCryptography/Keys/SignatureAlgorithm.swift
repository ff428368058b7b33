package import CounterfoilASN1

/// A way of signing that Apple's documents and certificates use.
package struct SignatureAlgorithm: Hashable, Sendable {
    /// The mathematics of a signature, apart from the digest.
    package enum Scheme: Hashable, Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
        case rsaPKCS1
        /// ECDSA (FIPS 186-4).
        case ecdsa
    }

    /// The mathematics.
    package let scheme: Scheme
    /// The function whose digest is signed.
    package let digest: DigestAlgorithm

    package init(_ scheme: Scheme, _ digest: DigestAlgorithm) {
        self.scheme = scheme
        self.digest = digest
    }

    /// RSASSA-PKCS1-v1_5 with a digest.
    package static func rsaPKCS1(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        SignatureAlgorithm(.rsaPKCS1, digest)
    }

    /// ECDSA with a digest.
    package static func ecdsa(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        SignatureAlgorithm(.ecdsa, digest)
    }
}

extension SignatureAlgorithm {
    /// The algorithm of an identifier that names scheme and digest together, as certificates do
    /// (RFC 3279 §2.2, RFC 4055 §5, RFC 5758 §3.2); nil for one that is not supported.
    package init?(_ identifier: ASN1ObjectIdentifier) {
        guard let algorithm = Self.byIdentifier[identifier] else { return nil }
        self = algorithm
    }

    /// The identifier that certificates name it by.
    package var identifier: ASN1ObjectIdentifier {
        switch (scheme, digest) {
        case (.rsaPKCS1, .sha1): .sha1WithRSAEncryption
        case (.rsaPKCS1, .sha256): .sha256WithRSAEncryption
        case (.rsaPKCS1, .sha384): .sha384WithRSAEncryption
        case (.rsaPKCS1, .sha512): .sha512WithRSAEncryption
        case (.ecdsa, .sha1): .ecdsaWithSHA1
        case (.ecdsa, .sha256): .ecdsaWithSHA256
        case (.ecdsa, .sha384): .ecdsaWithSHA384
        case (.ecdsa, .sha512): .ecdsaWithSHA512
        }
    }

    private static let byIdentifier: [ASN1ObjectIdentifier: SignatureAlgorithm] = {
        let algorithms = DigestAlgorithm.allCases.flatMap { digest in
            [SignatureAlgorithm.rsaPKCS1(digest), .ecdsa(digest)]
        }
        return Dictionary(uniqueKeysWithValues: algorithms.map { ($0.identifier, $0) })
    }()
}

extension SignatureAlgorithm: CustomStringConvertible {
    /// The words people use: `RSA with SHA-256`.
    package var description: String { "\(scheme) with \(digest)" }
}

extension SignatureAlgorithm.Scheme: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rsaPKCS1: "RSA"
        case .ecdsa: "ECDSA"
        }
    }
}
