/// The environment that a purchase was made in, as Apple names it.
///
/// An open set: a value that Apple adds later survives as its raw text.
public struct StoreEnvironment: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes an environment from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store that real customers pay in.
    public static let production = StoreEnvironment(rawValue: "Production")
    /// Sandbox Apple accounts, TestFlight and App Review.
    public static let sandbox = StoreEnvironment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode; signed on the developer's own machine.
    public static let xcode = StoreEnvironment(rawValue: "Xcode")
    /// Documents that Apple's libraries make for tests; nobody signs them.
    public static let localTesting = StoreEnvironment(rawValue: "LocalTesting")
}

/// What kind of store an app receipt comes from: receipt attribute 0, JSON `receipt_type`.
public struct ReceiptType: RawRepresentable, Hashable, Sendable {
    /// Apple's word.
    public let rawValue: String

    /// Makes a receipt type from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An app from the App Store.
    public static let production = ReceiptType(rawValue: "Production")
    /// An app of the Volume Purchase Program.
    public static let productionVPP = ReceiptType(rawValue: "ProductionVPP")
    /// An app in the sandbox.
    public static let productionSandbox = ReceiptType(rawValue: "ProductionSandbox")
    /// A Volume Purchase Program app in the sandbox.
    public static let productionVPPSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")
    /// StoreKit testing in Xcode.
    public static let xcode = ReceiptType(rawValue: "Xcode")

    /// Whether this is one of the five types that are known.
    public var isKnown: Bool {
        [.production, .productionVPP, .productionSandbox, .productionVPPSandbox, .xcode]
            .contains(self)
    }

    /// The environment this type belongs to.
    ///
    /// Only `Production` and `ProductionVPP` count as production; a type nobody knows yet is
    /// answered as sandbox, so that it never opens anything in production by itself.
    public var environment: StoreEnvironment {
        switch self {
        case .production, .productionVPP: .production
        case .xcode: .xcode
        default: .sandbox
        }
    }
}

/// The kind of an in-app product: receipt attribute 1707 (not in Apple's public table).
public struct ProductType: RawRepresentable, Hashable, Sendable {
    /// The number in the receipt.
    public let rawValue: Int64

    /// Makes a product type from the number in the receipt.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Bought once, kept for ever.
    public static let nonConsumable = ProductType(rawValue: 0)
    /// Bought again and again; listed until it is finished.
    public static let consumable = ProductType(rawValue: 1)
    /// A subscription that does not renew by itself.
    public static let nonRenewingSubscription = ProductType(rawValue: 2)
    /// A subscription that renews by itself.
    public static let autoRenewableSubscription = ProductType(rawValue: 3)
    /// A free subscription of the former Newsstand.
    public static let freeSubscription = ProductType(rawValue: 4)
}
