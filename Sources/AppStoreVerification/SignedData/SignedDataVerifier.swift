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

    private let verification: SignedDataVerification

    /// Makes a verifier; unless told otherwise it believes Apple alone.
    public init(trust: Trust = .appStore, limits: VerificationLimits = .default) {
        self.trust = trust
        self.limits = limits
        verification = SignedDataVerification(
            trust: trust,
            limits: limits,
            memory: ChainMemory(capacity: limits.rememberedChains)
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
                    + proved.payload.keys.prefix(8).map { String($0.prefix(32)).debugDescription }
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
    ///   another app, environment or purchase.
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
        // An odd notification is kept whole: what is signed inside it is not looked at.
        guard !content.isOdd else {
            let scope = Scope(
                bundleId: content.bundleId ?? "",
                environment: content.environment ?? StoreEnvironment(rawValue: ""),
                realm: proved.chain.realm
            )
            return VerifiedNotification(
                notification: proved.verified(content, scope, adding: .oddNotification),
                transaction: nil,
                renewalInfo: nil,
                appTransaction: nil
            )
        }
        let scope = try proved.scope(content.bundleId, content.environment, "environment")
        try app?.require(scope, appAppleId: content.appAppleId)
        let nested = NestedDocuments(scope: scope, verifier: self, now: now)
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
}

/// The documents inside a notification, which must be of its app and environment.
private struct NestedDocuments {
    let scope: Scope
    let verifier: SignedDataVerifier
    let now: Instant

    func transaction(
        _ text: String?
    ) throws(VerificationError) -> Verified<JWSTransactionDecodedPayload>? {
        try document("signedTransactionInfo", text) { (jws) throws(VerificationError) in
            let transaction = try verifier.transaction(jws, now: now)
            try requireScope(transaction.proof.scope, "the transaction")
            return transaction
        }
    }

    func renewalInfo(
        _ text: String?,
        beside transaction: Verified<JWSTransactionDecodedPayload>?
    ) throws(VerificationError) -> Verified<JWSRenewalInfoDecodedPayload>? {
        try document("signedRenewalInfo", text) { (jws) throws(VerificationError) in
            let renewalInfo = try verifier.renewalInfo(jws, now: now)
            guard let transaction else {
                let bound = renewalInfo.bound(toApp: scope.bundleId)
                try requireScope(bound.proof.scope, "the renewal info")
                return bound
            }
            return try renewalInfo.bound(to: transaction)
        }
    }

    func appTransaction(
        _ text: String?
    ) throws(VerificationError) -> Verified<AppTransaction>? {
        try document("signedAppTransactionInfo", text) { (jws) throws(VerificationError) in
            let transaction = try verifier.appTransaction(jws, now: now)
            try requireScope(transaction.proof.scope, "the app transaction")
            return transaction
        }
    }

    private func requireScope(
        _ found: Scope,
        _ name: String
    ) throws(VerificationError) {
        try Agreement(name, "the notification around it")
            .require("bundleId", found.bundleId, scope.bundleId)
            .require("environment", found.environment.rawValue, scope.environment.rawValue)
            .require("realm", found.realm.rawValue, scope.realm.rawValue)
    }

    private func document<Content>(
        _ key: StaticString,
        _ text: String?,
        _ verify: (CompactJWS) throws(VerificationError) -> Content
    ) throws(VerificationError) -> Content? {
        guard let text else { return nil }
        do {
            return try verify(try CompactJWS(text, limits: verifier.limits))
        } catch {
            throw VerificationError(error.code, "in \(key): \(error.reason)")
        }
    }
}

extension SignedDataVerification.Proved {
    /// The payload as a value of Apple's.
    fileprivate func content<Content: AppStoreObject>(
        _: Content.Type
    ) throws(VerificationError) -> Content {
        do {
            return try Content(payload)
        } catch {
            throw VerificationError(
                VerificationError.signedPayloadMalformed,
                "\(kind.words) cannot be read: \(error.reason)"
            )
        }
    }

    fileprivate func require(
        _ value: String?,
        _ name: StaticString
    ) throws(VerificationError) {
        guard value?.isEmpty == false else {
            throw VerificationError(
                VerificationError.fieldMissing,
                "\(kind.words) has no \(name), which every one has"
            )
        }
    }

    fileprivate func scope(
        _ bundleId: String?,
        _ environment: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> Scope {
        try require(bundleId, "bundleId")
        return Scope(
            bundleId: bundleId ?? "",
            environment: try self.environment(environment, name),
            realm: chain.realm
        )
    }

    /// The environment that the document says: Xcode in the xcode realm, and nowhere else.
    fileprivate func environment(
        _ found: StoreEnvironment?,
        _ name: StaticString
    ) throws(VerificationError) -> StoreEnvironment {
        try require(found?.rawValue, name)
        let environment = found ?? StoreEnvironment(rawValue: "")
        let saysXcode = environment == .xcode
        guard saysXcode != (chain.realm == .xcode) else { return environment }
        throw saysXcode
            ? VerificationError(
                VerificationError.xcodeElsewhere,
                "the document says Xcode but was signed in the realm \(chain.realm)"
            )
            : VerificationError(
                VerificationError.notXcode,
                "the document says \(environment.rawValue.prefix(64).debugDescription) but the "
                    + "pinned certificate signs for Xcode alone"
            )
    }

    fileprivate func verified<Content>(
        _ content: Content,
        _ scope: Scope,
        adding note: VerificationNote? = nil
    ) -> Verified<Content> {
        Verified(
            content: content,
            proof: SignatureProof(
                scope: scope,
                certificates: chain.certificates,
                judgedAt: signedAt,
                digest: SignedDataVerification.digest,
                notes: notes + (note.map { [$0] } ?? [])
            )
        )
    }
}

extension VerificationNote {
    /// A notification with several contents, or with none that is known.
    fileprivate static let oddNotification = VerificationNote(
        odd,
        "the notification has not exactly one of data, summary, externalPurchaseToken and appData; "
            + "it is genuine, and kept whole without being understood"
    )

    fileprivate static func otherVersion(_ version: String?) -> VerificationNote {
        VerificationNote(
            unknownVersion,
            "the notification is of version "
                + "\(version.map { $0.prefix(32).debugDescription } ?? "none"); 2.0 is known"
        )
    }
}

extension SignedDataKind {
    /// The kind with its article.
    var words: String {
        switch self {
        case .transaction: "a transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "an app transaction"
        case .notification: "a notification"
        case .realtimeRequest: "a retention request"
        case .unknown: "a document of no known kind"
        }
    }
}
