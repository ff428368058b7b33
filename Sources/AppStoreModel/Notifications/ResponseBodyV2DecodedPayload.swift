public import CounterfoilBasics
public import CounterfoilJSON

/// A notification of version 2, as the App Store signs it (Apple, "responseBodyV2DecodedPayload").
///
/// Unknown types and subtypes, a new version and a new kind of content are all read, because a
/// notification that is refused is lost.
public struct ResponseBodyV2DecodedPayload: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// What happened.
    public var notificationType: NotificationTypeV2? {
        get { read("notificationType") }
        set { write("notificationType", newValue) }
    }

    /// What it was more precisely; many types have none.
    public var subtype: Subtype? {
        get { read("subtype") }
        set { write("subtype", newValue) }
    }

    /// The app and its signed documents, of all that is about one customer.
    public var data: Data? {
        get { read("data") }
        set { write("data", newValue) }
    }

    /// The outcome of an extension for all subscribers.
    public var summary: Summary? {
        get { read("summary") }
        set { write("summary", newValue) }
    }

    /// A token for purchases outside the App Store.
    public var externalPurchaseToken: ExternalPurchaseToken? {
        get { read("externalPurchaseToken") }
        set { write("externalPurchaseToken", newValue) }
    }

    /// The app and its signed app transaction, when consent was rescinded.
    public var appData: AppData? {
        get { read("appData") }
        set { write("appData", newValue) }
    }

    /// The format's version: `2.0`.
    public var version: String? {
        get { read("version") }
        set { write("version", newValue) }
    }

    /// When the App Store signed this; certificates are judged at it.
    ///
    /// The order of notifications is the order of these dates, not that of their arrival.
    public var signedDate: Instant? {
        get { read("signedDate") }
        set { write("signedDate", newValue) }
    }

    /// Identifies the notification; the same when it is sent again.
    public var notificationUUID: String? {
        get { read("notificationUUID") }
        set { write("notificationUUID", newValue) }
    }
}

extension ResponseBodyV2DecodedPayload {
    static let fields = FieldTable<Self>(
        .init("notificationType", \.notificationType),
        .init("subtype", \.subtype),
        .init("data", \.data),
        .init("summary", \.summary),
        .init("externalPurchaseToken", \.externalPurchaseToken),
        .init("appData", \.appData),
        .init("version", \.version),
        .init("signedDate", \.signedDate),
        .init("notificationUUID", \.notificationUUID)
    )
}
