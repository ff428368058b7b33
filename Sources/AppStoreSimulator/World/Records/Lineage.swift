public import AppStoreModel
public import CounterfoilBasics

/// Everything that was bought under one original transaction, as the store's books have it: a
/// subscription with all its periods, or one one-time purchase.
public struct Lineage: Hashable, Sendable {
    /// The number of its first transaction.
    public let original: TransactionNumber
    /// Whose it is.
    public let account: AppleAccount.ID
    /// The app.
    public let bundleId: String
    /// Bought, or shared by the family.
    public let ownership: InAppOwnershipType
    /// The subscription group; nil for one-time purchases.
    public let group: SubscriptionGroup?
    /// What was bought, in that order; never empty.
    public internal(set) var purchases: [Purchase]
    /// What will become of it; auto-renewables only.
    public internal(set) var renewal: Renewal?
    /// The failures of its payments, in their order; the last may still go on.
    public internal(set) var billingFailures: [BillingFailure] = []
    /// The UUID with which the app marked it as one of its accounts'.
    public internal(set) var appAccountToken: String?
    /// The date of the newest document that tells of it.
    var lastSigned: Instant
    /// Counts changes, so that what was due before one is known to be out of date.
    var revision = 0
    /// The lineage of the family member who pays; nil for whoever bought.
    var follows: Following?
    /// The lineages of family members that go as this one does.
    var followers: [Int] = []

    /// How a family member's lineage goes with that of the one who pays.
    struct Following: Hashable, Sendable {
        /// The lineage of the one who pays.
        let original: TransactionNumber
        /// Which of its purchases is the member's first.
        let offset: Int
        /// Whether the member left, or was left.
        var isOver = false
    }

    /// The newest purchase.
    public var newest: Purchase { purchases[purchases.count - 1] }

    /// The failure that goes on.
    public var billingFailure: BillingFailure? {
        guard let last = billingFailures.last, last.end == nil else { return nil }
        return last
    }

    /// The purchase that counts at an instant: of those begun by then the newest, if it has not
    /// ended.
    func open(at instant: Instant) -> Purchase? {
        let begun = purchases.last { $0.purchaseDate <= instant }
        guard let begun else { return nil }
        if let end = begun.end, end <= instant { return nil }
        return begun
    }

    /// Whether the customer has the subscription at an instant or it is being recovered.
    func isAlive(at instant: Instant) -> Bool {
        open(at: instant) != nil || billingFailure != nil
    }
}

/// What will become of a subscription.
public struct Renewal: Hashable, Sendable {
    /// Whether it will renew.
    public internal(set) var isOn = true
    /// The product of the next period.
    public internal(set) var productId: String
    /// The offer that goes on or begins with the next period, and for how many periods.
    public internal(set) var offer: PendingOffer?
    /// Why it ended; nil until then.
    public internal(set) var expirationIntent: ExpirationIntent?
    /// That the price of the next period is higher.
    public internal(set) var priceIncrease: PriceIncrease?
    /// The price that was agreed on, which stays when new subscribers pay another; the product's own
    /// when nil, which it is while a change of plan is scheduled.
    public internal(set) var price: Price?
    /// How many renewals are left in an environment that limits them.
    public internal(set) var renewalsLeft: Int?
    /// The start of the run of paid service.
    public internal(set) var recentStart: Instant
    /// The periods without a gap between them, by which the next end is found.
    var run: PeriodRun
    /// The dates of extensions, of which only two are possible in a year.
    var extensions: [Instant] = []
    /// Whether a commitment begins anew at its end; instalments go on to that end in any case.
    var renewsCommitment = true
    /// When the price was last raised without consent, which can be once a year.
    var lastRaisedWithoutConsent: Instant?
    /// Whether the next period was tried to be charged before this one ended, in vain.
    var isChargeTried = false
    /// What was agreed on of the present product, while a change of plan is scheduled.
    var setAside: Agreement?

    /// A price that was agreed on, and one that may take its place.
    struct Agreement: Hashable, Sendable {
        let price: Price?
        let increase: PriceIncrease?
    }

    /// An offer for periods to come.
    public struct PendingOffer: Hashable, Sendable {
        /// The offer.
        public let offer: AppliedOffer
        /// What each of them costs.
        public let price: Price
        /// How many are left.
        public internal(set) var periods: Int
    }

    /// A price increase that the customer knows of.
    public struct PriceIncrease: Hashable, Sendable {
        /// The price to come.
        public let price: Price
        /// Whether the customer must agree to it.
        public let needsConsent: Bool
        /// Whether the customer has.
        public internal(set) var isAccepted: Bool
    }

    /// What the next period costs without an offer.
    func regularPrice(of product: Product, in storefront: Storefront) -> Price {
        priceIncrease?.price ?? price ?? product.prices[storefront]
    }

    /// Another product takes the place of the present one at the next renewal, for its own price.
    mutating func schedule(_ product: String, _ offer: PendingOffer?, inPlaceOf present: String) {
        if productId == present { setAside = Agreement(price: price, increase: priceIncrease) }
        productId = product
        self.offer = offer
        price = nil
        priceIncrease = nil
    }

    /// The present product goes on as it was agreed on; the offer that was to come with another one
    /// is none of its own.
    mutating func undoPlanChange(to present: String) {
        productId = present
        offer = nil
        price = setAside?.price
        priceIncrease = setAside?.increase
        setAside = nil
    }
}

/// A time in which a subscription's payment failed.
public struct BillingFailure: Hashable, Sendable {
    /// When the payment was due: the end of the last period that was paid.
    public let begin: Instant
    /// Until when access is kept; nil without a grace period.
    public let graceEnd: Instant?
    /// Until when the store tries.
    public let retryEnd: Instant
    /// When it was over, for whatever reason; nil while it goes on.
    public internal(set) var end: Instant?
    /// Whether it was told that access is kept no longer.
    var isGraceTold = false

    /// Whether access is kept at an instant.
    func isInGrace(at instant: Instant) -> Bool {
        guard let graceEnd, begin <= instant, instant < graceEnd else { return false }
        return end.map { instant < $0 } ?? true
    }
}
