public import CounterfoilBasics
public import CounterfoilJSON

/// How a subscription will renew, as the App Store signs it (Apple,
/// "JWSRenewalInfoDecodedPayload").
///
/// It names no app: it counts only beside a transaction of the same subscription.
public struct JWSRenewalInfoDecodedPayload: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Identifies the subscription: its first transaction.
    public var originalTransactionId: String? {
        get { read("originalTransactionId") }
        set { write("originalTransactionId", newValue) }
    }

    /// The product of the present period.
    public var productId: String? {
        get { read("productId") }
        set { write("productId", newValue) }
    }

    /// The product of the next period; another one after a downgrade.
    public var autoRenewProductId: String? {
        get { read("autoRenewProductId") }
        set { write("autoRenewProductId", newValue) }
    }

    /// Whether it will renew.
    public var autoRenewStatus: AutoRenewStatus? {
        get { read("autoRenewStatus") }
        set { write("autoRenewStatus", newValue) }
    }

    /// Why it ended; nil while it has not.
    public var expirationIntent: ExpirationIntent? {
        get { read("expirationIntent") }
        set { write("expirationIntent", newValue) }
    }

    /// Whether the App Store tries a failed payment again.
    public var isInBillingRetryPeriod: Bool? {
        get { read("isInBillingRetryPeriod") }
        set { write("isInBillingRetryPeriod", newValue) }
    }

    /// Until when access is kept although a payment failed.
    public var gracePeriodExpiresDate: Instant? {
        get { read("gracePeriodExpiresDate") }
        set { write("gracePeriodExpiresDate", newValue) }
    }

    /// Whether the customer knows of a higher price; nil when there is none.
    public var priceIncreaseStatus: PriceIncreaseStatus? {
        get { read("priceIncreaseStatus") }
        set { write("priceIncreaseStatus", newValue) }
    }

    /// The kind of offer that sets the next period's price.
    public var offerType: OfferType? {
        get { read("offerType") }
        set { write("offerType", newValue) }
    }

    /// Identifies that offer; nil for introductory offers.
    public var offerIdentifier: String? {
        get { read("offerIdentifier") }
        set { write("offerIdentifier", newValue) }
    }

    /// How that offer is paid.
    public var offerDiscountType: OfferDiscountType? {
        get { read("offerDiscountType") }
        set { write("offerDiscountType", newValue) }
    }

    /// How long that offer lasts as a whole.
    public var offerPeriod: CalendarPeriod? {
        get { read("offerPeriod") }
        set { write("offerPeriod", newValue) }
    }

    /// When the App Store signed this; certificates are judged at it.
    public var signedDate: Instant? {
        get { read("signedDate") }
        set { write("signedDate", newValue) }
    }

    /// The environment of the subscription.
    public var environment: StoreEnvironment? {
        get { read("environment") }
        set { write("environment", newValue) }
    }

    /// When the present run of periods began; gaps of up to 60 days do not end a run.
    public var recentSubscriptionStartDate: Instant? {
        get { read("recentSubscriptionStartDate") }
        set { write("recentSubscriptionStartDate", newValue) }
    }

    /// When the newest period ends, which may be in the past.
    public var renewalDate: Instant? {
        get { read("renewalDate") }
        set { write("renewalDate", newValue) }
    }

    /// The price of the next period, after a discount.
    public var renewalPrice: Milliunits? {
        get { read("renewalPrice") }
        set { write("renewalPrice", newValue) }
    }

    /// The currency of that price, ISO 4217.
    public var currency: String? {
        get { read("currency") }
        set { write("currency", newValue) }
    }

    /// The win-back offers that the customer may have, the best first; only when it has ended.
    public var eligibleWinBackOfferIds: [String]? {
        get { read("eligibleWinBackOfferIds") }
        set { write("eligibleWinBackOfferIds", newValue) }
    }

    /// The UUID that marks the next period as that of one of the app's accounts.
    public var appAccountToken: String? {
        get { read("appAccountToken") }
        set { write("appAccountToken", newValue) }
    }

    /// Identifies this Apple account's download of this app.
    public var appTransactionId: String? {
        get { read("appTransactionId") }
        set { write("appTransactionId", newValue) }
    }

    /// How the next period is billed.
    public var renewalBillingPlanType: BillingPlanType? {
        get { read("renewalBillingPlanType") }
        set { write("renewalBillingPlanType", newValue) }
    }

    /// What follows the present commitment of a subscription that is billed monthly.
    public var commitmentInfo: RenewalCommitmentInfo? {
        get { read("commitmentInfo") }
        set { write("commitmentInfo", newValue) }
    }

    /// What renews through the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo? {
        get { read("advancedCommerceInfo") }
        set { write("advancedCommerceInfo", newValue) }
    }

    /// Base 64 over which the device is proved; in Xcode's documents only.
    public var deviceVerification: String? {
        get { read("deviceVerification") }
        set { write("deviceVerification", newValue) }
    }

    /// The UUID that went into it; in Xcode's documents only.
    public var deviceVerificationNonce: String? {
        get { read("deviceVerificationNonce") }
        set { write("deviceVerificationNonce", newValue) }
    }
}

extension JWSRenewalInfoDecodedPayload {
    static let fields = FieldTable<Self>(
        .init("originalTransactionId", \.originalTransactionId),
        .init("productId", \.productId),
        .init("autoRenewProductId", \.autoRenewProductId),
        .init("autoRenewStatus", \.autoRenewStatus),
        .init("expirationIntent", \.expirationIntent),
        .init("isInBillingRetryPeriod", \.isInBillingRetryPeriod),
        .init("gracePeriodExpiresDate", \.gracePeriodExpiresDate),
        .init("priceIncreaseStatus", \.priceIncreaseStatus),
        .init("offerType", \.offerType),
        .init("offerIdentifier", \.offerIdentifier),
        .init("offerDiscountType", \.offerDiscountType),
        .init("offerPeriod", \.offerPeriod),
        .init("signedDate", \.signedDate),
        .init("environment", \.environment),
        .init("recentSubscriptionStartDate", \.recentSubscriptionStartDate),
        .init("renewalDate", \.renewalDate),
        .init("renewalPrice", \.renewalPrice),
        .init("currency", \.currency),
        .init("eligibleWinBackOfferIds", \.eligibleWinBackOfferIds),
        .init("appAccountToken", \.appAccountToken),
        .init("appTransactionId", \.appTransactionId),
        .init("renewalBillingPlanType", \.renewalBillingPlanType),
        .init("commitmentInfo", \.commitmentInfo),
        .init("advancedCommerceInfo", \.advancedCommerceInfo),
        .init("deviceVerification", \.deviceVerification),
        .init("deviceVerificationNonce", \.deviceVerificationNonce)
    )
}
