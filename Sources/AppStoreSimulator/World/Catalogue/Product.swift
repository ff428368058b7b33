public import AppStoreModel

/// Something that an app sells, as App Store Connect knows it.
public struct Product: Hashable, Sendable {
    /// The product identifier.
    public let id: String
    /// What kind of product it is, with what that kind alone has.
    public var kind: Kind
    /// What it costs.
    public var prices: PriceList
    /// The offer codes of a product that is bought once; a subscription's offers are its plan's.
    public var codes: [Offer] = []
    /// Whether a family may share it; subscriptions and non-consumables only.
    public var isFamilyShareable = false
    /// Whether it can be bought and renewed.
    public var isForSale = true

    /// The four kinds of product.
    public enum Kind: Hashable, Sendable {
        /// Used up, and bought again.
        case consumable
        /// Bought once for ever.
        case nonConsumable
        /// A time that the App Store does not watch.
        case nonRenewing
        /// A period that renews by itself.
        case autoRenewable(Plan)
    }

    /// What an auto-renewable subscription is sold as.
    public struct Plan: Hashable, Sendable {
        /// The group, of whose subscriptions a customer has one at a time.
        public var group: SubscriptionGroup
        /// The rank in the group: 1 is the highest.
        public var level: Int
        /// How long a period is.
        public var period: CalendarPeriod
        /// What it may be bought for instead.
        public var offers: [Offer] = []
        /// How many periods a customer commits to, where each is paid by itself (Apple,
        /// "billingPlanType").
        public var commitment: Int?

        /// Describes a subscription.
        public init(
            group: SubscriptionGroup,
            level: Int = 1,
            period: CalendarPeriod,
            offers: [Offer] = []
        ) {
            self.group = group
            self.level = level
            self.period = period
            self.offers = offers
        }
    }

    /// Describes a product.
    public init(_ id: String, _ kind: Kind, prices: PriceList) {
        self.id = id
        self.kind = kind
        self.prices = prices
    }

    /// Describes a product that costs the same number everywhere.
    public init(_ id: String, _ kind: Kind, _ price: Price) {
        self.init(id, kind, prices: PriceList(price))
    }

    /// The subscription's plan; nil for other products.
    public var plan: Plan? {
        get { if case .autoRenewable(let plan) = kind { plan } else { nil } }
        set { if let newValue, plan != nil { kind = .autoRenewable(newValue) } }
    }

    /// What it may be bought for instead, by whoever names it.
    var namedOffers: [Offer] { (plan?.offers ?? codes).filter { $0.id != nil } }

    /// Apple's word for the kind.
    public var type: InAppPurchaseType {
        switch kind {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .nonRenewing: .nonRenewingSubscription
        case .autoRenewable: .autoRenewableSubscription
        }
    }
}

/// A subscription group of an app.
public struct SubscriptionGroup: Hashable, Sendable {
    /// The number that App Store Connect gave it, as text.
    public let id: String

    /// Names a group.
    public init(_ id: String) { self.id = id }
}

extension CalendarPeriod {
    /// One week.
    public static let week = CalendarPeriod(rawValue: "P1W")
    /// One month.
    public static let month = CalendarPeriod(rawValue: "P1M")
    /// One year.
    public static let year = CalendarPeriod(rawValue: "P1Y")
}
