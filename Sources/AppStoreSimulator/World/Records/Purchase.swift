public import AppStoreModel
public import CounterfoilBasics

/// One thing bought once, as the store's books have it: a subscription's period, or a one-time
/// purchase.
public struct Purchase: Hashable, Sendable {
    /// The transaction that it was bought under.
    public let number: TransactionNumber
    /// The product.
    public let productId: String
    /// What kind of product it was.
    public let type: InAppPurchaseType
    /// How many.
    public let quantity: Int64
    /// When it began to count.
    public let purchaseDate: Instant
    /// When the period ends; auto-renewables only.
    public internal(set) var expiresDate: Instant?
    /// Identifies a subscription's period across restores; auto-renewables only.
    public let lineItem: TransactionNumber?
    /// Whether somebody bought it or it renewed by itself.
    public let reason: TransactionReason
    /// What was paid for all of it.
    public let price: Price
    /// The offer that set the price.
    public let offer: AppliedOffer?
    /// The storefront that it was bought in.
    public let storefront: Storefront
    /// Which period of a commitment it is.
    public internal(set) var instalment: Instalment?
    /// That the store took it back.
    public internal(set) var revocation: Revocation?
    /// When a higher subscription took its place.
    public internal(set) var upgradedAt: Instant?
    /// Whether the app has said that it delivered it; a finished consumable is in no later receipt.
    public internal(set) var isFinished = false

    /// That the store took a purchase back, and how.
    public struct Revocation: Hashable, Sendable {
        /// Since when it counts no more.
        public let date: Instant
        /// Why it was refunded; nil where family access ended.
        public let reason: RevocationReason?
        /// In full, in part, or family access withdrawn.
        public let type: RevocationType
        /// How much of the price was given back.
        public let percentage: Millipercent?
    }

    /// Which period of how many a customer committed to.
    public struct Instalment: Hashable, Sendable {
        /// Counted from 1.
        public let number: Int
        /// How many there are.
        public let count: Int
        /// When the commitment ends.
        public let ends: Instant
        /// What all of them cost.
        public let price: Price

        var isLast: Bool { number >= count }

        /// The one after it.
        var next: Instalment {
            Instalment(number: number + 1, count: count, ends: ends, price: price)
        }
    }

    /// The instant at which it stops to count, as far as it is decided: its end, or that it was
    /// taken back or replaced before; nil for what never ends by itself.
    var end: Instant? {
        [expiresDate, revocation?.date, upgradedAt].compactMap(\.self).min()
    }
}

/// An offer as it was used for a purchase.
public struct AppliedOffer: Hashable, Sendable {
    /// The kind of offer.
    public let type: OfferType
    /// Which one; nil for introductory offers.
    public let id: String?
    /// How it is paid.
    public let mode: OfferDiscountType
    /// How long it lasts in all; nil for what was bought once.
    public let duration: CalendarPeriod?

    init(_ offer: Offer) {
        type = offer.type
        id = offer.id
        mode = offer.mode
        duration = offer.duration
    }
}
