public import AppStoreModel
public import CounterfoilBasics

/// A signed document of any kind, proved.
public enum VerifiedSignedData: Sendable {
    /// A transaction.
    case transaction(Verified<JWSTransactionDecodedPayload>)
    /// Renewal info, which alone names no app.
    case renewalInfo(Unbound<JWSRenewalInfoDecodedPayload>)
    /// An app transaction.
    case appTransaction(Verified<AppTransaction>)
    /// A notification, with what is signed inside it.
    case notification(VerifiedNotification)
    /// A retention request, which names its app by the Apple ID alone.
    case realtimeRequest(Unbound<DecodedRealtimeRequestBody>)

    /// Which kind it is.
    public var kind: SignedDataKind {
        switch self {
        case .transaction: .transaction
        case .renewalInfo: .renewalInfo
        case .appTransaction: .appTransaction
        case .notification: .notification
        case .realtimeRequest: .realtimeRequest
        }
    }

    /// How it was proved; nil for a document that names no app, whose proof is the document's own.
    public var proof: SignatureProof? {
        switch self {
        case .transaction(let transaction): transaction.proof
        case .appTransaction(let transaction): transaction.proof
        case .notification(let notification): notification.notification.proof
        case .renewalInfo, .realtimeRequest: nil
        }
    }
}

/// A notification of version 2 with the signed documents in it, each proved by itself.
public struct VerifiedNotification: Sendable {
    /// The notification.
    public let notification: Verified<ResponseBodyV2DecodedPayload>
    /// The transaction that it tells of.
    public let transaction: Verified<JWSTransactionDecodedPayload>?
    /// The state of the subscription's renewal, bound to the app of the notification.
    public let renewalInfo: Verified<JWSRenewalInfoDecodedPayload>?
    /// The app transaction of a customer whose consent was rescinded.
    public let appTransaction: Verified<AppTransaction>?
}

/// Content whose signature and certificates were checked and that does not say which app it is of.
///
/// It becomes a ``Verified`` beside something that does.
@dynamicMemberLookup
public struct Unbound<Content: Hashable & Sendable>: Sendable {
    /// What was signed.
    public let content: Content
    /// The environment that it says.
    public let environment: StoreEnvironment
    /// Who answered for the signature.
    public let realm: Realm
    /// The signer first, then its issuers up to the anchor; a pinned signer stands alone.
    public let certificates: [CertificateSummary]
    /// The instant at which the certificates were judged: when the document was signed.
    public let judgedAt: Instant
    /// What is worth knowing and refuses nothing.
    public let notes: [VerificationNote]
    /// The digest that was signed: `SHA-256`.
    public var digest: String { SignedDataVerification.digest }

    init(
        _ content: Content,
        _ proved: SignedDataVerification.Proved,
        _ environment: StoreEnvironment
    ) {
        self.content = content
        self.environment = environment
        realm = proved.chain.realm
        certificates = proved.chain.certificates
        judgedAt = proved.signedAt
        notes = proved.notes
    }

    /// A member of the content.
    public subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value {
        content[keyPath: path]
    }

    func bound(toApp bundleId: String) -> Verified<Content> {
        Verified(
            content: content,
            proof: SignatureProof(
                scope: Scope(bundleId: bundleId, environment: environment, realm: realm),
                certificates: certificates,
                judgedAt: judgedAt,
                digest: digest,
                notes: notes
            )
        )
    }
}

extension Unbound<JWSRenewalInfoDecodedPayload> {
    /// The renewal info as that of an app, which a transaction of the same purchase names.
    ///
    /// - Throws: `notification.nested_disagrees` when the transaction is of another purchase,
    ///   environment or realm, or another root or pinned certificate answers for it; Apple's roots
    ///   are one.
    public func bound(
        to transaction: Verified<JWSTransactionDecodedPayload>
    ) throws(VerificationError) -> Verified<Content> {
        let scope = transaction.proof.scope
        try Agreement("the renewal info", "the transaction beside it")
            .require(
                "originalTransactionId",
                content.originalTransactionId,
                transaction.originalTransactionId
            )
            .require("environment", environment.rawValue, scope.environment.rawValue)
            .require(
                Authority(realm, certificates),
                Authority(scope.realm, transaction.proof.certificates)
            )
        return bound(toApp: scope.bundleId)
    }
}

extension Unbound<DecodedRealtimeRequestBody> {
    /// The request as that of an app, whose Apple ID it names.
    ///
    /// - Throws: `app.apple_id_mismatch`.
    public func bound(
        to bundleId: String,
        appAppleId: Int64
    ) throws(VerificationError) -> Verified<Content> {
        guard content.appAppleId == appAppleId else {
            throw .otherAppleId(content.appAppleId, expected: appAppleId)
        }
        return bound(toApp: bundleId)
    }
}
