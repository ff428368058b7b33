import AppStoreModel
import CounterfoilBasics

/// What must be so of a purchase when a notification of some type tells of it (Apple,
/// "notificationType"), as far as it is not described.
struct NotificationStory {
    /// The notification's type and subtype.
    var event = Event()
    /// The kind of product; an auto-renewable subscription when nil.
    var type: InAppPurchaseType?
    /// How long ago the period began; three days when nil.
    var age: Duration?
    /// Whether the transaction is not the subscription's first.
    var isRenewal = false
    /// The state of the subscription, where it is not active.
    var status = SubscriptionStatus.active

    /// A type and its subtype, if it has one.
    struct Event: Hashable {
        var type: NotificationTypeV2?
        var subtype: Subtype?
    }

    /// The story of a transaction alone.
    init() {}

    /// The story of a notification.
    init(_ event: Event) {
        self.event = event
        switch event.type {
        case .didRenew?: isRenewal = true
        case .oneTimeCharge?, .consumptionRequest?, .refundDeclined?: type = .consumable
        case .expired?: (age, status) = (.days(33), .expired)
        case .didFailToRenew?:
            age = .days(30) + .seconds(3600)
            status = event.subtype == .gracePeriod ? .billingGracePeriod : .billingRetry
        case .gracePeriodExpired?: (age, status) = (.days(47), .billingRetry)
        case .refund?, .revoke?: status = .revoked
        default: break
        }
    }

    /// Brings a transaction to where the notification finds it.
    func finish(_ payload: inout JWSTransactionDecodedPayload, now: Instant) {
        let hourAgo = now.advanced(by: .seconds(-3600))
        switch event.type {
        case .refund?:
            payload.revocationDate = hourAgo
            payload.revocationReason = .other
        case .revoke?:
            payload.inAppOwnershipType = .familyShared
            payload.revocationDate = hourAgo
        case .offerRedeemed?:
            payload.offerType = .code
            payload.offerIdentifier = "spring"
        default: break
        }
    }

    /// Brings renewal info to where the notification finds it.
    func finish(_ payload: inout JWSRenewalInfoDecodedPayload, now: Instant) {
        switch event.type {
        case .expired?:
            payload.autoRenewStatus = .off
            payload.expirationIntent = expirationIntent
            payload.isInBillingRetryPeriod = false
        case .didFailToRenew?:
            payload.isInBillingRetryPeriod = true
            if event.subtype == .gracePeriod {
                payload.gracePeriodExpiresDate = now.advanced(by: .days(16))
            }
        case .gracePeriodExpired?:
            payload.isInBillingRetryPeriod = true
            payload.gracePeriodExpiresDate = now.advanced(by: .seconds(-3600))
        case .refund?, .revoke?: payload.autoRenewStatus = .off
        case .didChangeRenewalStatus? where event.subtype == .autoRenewDisabled:
            payload.autoRenewStatus = .off
        case .didChangeRenewalPref? where event.subtype == .downgrade:
            payload.autoRenewProductId = payload.productId.map { $0 + ".basic" }
        case .priceIncrease?:
            payload.priceIncreaseStatus =
                event.subtype == .accepted ? .consentedOrNotified : .noAnswer
        default: break
        }
    }

    private var expirationIntent: ExpirationIntent {
        switch event.subtype {
        case .voluntary?: .customerCancelled
        case .billingRetry?: .billingError
        case .priceIncrease?: .noConsentToPriceIncrease
        case .productNotForSale?: .productNotAvailable
        default: .other
        }
    }
}

extension Duration {
    fileprivate static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
