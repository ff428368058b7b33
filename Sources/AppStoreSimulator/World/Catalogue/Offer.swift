public import AppStoreModel

/// A lower price: for a while, to win or keep a subscriber, or once, for a product that is bought
/// once (Apple, "offerType").
public struct Offer: Hashable, Sendable {
    /// Who may have it: new, present or lapsed subscribers.
    public var type: OfferType
    /// Identifies it among the product's offers; of codes the reference name, of introductory
    /// offers nil.
    public var id: String?
    /// How it is paid.
    public var mode: OfferDiscountType
    /// How long it lasts in all, such as P3D or P3M; nil for products that are bought once.
    public var duration: CalendarPeriod?
    /// What it costs: each period where it is paid as one goes, the whole where it is paid up
    /// front, each piece of a product that is bought once; nil where it is a time without payment.
    public var prices: PriceList?

    private init(
        _ type: OfferType,
        _ id: String?,
        _ mode: OfferDiscountType,
        _ duration: CalendarPeriod?,
        _ prices: PriceList?
    ) {
        self.type = type
        self.id = id
        self.mode = mode
        self.duration = duration
        self.prices = prices
    }

    /// A time without payment.
    public static func freeTrial(
        _ type: OfferType = .introductory,
        _ id: String? = nil,
        for duration: CalendarPeriod
    ) -> Offer {
        Offer(type, id, .freeTrial, duration, nil)
    }

    /// A lower price in each of the plan's periods that the duration holds.
    public static func payAsYouGo(
        _ type: OfferType = .introductory,
        _ id: String? = nil,
        for duration: CalendarPeriod,
        _ prices: PriceList
    ) -> Offer {
        Offer(type, id, .payAsYouGo, duration, prices)
    }

    /// One price for the whole duration.
    public static func payUpFront(
        _ type: OfferType = .introductory,
        _ id: String? = nil,
        for duration: CalendarPeriod,
        _ prices: PriceList
    ) -> Offer {
        Offer(type, id, .payUpFront, duration, prices)
    }

    /// A code that lowers the price of a product that is bought once, perhaps to nothing.
    public static func oneTime(_ id: String, _ prices: PriceList) -> Offer {
        Offer(.code, id, .oneTime, nil, prices)
    }
}
