/// What happened, in a notification of version 2 (Apple, "notificationType"); an open set.
///
/// What each means together with its subtype says `NotificationLabel`.
public struct NotificationTypeV2: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription began, for the first time or again.
    public static let subscribed = NotificationTypeV2(rawValue: "SUBSCRIBED")
    /// A subscription was renewed.
    public static let didRenew = NotificationTypeV2(rawValue: "DID_RENEW")
    /// The product of the subscription was changed, now or for the next period.
    public static let didChangeRenewalPref = NotificationTypeV2(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Renewal was turned on or off.
    public static let didChangeRenewalStatus = NotificationTypeV2(
        rawValue: "DID_CHANGE_RENEWAL_STATUS"
    )
    /// An offer was redeemed on an active subscription.
    public static let offerRedeemed = NotificationTypeV2(rawValue: "OFFER_REDEEMED")
    /// A payment failed.
    public static let didFailToRenew = NotificationTypeV2(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period ended without a payment.
    public static let gracePeriodExpired = NotificationTypeV2(rawValue: "GRACE_PERIOD_EXPIRED")
    /// A subscription ended.
    public static let expired = NotificationTypeV2(rawValue: "EXPIRED")
    /// Consent to a higher price was asked for or given.
    public static let priceIncrease = NotificationTypeV2(rawValue: "PRICE_INCREASE")
    /// A purchase was refunded.
    public static let refund = NotificationTypeV2(rawValue: "REFUND")
    /// A refund that the customer asked for was declined.
    public static let refundDeclined = NotificationTypeV2(rawValue: "REFUND_DECLINED")
    /// A refund was taken back: the purchase counts again.
    public static let refundReversed = NotificationTypeV2(rawValue: "REFUND_REVERSED")
    /// Access through family sharing was withdrawn.
    public static let revoke = NotificationTypeV2(rawValue: "REVOKE")
    /// The App Store asks what was consumed, to decide on a refund.
    public static let consumptionRequest = NotificationTypeV2(rawValue: "CONSUMPTION_REQUEST")
    /// A subscription's renewal date was extended.
    public static let renewalExtended = NotificationTypeV2(rawValue: "RENEWAL_EXTENDED")
    /// An extension for all subscribers ended, or failed for one.
    public static let renewalExtension = NotificationTypeV2(rawValue: "RENEWAL_EXTENSION")
    /// Something that is no auto-renewable subscription was bought.
    public static let oneTimeCharge = NotificationTypeV2(rawValue: "ONE_TIME_CHARGE")
    /// A token for purchases outside the App Store was made or is not reported.
    public static let externalPurchaseToken = NotificationTypeV2(
        rawValue: "EXTERNAL_PURCHASE_TOKEN"
    )
    /// The developer changed a subscription's metadata (Advanced Commerce).
    public static let metadataUpdate = NotificationTypeV2(rawValue: "METADATA_UPDATE")
    /// The developer migrated a subscription (Advanced Commerce).
    public static let migration = NotificationTypeV2(rawValue: "MIGRATION")
    /// The developer changed a subscription's price (Advanced Commerce).
    public static let priceChange = NotificationTypeV2(rawValue: "PRICE_CHANGE")
    /// A parent or guardian rescinded the consent to a child's use of the app.
    public static let rescindConsent = NotificationTypeV2(rawValue: "RESCIND_CONSENT")
    /// The developer asked for a test.
    public static let test = NotificationTypeV2(rawValue: "TEST")
}
