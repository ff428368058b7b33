import AppStoreModel

/// What the App Store sends of an event: the notifications of either version.
struct Announcement: Hashable, Sendable {
    /// The type and subtype of version 2; nil where it sends none.
    var type: NotificationTypeV2?
    /// The subtype of version 2, if it has one.
    var subtype: Subtype?
    /// The types of version 1, in their order; none where it sends none.
    var v1: [NotificationTypeV1] = []

    private init(
        _ type: NotificationTypeV2?,
        _ subtype: Subtype? = nil,
        v1: NotificationTypeV1...
    ) {
        self.type = type
        self.subtype = subtype
        self.v1 = v1
    }
}

extension Announcement {
    /// Reads like the tables of Apple's documentation (Apple, "notificationType", "subtype" and
    /// "notification_type").
    init(of event: Event) {
        self =
            switch event {
            case .subscribed: .init(.subscribed, .initialBuy, v1: .initialBuy)
            case .resubscribed:
                .init(.subscribed, .resubscribe, v1: .didChangeRenewalStatus)
            case .resubscribedToOther:
                .init(.subscribed, .resubscribe, v1: .interactiveRenewal, .didChangeRenewalStatus)
            case .renewed: .init(.didRenew, v1: .didRenew)
            case .recovered: .init(.didRenew, .billingRecovery, v1: .didRecover)
            case .upgraded:
                .init(
                    .didChangeRenewalPref,
                    .upgrade,
                    v1: .didChangeRenewalStatus,
                    .interactiveRenewal
                )
            case .planChangeScheduled:
                .init(.didChangeRenewalPref, .downgrade, v1: .didChangeRenewalPref)
            case .planChangeUndone: .init(.didChangeRenewalPref, v1: .didChangeRenewalPref)
            case .renewalTurnedOn:
                .init(.didChangeRenewalStatus, .autoRenewEnabled, v1: .didChangeRenewalStatus)
            case .renewalTurnedOff:
                .init(.didChangeRenewalStatus, .autoRenewDisabled, v1: .didChangeRenewalStatus)
            case .renewalTurnedOffAtPriceIncrease:
                .init(.didChangeRenewalStatus, v1: .didChangeRenewalStatus)
            case .offerRedeemed: .init(.offerRedeemed)
            case .offerRedeemedWithUpgrade:
                .init(.offerRedeemed, .upgrade, v1: .didChangeRenewalStatus, .interactiveRenewal)
            case .offerRedeemedWithPlanChange:
                .init(.offerRedeemed, .downgrade, v1: .didChangeRenewalPref)
            case .billingFailedInGrace:
                .init(.didFailToRenew, .gracePeriod, v1: .didFailToRenew)
            case .billingFailed: .init(.didFailToRenew, v1: .didFailToRenew)
            case .gracePeriodEnded: .init(.gracePeriodExpired)
            case .expiredByChoice: .init(.expired, .voluntary)
            case .expiredUnpaid: .init(.expired, .billingRetry, v1: .didChangeRenewalStatus)
            case .expiredWithoutConsent: .init(.expired, .priceIncrease)
            case .expiredNotForSale: .init(.expired, .productNotForSale)
            case .expired: .init(.expired)
            case .priceIncreaseAsked:
                .init(.priceIncrease, .pending, v1: .priceIncreaseConsent)
            case .priceIncreaseAccepted: .init(.priceIncrease, .accepted)
            case .subscriptionRefunded: .init(.refund, v1: .cancel)
            case .oneTimeRefunded: .init(.refund, v1: .refund)
            case .refundDeclined: .init(.refundDeclined)
            case .refundReversed: .init(.refundReversed)
            case .familyAccessRevoked: .init(.revoke, v1: .revoke)
            case .consumptionRequested: .init(.consumptionRequest, v1: .consumptionRequest)
            case .renewalExtended: .init(.renewalExtended)
            case .renewalExtensionFailed: .init(.renewalExtension, .failure)
            case .renewalExtensionFinished: .init(.renewalExtension, .summary)
            case .boughtOnce: .init(.oneTimeCharge)
            case .externalPurchaseUnreported: .init(.externalPurchaseToken, .unreported)
            case .consentRescinded: .init(.rescindConsent)
            case .test: .init(.test)
            }
    }
}
