/// What happened, in a notification of version 1 (Apple, "notification_type"); an open set.
public struct NotificationTypeV1: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription was bought for the first time.
    public static let initialBuy = NotificationTypeV1(rawValue: "INITIAL_BUY")
    /// A subscription was renewed.
    public static let didRenew = NotificationTypeV1(rawValue: "DID_RENEW")
    /// A payment that had failed was made.
    public static let didRecover = NotificationTypeV1(rawValue: "DID_RECOVER")
    /// The old name of DID_RECOVER, until March 2021.
    public static let renewal = NotificationTypeV1(rawValue: "RENEWAL")
    /// The customer renewed by hand after the end, or upgraded.
    public static let interactiveRenewal = NotificationTypeV1(rawValue: "INTERACTIVE_RENEWAL")
    /// The product of the next period was changed.
    public static let didChangeRenewalPref = NotificationTypeV1(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Renewal was turned on or off.
    public static let didChangeRenewalStatus = NotificationTypeV1(
        rawValue: "DID_CHANGE_RENEWAL_STATUS"
    )
    /// A payment failed.
    public static let didFailToRenew = NotificationTypeV1(rawValue: "DID_FAIL_TO_RENEW")
    /// Apple's support cancelled and refunded a subscription.
    public static let cancel = NotificationTypeV1(rawValue: "CANCEL")
    /// A purchase that is no auto-renewable subscription was refunded.
    public static let refund = NotificationTypeV1(rawValue: "REFUND")
    /// Access through family sharing was withdrawn.
    public static let revoke = NotificationTypeV1(rawValue: "REVOKE")
    /// Consent to a higher price was asked for.
    public static let priceIncreaseConsent = NotificationTypeV1(rawValue: "PRICE_INCREASE_CONSENT")
    /// The App Store asks what was consumed, to decide on a refund.
    public static let consumptionRequest = NotificationTypeV1(rawValue: "CONSUMPTION_REQUEST")
}
