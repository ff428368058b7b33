/// What a notification of either version tells, in one stable word of ours.
///
/// Version 1 and version 2 have the same word for the same happening. What nobody knows yet is
/// ``unknown``; Apple's own words stay in the notification. docs/NOTIFICATIONS.md lists all.
public struct NotificationLabel: RawRepresentable, Hashable, Sendable {
    /// The word, in small letters and hyphens; words are never renamed, new ones may come.
    public let rawValue: String

    /// Makes a label from a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A type or a subtype that nobody knows yet.
    public static let unknown = NotificationLabel(rawValue: "unknown")

    /// The label of a type and a subtype of version 2.
    public init(_ type: NotificationTypeV2?, _ subtype: Subtype?) {
        self = Self.labels[Happening(type: type, subtype: subtype)] ?? .unknown
    }

    /// The label of a notification of version 2.
    public init(_ notification: ResponseBodyV2DecodedPayload) {
        self.init(notification.notificationType, notification.subtype)
    }

    /// The label of a notification of version 1: that of what version 2 would have said.
    public init(_ notification: ResponseBodyV1) {
        self.init(notification.equivalentType, notification.equivalentSubtype)
    }

    /// What happened, in one sentence for a person.
    public var sentence: String {
        Self.sentences[self] ?? "Something happened that is not known here."
    }
}

extension NotificationLabel {
    /// A row of the table: what Apple says, and what we call it.
    package struct Row: Sendable {
        /// The type of version 2.
        package let type: NotificationTypeV2
        /// The subtype, or none.
        package let subtype: Subtype?
        /// Our label.
        package let label: NotificationLabel
        /// The label's sentence.
        package let sentence: String

        fileprivate init(
            _ type: NotificationTypeV2,
            _ subtype: Subtype?,
            _ label: String,
            _ sentence: String
        ) {
            self.type = type
            self.subtype = subtype
            self.label = NotificationLabel(rawValue: label)
            self.sentence = sentence
        }
    }

    private struct Happening: Hashable {
        let type: NotificationTypeV2?
        let subtype: Subtype?
    }

    private static let labels = Dictionary(
        uniqueKeysWithValues: table.map {
            (Happening(type: $0.type, subtype: $0.subtype), $0.label)
        }
    )

    private static let sentences = Dictionary(
        table.map { ($0.label, $0.sentence) },
        uniquingKeysWith: { first, _ in first }
    )
}

extension NotificationLabel {
    /// Every type and subtype of version 2 that is known.
    package static let table: [Row] = [
        Row(
            .subscribed,
            .initialBuy,
            "subscribed",
            "The customer subscribed for the first time in the group."
        ),
        Row(
            .subscribed,
            .resubscribe,
            "resubscribed",
            "The customer subscribed again after the subscription had ended."
        ),
        Row(
            .offerRedeemed,
            .initialBuy,
            "subscribed",
            "The customer subscribed for the first time in the group."
        ),
        Row(
            .offerRedeemed,
            .resubscribe,
            "resubscribed",
            "The customer subscribed again after the subscription had ended."
        ),
        Row(
            .didRenew,
            nil,
            "renewed",
            "The subscription was renewed for another period."
        ),
        Row(
            .didRenew,
            .billingRecovery,
            "renewal-recovered",
            "A payment that had failed went through, and the subscription was renewed."
        ),
        Row(
            .didChangeRenewalPref,
            .upgrade,
            "upgraded",
            "The customer changed to another plan at once."
        ),
        Row(
            .didChangeRenewalPref,
            .downgrade,
            "plan-change-scheduled",
            "The customer will change to another plan at the next renewal."
        ),
        Row(
            .didChangeRenewalPref,
            nil,
            "plan-change-undone",
            "The customer will stay with the present plan after all."
        ),
        Row(
            .didChangeRenewalStatus,
            .autoRenewEnabled,
            "renewal-turned-on",
            "Renewal was turned on: the subscription will go on after this period."
        ),
        Row(
            .didChangeRenewalStatus,
            .autoRenewDisabled,
            "renewal-turned-off",
            "Renewal was turned off: the subscription ends with this period."
        ),
        Row(
            .didChangeRenewalStatus,
            nil,
            "renewal-status-changed",
            "Renewal was turned on or off; the renewal info says which."
        ),
        Row(
            .offerRedeemed,
            nil,
            "offer-redeemed",
            "The customer redeemed an offer for the subscription that runs."
        ),
        Row(
            .offerRedeemed,
            .upgrade,
            "offer-redeemed-with-upgrade",
            "The customer redeemed an offer and changed to another plan at once."
        ),
        Row(
            .offerRedeemed,
            .downgrade,
            "offer-redeemed-with-plan-change",
            "The customer redeemed an offer and will change to another plan at the next renewal."
        ),
        Row(
            .didFailToRenew,
            .gracePeriod,
            "billing-failed-in-grace",
            "A payment failed; access is kept until the grace period ends."
        ),
        Row(
            .didFailToRenew,
            nil,
            "billing-failed",
            "A payment failed; the App Store tries again for up to 60 days."
        ),
        Row(
            .gracePeriodExpired,
            nil,
            "grace-period-ended",
            "The grace period ended without a payment; the App Store still tries."
        ),
        Row(
            .expired,
            .voluntary,
            "expired-by-choice",
            "The subscription ended because the customer had turned renewal off."
        ),
        Row(
            .expired,
            .billingRetry,
            "expired-unpaid",
            "The subscription ended because no payment went through."
        ),
        Row(
            .expired,
            .priceIncrease,
            "expired-without-consent",
            "The subscription ended because the customer did not consent to a higher price."
        ),
        Row(
            .expired,
            .productNotForSale,
            "expired-not-for-sale",
            "The subscription ended because its product was not for sale."
        ),
        Row(
            .expired,
            nil,
            "expired",
            "The subscription ended for another reason."
        ),
        Row(
            .priceIncrease,
            .pending,
            "price-increase-pending",
            "The customer was asked to consent to a higher price."
        ),
        Row(
            .priceIncrease,
            .accepted,
            "price-increase-accepted",
            "The customer consented to a higher price, or was told of it where no consent is needed."
        ),
        Row(
            .refund,
            nil,
            "refunded",
            "The App Store refunded the purchase."
        ),
        Row(
            .refundDeclined,
            nil,
            "refund-declined",
            "The App Store declined a refund that the customer had asked for."
        ),
        Row(
            .refundReversed,
            nil,
            "refund-reversed",
            "The App Store took a refund back: the purchase counts again."
        ),
        Row(
            .revoke,
            nil,
            "family-access-revoked",
            "The customer lost access through family sharing."
        ),
        Row(
            .consumptionRequest,
            nil,
            "consumption-requested",
            "The customer asked for a refund; the App Store asks what was consumed, within 12 hours."
        ),
        Row(
            .renewalExtended,
            nil,
            "renewal-extended",
            "The renewal date of the subscription was extended."
        ),
        Row(
            .renewalExtension,
            .summary,
            "mass-extension-finished",
            "An extension for all subscribers of a product has finished."
        ),
        Row(
            .renewalExtension,
            .failure,
            "mass-extension-failed-for-one",
            "An extension for all subscribers failed for this one."
        ),
        Row(
            .oneTimeCharge,
            nil,
            "purchased",
            "The customer bought something that does not renew."
        ),
        Row(
            .externalPurchaseToken,
            .unreported,
            "external-token-unreported",
            "A token for purchases outside the App Store was made, and no report about it has arrived."
        ),
        Row(
            .externalPurchaseToken,
            .created,
            "external-token-created",
            "A token for purchases outside the App Store was made."
        ),
        Row(
            .externalPurchaseToken,
            .activeTokenReminder,
            "external-token-active",
            "A token for purchases outside the App Store is still active."
        ),
        Row(
            .metadataUpdate,
            nil,
            "metadata-changed",
            "The developer changed the subscription's metadata."
        ),
        Row(
            .migration,
            nil,
            "migrated",
            "The developer migrated the subscription to the Advanced Commerce API."
        ),
        Row(
            .priceChange,
            nil,
            "price-changed",
            "The developer changed the subscription's price."
        ),
        Row(
            .rescindConsent,
            nil,
            "consent-rescinded",
            "A parent or guardian rescinded the consent to a child's use of the app."
        ),
        Row(
            .test,
            nil,
            "test",
            "The developer asked for a test notification."
        ),
    ]
}
