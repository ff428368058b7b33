/// The platform that an app was first got on (Apple, "originalPlatform"); an open set.
public struct PurchasePlatform: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// iPhone and iPad.
    public static let iOS = PurchasePlatform(rawValue: "iOS")
    /// Mac.
    public static let macOS = PurchasePlatform(rawValue: "macOS")
    /// Apple TV.
    public static let tvOS = PurchasePlatform(rawValue: "tvOS")
    /// Apple Vision Pro.
    public static let visionOS = PurchasePlatform(rawValue: "visionOS")
}

/// The kind of store an app came from (Apple, "storeType"); an open set.
public struct StoreType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store for everybody.
    public static let consumer = StoreType(rawValue: "CONSUMER")
}
