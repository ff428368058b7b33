/// The kind of an in-app product, as signed data names it (Apple, "type"); an open set.
public struct InAppPurchaseType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription that renews by itself.
    public static let autoRenewableSubscription = InAppPurchaseType(
        rawValue: "Auto-Renewable Subscription"
    )
    /// Bought once, kept for ever.
    public static let nonConsumable = InAppPurchaseType(rawValue: "Non-Consumable")
    /// Bought again and again.
    public static let consumable = InAppPurchaseType(rawValue: "Consumable")
    /// A subscription that does not renew by itself.
    public static let nonRenewingSubscription = InAppPurchaseType(
        rawValue: "Non-Renewing Subscription"
    )
}

/// How somebody came to a purchase (Apple, "inAppOwnershipType"); an open set.
public struct InAppOwnershipType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought by this Apple account.
    public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
    /// Shared by a member of the family who bought it.
    public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")
    /// A seat of a purchase for many, assigned to this Apple account.
    public static let assigned = InAppOwnershipType(rawValue: "ASSIGNED")
}

/// Why a transaction was made (Apple, "transactionReason"); an open set.
public struct TransactionReason: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer, or a member of the family, bought it.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The App Store renewed a subscription.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")
}

/// Why the App Store refunded a purchase (Apple, "revocationReason"); an open set.
public struct RevocationReason: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Another reason, such as a purchase by accident.
    public static let other = RevocationReason(rawValue: 0)
    /// An issue with the app, actual or perceived.
    public static let appIssue = RevocationReason(rawValue: 1)
}

/// What kind of revocation it was (Apple, "revocationType"); an open set.
public struct RevocationType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All that was paid was refunded.
    public static let refundFull = RevocationType(rawValue: "REFUND_FULL")
    /// A part was refunded: see `revocationPercentage`.
    public static let refundProrated = RevocationType(rawValue: "REFUND_PRORATED")
    /// Family sharing ended; nothing was refunded.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
    /// A seat was taken back; nothing was refunded.
    public static let assignmentRevoke = RevocationType(rawValue: "ASSIGNMENT_REVOKE")
}

/// How a subscription is billed (Apple, "billingPlanType"); an open set.
public struct BillingPlanType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole period at its beginning.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// A month at a time, under a commitment for the whole period.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")
}
