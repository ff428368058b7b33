public import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// Issues signed data (JWS) in the format of the App Store, signed by a local authority:
/// transactions, renewal info, app transactions, notifications of version 2 and retention requests.
///
///     let issuer = SignedDataIssuer(authority: authority)
///     var transaction = JWSTransactionDecodedPayload()
///     transaction.transactionId = "2000000000000001"
///     transaction.bundleId = "com.example.app"
///     transaction.signedDate = now
///     let text = try issuer.issue(transaction)
///
/// What is signed is the value as it stands, down to the order of its members; nothing is filled
/// in. Header and payload are repeatable. The signature is not: ECDSA draws a new number each time.
public struct SignedDataIssuer: Sendable {
    /// Whose keys and certificates sign.
    public var authority: SigningAuthority

    /// Makes an issuer.
    public init(authority: SigningAuthority) { self.authority = authority }

    /// Issues a payload of any kind.
    ///
    /// - Parameters:
    ///   - payload: What it says.
    ///   - instant: When it is signed, in the place of the date that it states; nil leaves that.
    ///   - form: How it is signed; as the environment that it states does when nil.
    /// - Returns: The compact form: three segments of base64url with dots between them.
    /// - Throws: `issue.key_unusable`.
    public func issue(
        _ payload: some AppStoreObject,
        signedAt instant: Instant? = nil,
        form: SignedDataForm? = nil
    ) throws(SimulatorError) -> String {
        let object = Self.object(payload.object, signedAt: instant)
        return try sign(
            payload: JSONValue.object(object).document(),
            form: form ?? SignedDataForm.usual(of: Self.environment(of: object))
        )
    }

    /// Issues a notification with documents that are signed into it, in the same form.
    ///
    /// - Parameters:
    ///   - notification: What it says apart from them.
    ///   - nested: The documents in it; `data` and `appData` are made where a document needs them.
    ///   - instant: When all of it is signed, in the place of the dates that it states; nil leaves
    ///     those.
    ///   - form: How all of it is signed; as the environment that it states does when nil.
    /// - Returns: The `signedPayload`, of which the App Store posts the ``body(signedPayload:)``.
    /// - Throws: `issue.key_unusable`.
    public func issue(
        _ notification: ResponseBodyV2DecodedPayload,
        holding nested: NestedPayloads,
        signedAt instant: Instant? = nil,
        form: SignedDataForm? = nil
    ) throws(SimulatorError) -> String {
        var notification = notification
        let form = form ?? SignedDataForm.usual(of: notification.environment)
        if let transaction = nested.transaction {
            let text = try issue(transaction, signedAt: instant, form: form)
            notification.data = notification.data ?? .init()
            notification.data?.signedTransactionInfo = text
        }
        if let renewalInfo = nested.renewalInfo {
            let text = try issue(renewalInfo, signedAt: instant, form: form)
            notification.data = notification.data ?? .init()
            notification.data?.signedRenewalInfo = text
        }
        if let appTransaction = nested.appTransaction {
            let text = try issue(appTransaction, signedAt: instant, form: form)
            notification.appData = notification.appData ?? .init()
            notification.appData?.signedAppTransactionInfo = text
        }
        return try issue(notification, signedAt: instant, form: form)
    }

    /// Signs any bytes as if they were a payload.
    ///
    /// - Throws: `issue.key_unusable`.
    public func sign(
        payload: [UInt8],
        form: SignedDataForm = .appStore
    ) throws(SimulatorError) -> String {
        var draft = draft(payload, form)
        try draft.sign()
        return draft.text
    }

    /// What the App Store posts a notification or a retention request in.
    public static func body(signedPayload: String) -> [UInt8] {
        JSONValue.object(["signedPayload": .string(signedPayload)]).document()
    }

    /// The document with everything but its signature.
    func draft(_ payload: [UInt8], _ form: SignedDataForm) -> CompactDraft {
        let header = form.header(authority.chain(of: form.signer))
        return CompactDraft(
            header: JSONValue.object(header).document(),
            payload: payload,
            key: authority[form.signer].key
        )
    }
}

/// The documents that are signed into a notification.
public struct NestedPayloads: Hashable, Sendable {
    /// The transaction that it tells of, in `data`.
    public var transaction: JWSTransactionDecodedPayload?
    /// The state of the subscription's renewal, in `data`.
    public var renewalInfo: JWSRenewalInfoDecodedPayload?
    /// The app transaction of the customer, in `appData`.
    public var appTransaction: AppTransaction?

    /// Names the documents.
    public init(
        transaction: JWSTransactionDecodedPayload? = nil,
        renewalInfo: JWSRenewalInfoDecodedPayload? = nil,
        appTransaction: AppTransaction? = nil
    ) {
        self.transaction = transaction
        self.renewalInfo = renewalInfo
        self.appTransaction = appTransaction
    }
}

extension SignedDataIssuer {
    /// A payload that states another date of signing, in the member that its kind has for it.
    static func object(_ payload: JSONObject, signedAt instant: Instant?) -> JSONObject {
        guard let instant else { return payload }
        var payload = payload
        payload[signingDateKey(of: payload)] = JSONValue(instant.millisecondsSince1970)
        return payload
    }

    /// Where a payload says when it was signed.
    static func signingDateKey(of payload: JSONObject) -> String {
        SignedDataKind(of: payload) == .appTransaction ? "receiptCreationDate" : "signedDate"
    }

    /// The environment that a payload of any kind states.
    static func environment(of payload: JSONObject) -> StoreEnvironment? {
        let stated: JSONValue? =
            switch SignedDataKind(of: payload) {
            case .appTransaction: payload["receiptType"]
            case .notification:
                ["data", "summary", "appData"].lazy
                    .compactMap { payload[$0]?["environment"] }.first
            default: payload["environment"]
            }
        return stated?.string.map(StoreEnvironment.init(rawValue:))
    }
}
