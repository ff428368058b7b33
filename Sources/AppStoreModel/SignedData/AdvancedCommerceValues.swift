/// Why an item was refunded (Apple, "refundReason"); an open set.
public struct AdvancedCommerceRefundReason: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer did not mean to buy it.
    public static let unintendedPurchase = AdvancedCommerceRefundReason(
        rawValue: "UNINTENDED_PURCHASE"
    )
    /// The customer did not receive it, or not as it should be.
    public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer was not satisfied.
    public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE"
    )
    /// A legal reason.
    public static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
    /// Another reason.
    public static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
    /// The items of a subscription were changed.
    public static let modifyItemsRefund = AdvancedCommerceRefundReason(
        rawValue: "MODIFY_ITEMS_REFUND"
    )
    /// Asks the sandbox to decline the refund.
    public static let simulateRefundDecline = AdvancedCommerceRefundReason(
        rawValue: "SIMULATE_REFUND_DECLINE"
    )
}

/// How much of an item was refunded (Apple, "refundType"); an open set.
public struct AdvancedCommerceRefundType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All of it.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// The part that was not used.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// An amount that the developer named.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")
}

/// What an offer is for (Apple, "reason"); an open set.
public struct AdvancedCommerceOfferReason: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To gain a customer.
    public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    /// To win a former customer back.
    public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    /// To keep a customer.
    public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")
}

/// How far a higher price of an item has come (Apple, "status"); an open set.
public struct AdvancedCommercePriceIncreaseStatus: RawRepresentable, Hashable, Sendable,
    OpenFieldValue
{
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It will take effect.
    public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    /// Consent was asked for and not given yet.
    public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    /// The customer consented.
    public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")
}
