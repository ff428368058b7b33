public import CounterfoilJSON

/// The receipt in a notification of version 1 (Apple, "unified_receipt").
///
/// It is Apple's word only as far as `latestReceipt` proves it.
public struct UnifiedReceipt: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The environment; here production is `Production`.
    public var environment: StoreEnvironment? {
        get { read("environment", as: SentWord<StoreEnvironment>.self) }
        set { write("environment", newValue, as: SentWord<StoreEnvironment>.self) }
    }

    /// The latest 100 transactions, in no certain order.
    public var latestReceiptInfo: [LatestReceiptInfo]? {
        get { read("latest_receipt_info") }
        set { write("latest_receipt_info", newValue) }
    }

    /// How each subscription will renew.
    public var pendingRenewalInfo: [PendingRenewalInfo]? {
        get { read("pending_renewal_info") }
        set { write("pending_renewal_info", newValue) }
    }

    /// The app receipt, signed by itself, in base 64.
    public var latestReceipt: String? {
        get { read("latest_receipt", as: SentText.self) }
        set { write("latest_receipt", newValue, as: SentText.self) }
    }

    /// 0.
    ///
    /// A word in its place is kept and read as nil.
    public var status: VerifyReceiptStatus? {
        get { read("status", as: SentStatus.self) }
        set { write("status", newValue, as: SentStatus.self) }
    }
}

extension UnifiedReceipt {
    static let fields = FieldTable<Self>(
        .init("environment", \.environment, as: SentWord<StoreEnvironment>.self),
        .init("latest_receipt_info", \.latestReceiptInfo),
        .init("pending_renewal_info", \.pendingRenewalInfo),
        .init("latest_receipt", \.latestReceipt, as: SentText.self),
        .init("status", \.status, as: SentStatus.self)
    )
}
