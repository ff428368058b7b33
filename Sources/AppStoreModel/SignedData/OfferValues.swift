/// What kind of offer a price comes from (Apple, "offerType"); an open set.
public struct OfferType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// An introductory offer.
    public static let introductory = OfferType(rawValue: 1)
    /// A promotional offer, which the app's server signs.
    public static let promotional = OfferType(rawValue: 2)
    /// An offer code.
    public static let code = OfferType(rawValue: 3)
    /// A win-back offer.
    public static let winBack = OfferType(rawValue: 4)
}

/// How an offer is paid (Apple, "offerDiscountType"); an open set.
public struct OfferDiscountType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is paid.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// A lower price each period.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// One payment for the whole offer.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// One payment for a product that is no subscription.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")
}
