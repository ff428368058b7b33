public import AppStoreModel
public import CounterfoilBasics

/// Judges notifications of version 1: nobody signed them, so the app's shared secret has to vouch
/// for them, while the receipts inside them are proved by themselves.
///
///     let verifier = NotificationV1Verifier(secrets: [SharedSecret(id: "2024", secret)])
///     let notification = try verifier.verify(body, password: password)
public struct NotificationV1Verifier: Sendable {
    /// The secrets that vouch; several while one takes over from another.
    public let secrets: [SharedSecret]
    /// Proves the receipts inside notifications.
    public let receipts: ReceiptVerifier

    /// Makes a verifier.
    public init(secrets: [SharedSecret], receipts: ReceiptVerifier = ReceiptVerifier()) {
        self.secrets = secrets
        self.receipts = receipts
    }

    /// Judges a notification.
    ///
    /// - Parameters:
    ///   - body: The notification, without its password.
    ///   - password: The password that came with it.
    ///   - app: The app that it must be of, where one is expected.
    ///   - realm: The realm of the app whose secrets vouch.
    ///   - now: The instant for remarks and for receipts from the future.
    /// - Returns: The notification, vouched for, and the receipts in it.
    /// - Throws: `notification.password_missing`, `notification.password_unknown`,
    ///   `payload.field_missing`, `environment.unknown` or `app.bundle_mismatch`. A receipt that does not verify is no
    ///   error: the secret vouches for the rest.
    public func verify(
        _ body: ResponseBodyV1,
        password: Redacted<String>?,
        of app: ExpectedApp? = nil,
        realm: Realm = .appStore,
        now: Instant = SystemClock().now
    ) throws(VerificationError) -> VouchedNotification {
        try verify(body, vouchedForBy: secret(for: password), of: app, realm: realm, now: now)
    }

    /// Judges a notification whose password was found to be a secret before.
    ///
    /// - Throws: As above, but for the password.
    package func verify(
        _ body: ResponseBodyV1,
        vouchedForBy secret: SharedSecret,
        of app: ExpectedApp? = nil,
        realm: Realm = .appStore,
        now: Instant
    ) throws(VerificationError) -> VouchedNotification {
        let scope = try Self.scope(of: body, realm)
        try app?.require(scope)
        return VouchedNotification(
            notification: Vouched(
                content: body,
                scope: scope,
                voucher: .sharedSecret(id: secret.id)
            ),
            receipts: embeddedReceipts(in: body, scope, now: now)
        )
    }

    /// The receipts inside a notification, each proved by itself or not, whether or not anything
    /// vouches for the notification.
    ///
    /// - Parameters:
    ///   - body: The notification.
    ///   - now: As above.
    /// - Returns: What came of each receipt that is there.
    public func embeddedReceipts(
        in body: ResponseBodyV1,
        now: Instant = SystemClock().now
    ) -> [EmbeddedReceipt] {
        embeddedReceipts(in: body, nil, now: now)
    }

    private func secret(for password: Redacted<String>?) throws(VerificationError) -> SharedSecret {
        guard let password = password?.secret else {
            throw VerificationError(
                VerificationError.passwordMissing,
                "the notification has no password, and nothing else vouches for version 1"
            )
        }
        // Every secret is looked at, so that the time tells nothing.
        var found: SharedSecret?
        for secret in secrets where secret.isSame(as: password) { found = secret }
        guard let found else {
            let known = secrets.map(\.description).joined(separator: ", ")
            throw VerificationError(
                VerificationError.passwordUnknown,
                "the notification's password has the fingerprint "
                    + "\(SharedSecret.fingerprint(of: password)); the app's shared secrets are "
                    + (secrets.isEmpty ? "none" : known)
            )
        }
        return found
    }

    private static func scope(
        of body: ResponseBodyV1,
        _ realm: Realm
    ) throws(VerificationError) -> Scope {
        var environments: [StoreEnvironment] = []
        for said in [body.environment, body.unifiedReceipt?.environment].compactMap(\.self) {
            environments.append(try environment(said))
        }
        // Before 2021 the app stood only in what the receipt says.
        guard
            let bundleId = body.bid ?? body.latestReceiptInfo?.bid
                ?? body.latestExpiredReceiptInfo?.bid,
            let environment = environments.first
        else {
            throw VerificationError(
                VerificationError.fieldMissing,
                "the notification does not say which app and environment it is of"
            )
        }
        return Scope(bundleId: bundleId, environment: environment, realm: realm)
    }

    /// The environment that a word of version 1 stands for; Xcode has never sent any.
    private static func environment(
        _ said: StoreEnvironment
    ) throws(VerificationError) -> StoreEnvironment {
        switch said {
        case .production, .sandbox: return said
        case StoreEnvironment(rawValue: "PROD"): return .production
        default:
            throw VerificationError(
                VerificationError.environmentUnknown,
                "the notification says \(said.rawValue.prefix(64).debugDescription), expected PROD, "
                    + "Production or Sandbox"
            )
        }
    }

    private func embeddedReceipts(
        in body: ResponseBodyV1,
        _ scope: Scope?,
        now: Instant
    ) -> [EmbeddedReceipt] {
        let texts: [(EmbeddedReceipt.Place, String?)] = [
            (.unifiedReceipt, body.unifiedReceipt?.latestReceipt),
            (.latestReceipt, body.latestReceipt),
            (.latestExpiredReceipt, body.latestExpiredReceipt),
        ]
        return texts.compactMap { place, text in
            text.map { verify($0, at: place, in: scope, now: now) }
        }
    }

    private func verify(
        _ text: String,
        at place: EmbeddedReceipt.Place,
        in scope: Scope?,
        now: Instant
    ) -> EmbeddedReceipt {
        var document: Document?
        let result = Result { () throws(VerificationError) in
            let found = try Document(detecting: Array(text.utf8), limits: receipts.limits)
            document = found
            let receipt = try receipts.verify(found, now: now)
            if let scope {
                let found = receipt.proof.scope
                try Agreement("the receipt", "the notification around it")
                    .require("bundleId", found.bundleId, scope.bundleId)
                    .require("environment", found.environment.rawValue, scope.environment.rawValue)
            }
            return receipt
        }
        return EmbeddedReceipt(place: place, document: document, result: result)
    }
}

/// A notification of version 1 that a shared secret vouches for.
public struct VouchedNotification: Sendable {
    /// The notification, without its password.
    public let notification: Vouched<ResponseBodyV1>
    /// The receipts in it, each by itself.
    public let receipts: [EmbeddedReceipt]
}

/// A receipt inside a notification of version 1.
public struct EmbeddedReceipt: Sendable {
    /// Where receipts stand in a notification.
    public enum Place: String, Sendable, Hashable, CaseIterable {
        /// An app receipt, since 2020.
        case unifiedReceipt = "unified_receipt.latest_receipt"
        /// An iOS 6-style receipt, until March 2021.
        case latestReceipt = "latest_receipt"
        /// An iOS 6-style receipt of a subscription that had ended, until March 2021.
        case latestExpiredReceipt = "latest_expired_receipt"
    }

    /// Where it stands.
    public let place: Place
    /// The receipt freed of its transport encodings; nil when there is none in the text.
    public let document: Document?
    /// The receipt, proved, or why it is not.
    public let result: Result<VerifiedReceipt, VerificationError>
}

extension Document {
    /// The notification in a ``Kind/notificationV1``, and the password that came with it.
    ///
    /// - Throws: `payload.malformed`, which names the member, also for any other document.
    package func notificationV1() throws(VerificationError) -> (
        body: ResponseBodyV1, password: Redacted<String>?
    ) {
        let envelope: NotificationEnvelope
        do {
            envelope = try NotificationEnvelope(parsing: bytes.span)
        } catch {
            throw VerificationError(
                VerificationError.signedPayloadMalformed,
                "the notification cannot be read: \(error.reason)"
            )
        }
        guard case .v1(let body, let password) = envelope else {
            throw VerificationError(
                VerificationError.wrongKind,
                "this is \(kind.words), not \(Kind.notificationV1.words)"
            )
        }
        return (body, password)
    }
}
