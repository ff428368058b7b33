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
    public var authority: SigningAuthority {
        didSet { headers = Self.headers(authority) }
    }

    /// The letters of each form's header, which are the same in every document.
    private var headers: [SignedDataForm: [UInt8]]

    /// Makes an issuer; keep one for many documents.
    public init(authority: SigningAuthority) {
        self.authority = authority
        headers = Self.headers(authority)
    }

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
        var document = SignedDocument(payload: payload.object)
        if let instant { document.sign(at: instant) }
        return try issue(document, form: form)
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
        var document = SignedDocument(payload: notification.object)
        document[.transaction] = nested.transaction?.object
        document[.renewalInfo] = nested.renewalInfo?.object
        document[.appTransaction] = nested.appTransaction?.object
        if let instant { document.sign(at: instant) }
        return try issue(document, form: form)
    }

    /// Signs any bytes as if they were a payload.
    ///
    /// - Throws: `issue.key_unusable`.
    public func sign(
        payload: [UInt8],
        form: SignedDataForm = .appStore
    ) throws(SimulatorError) -> String {
        var text = headers[form] ?? []
        text.append(UInt8(ascii: "."))
        Base64.append(payload.span, .urlSafe, to: &text)
        let signature = try authority[form.signer].key.signPlain(text.span, .sha256)
        text.append(UInt8(ascii: "."))
        Base64.append(signature.span, .urlSafe, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func headers(_ authority: SigningAuthority) -> [SignedDataForm: [UInt8]] {
        var headers: [SignedDataForm: [UInt8]] = [:]
        for form in SignedDataForm.allCases {
            let header = JSONValue.object(form.header(authority.chain(of: form.signer)))
            Base64.append(header.document().span, .urlSafe, to: &headers[form, default: []])
        }
        return headers
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
