/// What happened more precisely, in a notification of version 2 (Apple, "subtype"); an open set.
public struct Subtype: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first subscription in the group.
    public static let initialBuy = Subtype(rawValue: "INITIAL_BUY")
    /// Subscribed again after the end.
    public static let resubscribe = Subtype(rawValue: "RESUBSCRIBE")
    /// A payment that had failed was made.
    public static let billingRecovery = Subtype(rawValue: "BILLING_RECOVERY")
    /// To a higher level, at once.
    public static let upgrade = Subtype(rawValue: "UPGRADE")
    /// To a lower level, at the next renewal.
    public static let downgrade = Subtype(rawValue: "DOWNGRADE")
    /// Renewal was turned on.
    public static let autoRenewEnabled = Subtype(rawValue: "AUTO_RENEW_ENABLED")
    /// Renewal was turned off.
    public static let autoRenewDisabled = Subtype(rawValue: "AUTO_RENEW_DISABLED")
    /// Access is kept until the grace period ends.
    public static let gracePeriod = Subtype(rawValue: "GRACE_PERIOD")
    /// The customer had turned renewal off.
    public static let voluntary = Subtype(rawValue: "VOLUNTARY")
    /// The App Store gave up on a failed payment.
    public static let billingRetry = Subtype(rawValue: "BILLING_RETRY")
    /// The customer did not consent to a higher price.
    public static let priceIncrease = Subtype(rawValue: "PRICE_INCREASE")
    /// The product was not for sale.
    public static let productNotForSale = Subtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// Consent was asked for and not given yet.
    public static let pending = Subtype(rawValue: "PENDING")
    /// The customer consented, or was told where no consent is needed.
    public static let accepted = Subtype(rawValue: "ACCEPTED")
    /// The extension ended for all.
    public static let summary = Subtype(rawValue: "SUMMARY")
    /// The extension failed for one subscription.
    public static let failure = Subtype(rawValue: "FAILURE")
    /// A token was made, and no report about it arrived.
    public static let unreported = Subtype(rawValue: "UNREPORTED")
    /// A token was made.
    public static let created = Subtype(rawValue: "CREATED")
    /// A token is still active.
    public static let activeTokenReminder = Subtype(rawValue: "ACTIVE_TOKEN_REMINDER")
}
