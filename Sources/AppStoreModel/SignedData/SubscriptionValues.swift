/// Whether a subscription will renew (Apple, "autoRenewStatus"); an open set.
public struct AutoRenewStatus: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The customer, or the App Store, turned renewal off.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// It renews at the end of the period.
    public static let on = AutoRenewStatus(rawValue: 1)
}

/// Why a subscription ended (Apple, "expirationIntent"); an open set.
public struct ExpirationIntent: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The customer turned renewal off.
    public static let customerCancelled = ExpirationIntent(rawValue: 1)
    /// The payment failed.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The customer did not consent to a higher price.
    public static let noConsentToPriceIncrease = ExpirationIntent(rawValue: 3)
    /// The product was not for sale when it should have renewed.
    public static let productNotAvailable = ExpirationIntent(rawValue: 4)
    /// Another reason.
    public static let other = ExpirationIntent(rawValue: 5)
}

/// Whether a customer knows of a higher price (Apple, "priceIncreaseStatus"); an open set.
public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Consent was asked for and not given yet.
    public static let noAnswer = PriceIncreaseStatus(rawValue: 0)
    /// The customer consented, or was told where no consent is needed.
    public static let consentedOrNotified = PriceIncreaseStatus(rawValue: 1)
}

/// How a subscription stood when it was signed (Apple, "status"); an open set.
public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's number.
    public let rawValue: Int64

    /// Makes a value from Apple's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Its period has not ended.
    public static let active = SubscriptionStatus(rawValue: 1)
    /// It has ended.
    public static let expired = SubscriptionStatus(rawValue: 2)
    /// A payment failed and the App Store tries again.
    public static let billingRetry = SubscriptionStatus(rawValue: 3)
    /// The same, with access until the grace period ends.
    public static let billingGracePeriod = SubscriptionStatus(rawValue: 4)
    /// The App Store refunded it or withdrew family access.
    public static let revoked = SubscriptionStatus(rawValue: 5)
}
