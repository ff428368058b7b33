public import CounterfoilBasics
public import CounterfoilJSON

/// The download of an app, as the App Store signs it (Apple, "AppTransaction").
public struct AppTransaction: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The environment, in the words of `environment`: `Sandbox`, never `ProductionSandbox`.
    public var receiptType: StoreEnvironment? {
        get { read("receiptType") }
        set { write("receiptType", newValue) }
    }

    /// The app's identifier in the App Store; 0 or absent outside production.
    public var appAppleId: Int64? {
        get { read("appAppleId") }
        set { write("appAppleId", newValue) }
    }

    /// The app's bundle identifier.
    public var bundleId: String? {
        get { read("bundleId") }
        set { write("bundleId", newValue) }
    }

    /// The app's CFBundleVersion.
    public var applicationVersion: String? {
        get { read("applicationVersion") }
        set { write("applicationVersion", newValue) }
    }

    /// Identifies the app's version; 0 or absent outside production.
    public var versionExternalIdentifier: Int64? {
        get { read("versionExternalIdentifier") }
        set { write("versionExternalIdentifier", newValue) }
    }

    /// When the App Store signed this; certificates are judged at it.
    public var receiptCreationDate: Instant? {
        get { read("receiptCreationDate") }
        set { write("receiptCreationDate", newValue) }
    }

    /// When the app was first bought or downloaded; 2013-08-01T07:00:00Z in the sandbox, the year 1
    /// in Xcode.
    public var originalPurchaseDate: Instant? {
        get { read("originalPurchaseDate") }
        set { write("originalPurchaseDate", newValue) }
    }

    /// The version first bought; `1.0` in the sandbox.
    public var originalApplicationVersion: String? {
        get { read("originalApplicationVersion") }
        set { write("originalApplicationVersion", newValue) }
    }

    /// Base 64 of a SHA-384 digest over the nonce and the device's identifier.
    public var deviceVerification: String? {
        get { read("deviceVerification") }
        set { write("deviceVerification", newValue) }
    }

    /// The UUID that went into it.
    public var deviceVerificationNonce: String? {
        get { read("deviceVerificationNonce") }
        set { write("deviceVerificationNonce", newValue) }
    }

    /// When the app was ordered before its release.
    public var preorderDate: Instant? {
        get { read("preorderDate") }
        set { write("preorderDate", newValue) }
    }

    /// Identifies this Apple account's download of this app; since 2025.
    public var appTransactionId: String? {
        get { read("appTransactionId") }
        set { write("appTransactionId", newValue) }
    }

    /// The platform that the app was first got on.
    public var originalPlatform: PurchasePlatform? {
        get { read("originalPlatform") }
        set { write("originalPlatform", newValue) }
    }

    /// When the document was asked for; seen in Xcode's only.
    public var requestDate: Instant? {
        get { read("requestDate") }
        set { write("requestDate", newValue) }
    }

    /// The kind of store the app came from.
    public var storeType: StoreType? {
        get { read("storeType") }
        set { write("storeType", newValue) }
    }
}

extension AppTransaction {
    static let fields = FieldTable<Self>(
        .init("receiptType", \.receiptType),
        .init("appAppleId", \.appAppleId),
        .init("bundleId", \.bundleId),
        .init("applicationVersion", \.applicationVersion),
        .init("versionExternalIdentifier", \.versionExternalIdentifier),
        .init("receiptCreationDate", \.receiptCreationDate),
        .init("originalPurchaseDate", \.originalPurchaseDate),
        .init("originalApplicationVersion", \.originalApplicationVersion),
        .init("deviceVerification", \.deviceVerification),
        .init("deviceVerificationNonce", \.deviceVerificationNonce),
        .init("preorderDate", \.preorderDate),
        .init("appTransactionId", \.appTransactionId),
        .init("originalPlatform", \.originalPlatform),
        .init("requestDate", \.requestDate),
        .init("storeType", \.storeType)
    )
}
