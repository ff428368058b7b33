public import CounterfoilBasics
public import CounterfoilJSON

/// A notification of version 1 (Apple, "responseBodyV1"), which nobody signed.
///
/// It never holds the `password`, the app's shared secret, which vouches for it: see
/// ``decode(_:)``.
///
/// Apple has sent numbers and truth values in strings and not, and ids as numbers. All are read,
/// and what was read is written as it came; what is set is written as Apple does at present.
public struct ResponseBodyV1: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Takes an object that was read, after checking the types of all known members in it, and
    /// leaves its password out.
    ///
    /// - Throws: `JSONError` with the code `json.wrong_type`, which names the path of the member.
    public init(_ object: JSONObject) throws(JSONError) {
        self = try Self.decode(object).body
    }

    /// What happened.
    public var notificationType: NotificationTypeV1? {
        get { read("notification_type", as: SentWord<NotificationTypeV1>.self) }
        set { write("notification_type", newValue, as: SentWord<NotificationTypeV1>.self) }
    }

    /// The environment.
    ///
    /// Apple writes `PROD` for production, which is read as `Production`.
    public var environment: StoreEnvironment? {
        get { read("environment", as: SentEnvironment.self) }
        set { write("environment", newValue, as: SentEnvironment.self) }
    }

    /// The app's bundle identifier.
    public var bid: String? {
        get { read("bid", as: SentText.self) }
        set { write("bid", newValue, as: SentText.self) }
    }

    /// The app's CFBundleVersion.
    public var bvrs: String? {
        get { read("bvrs", as: SentText.self) }
        set { write("bvrs", newValue, as: SentText.self) }
    }

    /// The product of the next period.
    public var autoRenewProductId: String? {
        get { read("auto_renew_product_id", as: SentText.self) }
        set { write("auto_renew_product_id", newValue, as: SentText.self) }
    }

    /// The identifier of that product in the App Store.
    public var autoRenewAdamId: String? {
        get { read("auto_renew_adam_id", as: SentIdentifier.self) }
        set { write("auto_renew_adam_id", newValue, as: SentIdentifier.self) }
    }

    /// Whether the subscription will renew.
    public var autoRenewStatus: AutoRenewStatus? {
        get { read("auto_renew_status", as: SentRenewalWord.self) }
        set { write("auto_renew_status", newValue, as: SentRenewalWord.self) }
    }

    /// `auto_renew_status_change_date`, `_ms`, `_pst`: when renewal was turned on or off.
    public var autoRenewStatusChangeDate: Instant? {
        get { Self.autoRenewStatusChangeDateKeys.read(in: object) }
        set { Self.autoRenewStatusChangeDateKeys.write(newValue, to: &object) }
    }

    /// Why the subscription ended; nil while it has not.
    public var expirationIntent: ExpirationIntent? {
        get { read("expiration_intent", as: SentBareNumber<ExpirationIntent>.self) }
        set { write("expiration_intent", newValue, as: SentBareNumber<ExpirationIntent>.self) }
    }

    /// Identifies the subscription: its first transaction.
    public var originalTransactionId: String? {
        get { read("original_transaction_id", as: SentNumericIdentifier.self) }
        set { write("original_transaction_id", newValue, as: SentNumericIdentifier.self) }
    }

    /// The receipt and its transactions.
    public var unifiedReceipt: UnifiedReceipt? {
        get { read("unified_receipt") }
        set { write("unified_receipt", newValue) }
    }

    /// The date at which version 1 is deprecated, as text; since June 2023.
    public var deprecation: String? {
        get { read("deprecation", as: SentText.self) }
        set { write("deprecation", newValue, as: SentText.self) }
    }

    /// `cancellation_date`, `_ms`, `_pst`: when the purchase was refunded.
    public var cancellationDate: Instant? {
        get { Self.cancellationDateKeys.read(in: object) }
        set { Self.cancellationDateKeys.write(newValue, to: &object) }
    }

    /// Why it was refunded.
    public var cancellationReason: RevocationReason? {
        get { read("cancellation_reason", as: SentNumber<RevocationReason>.self) }
        set { write("cancellation_reason", newValue, as: SentNumber<RevocationReason>.self) }
    }

    /// Identifies the refunded period.
    public var webOrderLineItemId: String? {
        get { read("web_order_line_item_id", as: SentIdentifier.self) }
        set { write("web_order_line_item_id", newValue, as: SentIdentifier.self) }
    }

    /// An iOS 6-style transaction receipt in base 64; until March 2021.
    public var latestReceipt: String? {
        get { read("latest_receipt", as: SentText.self) }
        set { write("latest_receipt", newValue, as: SentText.self) }
    }

    /// The transaction of that receipt; until March 2021.
    public var latestReceiptInfo: ReceiptInfo? {
        get { read("latest_receipt_info") }
        set { write("latest_receipt_info", newValue) }
    }

    /// The same for a subscription that has ended; until March 2021.
    public var latestExpiredReceipt: String? {
        get { read("latest_expired_receipt", as: SentText.self) }
        set { write("latest_expired_receipt", newValue, as: SentText.self) }
    }

    /// The transaction of that receipt; until March 2021.
    public var latestExpiredReceiptInfo: ReceiptInfo? {
        get { read("latest_expired_receipt_info") }
        set { write("latest_expired_receipt_info", newValue) }
    }
}

extension ResponseBodyV1 {
    private static let autoRenewStatusChangeDateKeys = SentDate("auto_renew_status_change_date")
    private static let cancellationDateKeys = SentDate("cancellation_date")

    static let fields = FieldTable<Self>(
        dates: [autoRenewStatusChangeDateKeys, cancellationDateKeys],
        .init("notification_type", \.notificationType, as: SentWord<NotificationTypeV1>.self),
        .init("environment", \.environment, as: SentEnvironment.self),
        .init("bid", \.bid, as: SentText.self),
        .init("bvrs", \.bvrs, as: SentText.self),
        .init("auto_renew_product_id", \.autoRenewProductId, as: SentText.self),
        .init("auto_renew_adam_id", \.autoRenewAdamId, as: SentIdentifier.self),
        .init("auto_renew_status", \.autoRenewStatus, as: SentRenewalWord.self),
        .init("expiration_intent", \.expirationIntent, as: SentBareNumber<ExpirationIntent>.self),
        .init("original_transaction_id", \.originalTransactionId, as: SentNumericIdentifier.self),
        .init("unified_receipt", \.unifiedReceipt),
        .init("deprecation", \.deprecation, as: SentText.self),
        .init("cancellation_reason", \.cancellationReason, as: SentNumber<RevocationReason>.self),
        .init("web_order_line_item_id", \.webOrderLineItemId, as: SentIdentifier.self),
        .init("latest_receipt", \.latestReceipt, as: SentText.self),
        .init("latest_receipt_info", \.latestReceiptInfo),
        .init("latest_expired_receipt", \.latestExpiredReceipt, as: SentText.self),
        .init("latest_expired_receipt_info", \.latestExpiredReceiptInfo)
    )
}
