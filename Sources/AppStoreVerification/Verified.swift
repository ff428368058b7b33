public import AppStoreModel
public import CounterfoilBasics

/// Content whose signature and certificates were checked; only this module can make one.
///
/// It cannot be decoded, mapped or made elsewhere, so a function that takes one never sees
/// unproved words.
@dynamicMemberLookup
public struct Verified<Content: Hashable & Sendable>: Sendable {
    /// What was signed.
    public let content: Content
    /// How it was proved.
    public let proof: SignatureProof

    init(content: Content, proof: SignatureProof) {
        self.content = content
        self.proof = proof
    }

    /// A member of the content.
    public subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value {
        content[keyPath: path]
    }
}

/// How a document was proved: by whom, for which app and at which instant its chain was judged.
public struct SignatureProof: Sendable {
    /// The app, the environment and the realm.
    public let scope: Scope
    /// The signer first, then its issuers up to the anchor.
    ///
    /// The signer stands alone where its issuer is only a known key, or where it is itself pinned.
    public let certificates: [CertificateSummary]
    /// The instant at which the certificates were judged: when the document was signed.
    public let judgedAt: Instant
    /// The digest that was signed: `SHA-1` or `SHA-256`.
    public let digest: String
    /// What is worth knowing and refuses nothing: repairs, an expiry, an unreadable attribute.
    public internal(set) var notes: [VerificationNote]
}

/// A remark about a verified document, with a code like a refusal's.
public struct VerificationNote: Hashable, Sendable {
    /// A stable dotted code, listed in docs/ERRORS.md.
    public let code: ErrorCode
    /// One sentence for a person.
    public let text: String

    init(_ code: ErrorCode, _ text: String) {
        self.code = code
        self.text = text
    }
}

/// What a person wants to know of a certificate.
public struct CertificateSummary: Hashable, Sendable {
    /// The subject's common name, else its whole name.
    public let name: String
    /// The serial number in hexadecimal.
    public let serialNumber: String
    /// The first instant of validity.
    public let notBefore: Instant
    /// The last instant of validity.
    public let notAfter: Instant
    /// The key, such as `RSA-2048` or `P-256`.
    public let key: String
    /// SHA-256 over the whole certificate.
    public let fingerprint: SHA256Digest
}

/// A receipt of either style, proved.
public enum VerifiedReceipt: Sendable {
    /// The receipt of an app, with the purchases made in it (since iOS 7).
    case appReceipt(Verified<AppReceipt>)
    /// The receipt of one transaction (iOS 6 style).
    case transactionReceipt(Verified<TransactionReceipt>)

    /// How it was proved.
    public var proof: SignatureProof {
        switch self {
        case .appReceipt(let receipt): receipt.proof
        case .transactionReceipt(let receipt): receipt.proof
        }
    }
}
