public import AppStoreModel
public import CounterfoilBasics

/// A purchase with everything that documents tell of it, as the store's books had it at one
/// instant.
public struct PurchaseRecord: Hashable, Sendable {
    /// Everything bought under the same original transaction.
    public let lineage: Lineage
    /// Which of its purchases it is about.
    let index: Int
    /// The account as it was then.
    public let account: AppleAccount
    /// The app as it was then.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// When it was looked at.
    public let at: Instant
    /// The date of documents that tell of it: no two of a lineage have the same.
    public let signedDate: Instant
    /// Why a refund was asked for, where one was.
    public internal(set) var consumptionRequestReason: ConsumptionRequestReason?

    /// The purchase.
    public var purchase: Purchase { lineage.purchases[index] }
}

/// A customer's download of an app, as the store's books had it at one instant.
public struct DownloadRecord: Hashable, Sendable {
    /// The account as it was then.
    public let account: AppleAccount
    /// The app as it was then.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// The date of documents that tell of it.
    public let signedDate: Instant
}

/// An app, as the store's books had it at one instant.
public struct AppRecord: Hashable, Sendable {
    /// The app as it was then.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// The date of documents that tell of it.
    public let signedDate: Instant
    /// What became of moving the ends of all periods of a product.
    public internal(set) var extensionSummary: ExtensionSummary?
    /// The token of a purchase outside of the App Store.
    public internal(set) var externalPurchaseToken: ExternalPurchaseToken?

    /// What became of moving the ends of all periods of a product.
    public struct ExtensionSummary: Hashable, Sendable {
        /// The identifier that the developer gave.
        public let requestIdentifier: String
        /// The product.
        public let productId: String
        /// The storefronts, by ISO 3166-1 alpha-3; nil for all.
        public let storefronts: [String]?
        /// How many were moved.
        public let succeeded: Int64
        /// How many could not be moved.
        public let failed: Int64
    }

    /// The token of a purchase outside of the App Store.
    public struct ExternalPurchaseToken: Hashable, Sendable {
        /// Identifies it; begins with SANDBOX there.
        public let id: String
        /// When it was made.
        public let date: Instant
    }
}
