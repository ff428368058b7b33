public import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// Proves signed data of the App Store, offline: transactions, renewal info, app transactions,
/// notifications of version 2 and retention requests.
///
///     let verifier = SignedDataVerifier()
///     let transaction = try verifier.transaction(CompactJWS(text), of: app)
///
/// A verifier is a value that any number of threads may use at once. It remembers certificate
/// chains that held, so keep one rather than making one for each document: the usual document then
/// costs one check of a P-256 signature.
public struct SignedDataVerifier: Sendable {
    /// Who may answer for a document.
    public let trust: Trust
    /// The bounds of what is read.
    public let limits: VerificationLimits
    /// Where it is looked up whether certificates were revoked; nil where that is not asked.
    public let revocation: RevocationRegister?

    private let verification: SignedDataVerification

    /// Makes a verifier; unless told otherwise it believes Apple alone.
    ///
    /// - Parameters:
    ///   - trust: Who may answer for a document.
    ///   - limits: The bounds of what is read.
    ///   - revocation: Where it is looked up whether certificates were revoked; without it, that is
    ///     not asked.
    public init(
        trust: Trust = .appStore,
        limits: VerificationLimits = .default,
        revocation: RevocationRegister? = nil
    ) {
        self.trust = trust
        self.limits = limits
        self.revocation = revocation
        verification = SignedDataVerification(
            trust: trust,
            limits: limits,
            memory: ChainMemory(capacity: limits.rememberedChains),
            revocation: revocation
        )
    }

    /// Proves a document of whatever kind.
    ///
    /// - Parameters:
    ///   - jws: The document.
    ///   - app: The app that it must be of, where one is expected. Documents that name none are not
    ///     held against it.
    ///   - now: The instant for remarks and for documents from the future. Certificates are judged
    ///     at the instant of signing, never at this one.
    /// - Returns: The document, proved, by its kind.
    /// - Throws: The reason why it is refused, or undecided; `payload.kind_unknown` for a genuine
    ///   document of none of the kinds.
    public func verify(
        _ jws: CompactJWS,
        of app: ExpectedApp? = nil,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> VerifiedSignedData {
        let proved = try verification.prove(jws, now: now)
        return switch proved.kind {
        case .transaction: .transaction(try transaction(proved, app))
        case .renewalInfo: .renewalInfo(try renewalInfo(proved))
        case .appTransaction: .appTransaction(try appTransaction(proved, app))
        case .notification: .notification(try notification(proved, app, now: now))
        case .realtimeRequest: .realtimeRequest(try realtimeRequest(proved))
        case .unknown:
            throw VerificationError(
                VerificationError.kindUnknown,
                "the payload is genuine and of none of the kinds that are known; its keys are "
                    + proved.payload.keys.prefix(8).map {
                        String($0.unicodeScalars.prefix(32)).debugDescription
                    }
                    .joined(separator: ", ")
            )
        }
    }

    /// Proves a transaction.
    ///
    /// - Throws: as ``verify(_:of:now:)``, and `payload.wrong_kind` for a genuine document of
    ///   another kind.
    public func transaction(
        _ jws: CompactJWS,
        of app: ExpectedApp? = nil,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> Verified<JWSTransactionDecodedPayload> {
        try transaction(prove(jws, .transaction, now: now), app)
    }

    /// Proves renewal info, which names no app: see ``Unbound/bound(to:)``.
    ///
    /// - Throws: as for a transaction.
    public func renewalInfo(
        _ jws: CompactJWS,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> Unbound<JWSRenewalInfoDecodedPayload> {
        try renewalInfo(prove(jws, .renewalInfo, now: now))
    }

    /// Proves an app transaction.
    ///
    /// - Throws: as for a transaction.
    public func appTransaction(
        _ jws: CompactJWS,
        of app: ExpectedApp? = nil,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> Verified<AppTransaction> {
        try appTransaction(prove(jws, .appTransaction, now: now), app)
    }

    /// Proves a notification of version 2 (its `signedPayload`), and every signed document in it.
    ///
    /// - Throws: as for a transaction; `notification.nested_disagrees` when a nested document is of
    ///   another app, environment or purchase, or under another root.
    public func notification(
        _ jws: CompactJWS,
        of app: ExpectedApp? = nil,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> VerifiedNotification {
        try notification(prove(jws, .notification, now: now), app, now: now)
    }

    /// Proves a retention request, which names its app by the Apple ID alone: see
    /// ``Unbound/bound(to:appAppleId:)``.
    ///
    /// - Throws: as for a transaction.
    public func realtimeRequest(
        _ jws: CompactJWS,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> Unbound<DecodedRealtimeRequestBody> {
        try realtimeRequest(prove(jws, .realtimeRequest, now: now))
    }
}

// MARK: - One kind each

extension SignedDataVerifier {
    private func prove(
        _ jws: CompactJWS,
        _ expected: SignedDataKind,
        now: Instant
    ) throws(VerificationError) -> SignedDataVerification.Proved {
        let proved = try verification.prove(jws, now: now)
        guard proved.kind == expected else {
            throw VerificationError(
                VerificationError.wrongKind,
                "this is \(proved.kind.words), not \(expected.words)"
            )
        }
        return proved
    }

    private func transaction(
        _ proved: SignedDataVerification.Proved,
        _ app: ExpectedApp?
    ) throws(VerificationError) -> Verified<JWSTransactionDecodedPayload> {
        let content = try proved.content(JWSTransactionDecodedPayload.self)
        try proved.require(content.transactionId, "transactionId")
        try proved.require(content.originalTransactionId, "originalTransactionId")
        try proved.require(content.productId, "productId")
        let scope = try proved.scope(content.bundleId, content.environment, "environment")
        try app?.require(scope)
        return proved.verified(content, scope)
    }

    private func renewalInfo(
        _ proved: SignedDataVerification.Proved
    ) throws(VerificationError) -> Unbound<JWSRenewalInfoDecodedPayload> {
        let content = try proved.content(JWSRenewalInfoDecodedPayload.self)
        try proved.require(content.originalTransactionId, "originalTransactionId")
        return Unbound(
            content,
            proved,
            try proved.environment(content.environment, "environment")
        )
    }

    private func appTransaction(
        _ proved: SignedDataVerification.Proved,
        _ app: ExpectedApp?
    ) throws(VerificationError) -> Verified<AppTransaction> {
        let content = try proved.content(AppTransaction.self)
        let scope = try proved.scope(content.bundleId, content.receiptType, "receiptType")
        try app?.require(scope, appAppleId: content.appAppleId)
        return proved.verified(content, scope)
    }

    private func realtimeRequest(
        _ proved: SignedDataVerification.Proved
    ) throws(VerificationError) -> Unbound<DecodedRealtimeRequestBody> {
        let content = try proved.content(DecodedRealtimeRequestBody.self)
        return Unbound(
            content,
            proved,
            try proved.environment(content.environment, "environment")
        )
    }

    private func notification(
        _ proved: SignedDataVerification.Proved,
        _ app: ExpectedApp?,
        now: Instant
    ) throws(VerificationError) -> VerifiedNotification {
        let content = try proved.content(ResponseBodyV2DecodedPayload.self)
        guard !content.isOdd else { return try odd(content, proved, app) }
        let scope = try proved.scope(content.bundleId, content.environment, "environment")
        try app?.require(scope, appAppleId: content.appAppleId)
        let nested = NestedDocuments(
            scope: scope,
            authority: Authority(proved.chain.realm, proved.chain.certificates),
            verifier: self,
            now: now
        )
        let transaction = try nested.transaction(content.data?.signedTransactionInfo)
        return VerifiedNotification(
            notification: proved.verified(
                content,
                scope,
                adding: content.version == "2.0" ? nil : .otherVersion(content.version)
            ),
            transaction: transaction,
            renewalInfo: try nested.renewalInfo(
                content.data?.signedRenewalInfo,
                beside: transaction
            ),
            appTransaction: try nested.appTransaction(content.appData?.signedAppTransactionInfo)
        )
    }

    /// An odd notification is kept whole: what is signed inside it is not looked at, and what it
    /// says of its app and environment counts as far as it says it.
    private func odd(
        _ content: ResponseBodyV2DecodedPayload,
        _ proved: SignedDataVerification.Proved,
        _ app: ExpectedApp?
    ) throws(VerificationError) -> VerifiedNotification {
        let environment = content.environment ?? StoreEnvironment(rawValue: "")
        if content.environment != nil { try proved.require(environment.rawValue, "environment") }
        // Who says nothing does not say Xcode.
        try proved.chain.realm.require(environment.rawValue, of: "the document")
        let scope = Scope(
            bundleId: content.bundleId ?? "",
            environment: environment,
            realm: proved.chain.realm
        )
        if content.bundleId != nil { try app?.require(scope) }
        return VerifiedNotification(
            notification: proved.verified(content, scope, adding: .oddNotification),
            transaction: nil,
            renewalInfo: nil,
            appTransaction: nil
        )
    }
}
