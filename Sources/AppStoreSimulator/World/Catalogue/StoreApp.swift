/// An app as App Store Connect knows it: what it sells, and how its store is set.
public struct StoreApp: Hashable, Sendable {
    /// The bundle identifier.
    public let bundleId: String
    /// The app's Apple ID, which production documents name.
    public let appAppleId: Int64
    /// CFBundleVersion of the version on sale.
    public var version = "1"
    /// What it sells, by product identifier.
    public private(set) var products: [String: Product] = [:]
    /// How long access is kept while a payment fails.
    public var gracePeriod: GracePeriod?
    /// The shared secret, which notifications of version 1 hold.
    public var sharedSecret: String?
    /// The versions of notifications that its server is sent.
    public var notificationVersions: Set<NotificationVersion> = [.v2]

    /// Describes an app.
    public init(bundleId: String, appAppleId: Int64, products: [Product] = []) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        for product in products { self.products[product.id] = product }
    }

    /// A product, by its identifier; setting one adds or replaces it.
    public subscript(productId: String) -> Product? {
        get { products[productId] }
        set { products[productId] = newValue }
    }

    /// The products of a subscription group, the highest level first.
    func products(in group: SubscriptionGroup) -> [Product] {
        products.values
            .filter { $0.plan?.group == group }
            .sorted { ($0.plan?.level ?? 0, $0.id) < ($1.plan?.level ?? 0, $1.id) }
    }
}

/// A version of App Store Server Notifications.
public enum NotificationVersion: String, Hashable, Sendable, CaseIterable {
    /// Unsigned, with a shared secret; deprecated.
    case v1
    /// Signed.
    case v2
}

/// The billing grace period of an app (App Store Connect Help, "Enable Billing Grace Period").
public struct GracePeriod: Hashable, Sendable {
    /// The lengths that can be chosen, by their days for monthly subscriptions.
    public enum Length: Int, Hashable, Sendable, CaseIterable {
        /// Three days for all subscriptions.
        case threeDays = 3
        /// Sixteen days; six for weekly subscriptions.
        case sixteenDays = 16
        /// Twenty-eight days; six for weekly subscriptions.
        case twentyEightDays = 28
    }

    /// Which renewals it is for.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Every renewal.
        case allRenewals = "ALL_RENEWALS"
        /// Renewals of periods that were paid for, so not the first after a free trial.
        case paidToPaidOnly = "PAID_TO_PAID_ONLY"
    }

    /// How long it is.
    public var length: Length
    /// Which renewals it is for.
    public var scope: Scope

    /// Describes a grace period.
    public init(_ length: Length, _ scope: Scope = .allRenewals) {
        self.length = length
        self.scope = scope
    }
}
