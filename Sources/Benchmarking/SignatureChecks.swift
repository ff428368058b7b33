import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography

/// The signatures of signed data alone, taken out of everything around them.
///
/// A check is what nobody can go below: SHA over what is signed, and one verification by OpenSSL
/// with a key that is ready.
struct SignatureChecks: Sendable {
    private let checks: [Check]

    /// How many there are.
    var count: Int { checks.count }

    /// The signature of a document itself, by the authority's signer: ES256.
    init(of jws: some StringProtocol, by authority: SigningAuthority) throws {
        let signer = try Certificate(authority[.signedDataSigner].certificate.der)
        let segments = jws.split(separator: ".")
        checks = [
            .document(
                key: try PublicKey(signer.subjectPublicKeyInfo),
                signature: try Base64.decode(Array(segments[2].utf8).span, .urlSafe),
                signed: Array(segments[..<2].joined(separator: ".").utf8)
            )
        ]
        try verify()
    }

    /// The signatures of the authority's certificates for signed data: that of the signer by the
    /// intermediate, and that of the intermediate by the root.
    init(ofChainOf authority: SigningAuthority) throws {
        let chain = try authority.chain(of: .signedDataSigner).map { try Certificate($0.der) }
        checks = try zip(chain, chain.dropFirst()).map { certificate, issuer in
            .certificate(certificate, key: try PublicKey(issuer.subjectPublicKeyInfo))
        }
        try verify()
    }

    private init(_ checks: [Check]) { self.checks = checks }

    /// All checks of two.
    static func + (left: SignatureChecks, right: SignatureChecks) -> SignatureChecks {
        SignatureChecks(left.checks + right.checks)
    }

    /// Makes every check.
    func verify() throws {
        for check in checks { try check.verify() }
    }

    private enum Check: Sendable {
        case document(key: PublicKey, signature: [UInt8], signed: [UInt8])
        case certificate(Certificate, key: PublicKey)

        func verify() throws {
            switch self {
            case .document(let key, let signature, let signed):
                let isGenuine = try key.verifiesES256(signature.span, over: signed.span)
                precondition(isGenuine, "the raw signature of signed data is refused")
            case .certificate(let certificate, let key):
                try certificate.verifySignature(by: key)
            }
        }
    }
}
