public import CounterfoilBasics

/// Something that happened in the local App Store, with all that its documents tell of it.
public struct Happening: Sendable {
    /// Counts the happenings of a store, from 0.
    public let number: Int
    /// When it happened.
    public let at: Instant
    /// What happened.
    public let event: Event
    /// Whom and what it concerns.
    public let subject: Subject
    /// The notifications of version 1 that the App Store sends of it, in their order; none where
    /// the app does not want them.
    public let notificationsV1: [StoreNotificationV1]
    /// Identifies what is sent of it, however often.
    let notificationUUID: String

    /// Whom and what something concerns.
    public enum Subject: Sendable {
        /// A purchase, with its lineage as it was right after it.
        case purchase(PurchaseRecord)
        /// A customer's download of an app.
        case download(DownloadRecord)
        /// A whole product, or an app.
        case app(AppRecord)
    }

    /// The purchase that it concerns, if it concerns one.
    public var purchase: PurchaseRecord? {
        if case .purchase(let record) = subject { record } else { nil }
    }
}

/// What can happen (docs/REHEARSING.md says what the App Store sends of each).
public enum Event: String, Hashable, Sendable, CaseIterable {
    /// A first subscription in a group.
    case subscribed
    /// The same product again, after the subscription had ended.
    case resubscribed
    /// Another product of the group, after the subscription had ended.
    case resubscribedToOther
    /// One more period, on time.
    case renewed
    /// A payment that had failed went through.
    case recovered
    /// Another product at once.
    case upgraded
    /// Another product from the next renewal on.
    case planChangeScheduled
    /// The present product after all.
    case planChangeUndone
    /// The customer, or the store for them, turned renewal on.
    case renewalTurnedOn
    /// The customer, or the store for them, turned renewal off.
    case renewalTurnedOff
    /// The customer turned renewal off after hearing of a higher price.
    case renewalTurnedOffAtPriceIncrease
    /// An offer for the subscription that runs.
    case offerRedeemed
    /// An offer with another product at once.
    case offerRedeemedWithUpgrade
    /// An offer with another product from the next renewal on.
    case offerRedeemedWithPlanChange
    /// A payment failed, and access is kept for a while.
    case billingFailedInGrace
    /// A payment failed, and access is not kept.
    case billingFailed
    /// The time for which access was kept is over.
    case gracePeriodEnded
    /// It ended as the customer wanted.
    case expiredByChoice
    /// It ended because nothing could be charged.
    case expiredUnpaid
    /// It ended because the customer did not agree to a higher price.
    case expiredWithoutConsent
    /// It ended because the product was not for sale.
    case expiredNotForSale
    /// It ended for another reason.
    case expired
    /// The customer was asked to agree to a higher price.
    case priceIncreaseAsked
    /// The customer agreed to a higher price, or was told of one that needs no consent.
    case priceIncreaseAccepted
    /// A subscription was refunded.
    case subscriptionRefunded
    /// A one-time purchase was refunded.
    case oneTimeRefunded
    /// A refund that was asked for was declined.
    case refundDeclined
    /// A refund was taken back.
    case refundReversed
    /// A family member's access was withdrawn.
    case familyAccessRevoked
    /// A customer asked for a refund, and the app's server for what it knows.
    case consumptionRequested
    /// The end of a period was moved.
    case renewalExtended
    /// The end of a period could not be moved.
    case renewalExtensionFailed
    /// Moving the ends of all periods of a product is done.
    case renewalExtensionFinished
    /// Something was bought once, or shared by the family.
    case boughtOnce
    /// A purchase outside of the App Store was not reported.
    case externalPurchaseUnreported
    /// A parent withdrew the consent to a child's use of the app.
    case consentRescinded
    /// The app's server asked for a notification to try its reception.
    case test
}
