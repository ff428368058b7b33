public import CounterfoilBasics
public import CounterfoilJSON

/// What the App Store asks when a customer is about to cancel (Apple,
/// "DecodedRealtimeRequestBody").
///
/// It names the app by its number only, not by its bundle identifier.
public struct DecodedRealtimeRequestBody: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Identifies the subscription that the customer is about to cancel.
    public var originalTransactionId: String? {
        get { read("originalTransactionId") }
        set { write("originalTransactionId", newValue) }
    }

    /// The app's identifier in the App Store.
    public var appAppleId: Int64? {
        get { read("appAppleId") }
        set { write("appAppleId", newValue) }
    }

    /// The product of the subscription.
    public var productId: String? {
        get { read("productId") }
        set { write("productId", newValue) }
    }

    /// The customer's language and region: `en-US`.
    public var userLocale: String? {
        get { read("userLocale") }
        set { write("userLocale", newValue) }
    }

    /// The UUID of this request.
    public var requestIdentifier: String? {
        get { read("requestIdentifier") }
        set { write("requestIdentifier", newValue) }
    }

    /// The environment of the subscription.
    public var environment: StoreEnvironment? {
        get { read("environment") }
        set { write("environment", newValue) }
    }

    /// When the App Store signed this; certificates are judged at it.
    public var signedDate: Instant? {
        get { read("signedDate") }
        set { write("signedDate", newValue) }
    }
}

extension DecodedRealtimeRequestBody {
    static let fields = FieldTable<Self>(
        .init("originalTransactionId", \.originalTransactionId),
        .init("appAppleId", \.appAppleId),
        .init("productId", \.productId),
        .init("userLocale", \.userLocale),
        .init("requestIdentifier", \.requestIdentifier),
        .init("environment", \.environment),
        .init("signedDate", \.signedDate)
    )
}
