public import CounterfoilBasics
public import CounterfoilJSON

/// A transaction, as the App Store signs it (Apple, "JWSTransactionDecodedPayload").
///
/// A value proves nothing by itself: see `Verified`.
public struct JWSTransactionDecodedPayload: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Identifies this transaction; new for each renewal and restore.
    ///
    /// `0` is the first of an Xcode session.
    public var transactionId: String? {
        get { read("transactionId") }
        set { write("transactionId", newValue) }
    }

    /// Identifies the purchase: the first transaction of its subscription, or itself.
    public var originalTransactionId: String? {
        get { read("originalTransactionId") }
        set { write("originalTransactionId", newValue) }
    }

    /// Identifies a subscription period across restores; only auto-renewables.
    ///
    /// Xcode writes `0`.
    public var webOrderLineItemId: String? {
        get { read("webOrderLineItemId") }
        set { write("webOrderLineItemId", newValue) }
    }

    /// The app's bundle identifier.
    public var bundleId: String? {
        get { read("bundleId") }
        set { write("bundleId", newValue) }
    }

    /// The product identifier of App Store Connect.
    public var productId: String? {
        get { read("productId") }
        set { write("productId", newValue) }
    }

    /// The subscription group; only auto-renewables.
    public var subscriptionGroupIdentifier: String? {
        get { read("subscriptionGroupIdentifier") }
        set { write("subscriptionGroupIdentifier", newValue) }
    }

    /// When the App Store charged, renewed or restored.
    public var purchaseDate: Instant? {
        get { read("purchaseDate") }
        set { write("purchaseDate", newValue) }
    }

    /// When the original transaction was made.
    public var originalPurchaseDate: Instant? {
        get { read("originalPurchaseDate") }
        set { write("originalPurchaseDate", newValue) }
    }

    /// When the period ends; only auto-renewables.
    public var expiresDate: Instant? {
        get { read("expiresDate") }
        set { write("expiresDate", newValue) }
    }

    /// How many were bought; of an assigned purchase, how many seats.
    public var quantity: Int64? {
        get { read("quantity") }
        set { write("quantity", newValue) }
    }

    /// The kind of product.
    public var type: InAppPurchaseType? {
        get { read("type") }
        set { write("type", newValue) }
    }

    /// The UUID with which the app marked the purchase as that of one of its accounts.
    ///
    /// Letters of either case mean the same.
    public var appAccountToken: String? {
        get { read("appAccountToken") }
        set { write("appAccountToken", newValue) }
    }

    /// Whether it was bought, or shared by the family.
    public var inAppOwnershipType: InAppOwnershipType? {
        get { read("inAppOwnershipType") }
        set { write("inAppOwnershipType", newValue) }
    }

    /// When the App Store signed this; certificates are judged at it.
    public var signedDate: Instant? {
        get { read("signedDate") }
        set { write("signedDate", newValue) }
    }

    /// When the App Store refunded or revoked the purchase; nil while it has not.
    public var revocationDate: Instant? {
        get { read("revocationDate") }
        set { write("revocationDate", newValue) }
    }

    /// Why it was refunded; nil when family access was withdrawn.
    public var revocationReason: RevocationReason? {
        get { read("revocationReason") }
        set { write("revocationReason", newValue) }
    }

    /// What kind of revocation it was; since December 2025.
    public var revocationType: RevocationType? {
        get { read("revocationType") }
        set { write("revocationType", newValue) }
    }

    /// How much of the price was refunded.
    public var revocationPercentage: Millipercent? {
        get { read("revocationPercentage") }
        set { write("revocationPercentage", newValue) }
    }

    /// Whether a higher subscription took this one's place.
    ///
    /// Apple writes it only when it did, Xcode always.
    public var isUpgraded: Bool? {
        get { read("isUpgraded") }
        set { write("isUpgraded", newValue) }
    }

    /// The kind of offer that set the price; nil without one.
    public var offerType: OfferType? {
        get { read("offerType") }
        set { write("offerType", newValue) }
    }

    /// Identifies the offer; nil for introductory offers.
    public var offerIdentifier: String? {
        get { read("offerIdentifier") }
        set { write("offerIdentifier", newValue) }
    }

    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType? {
        get { read("offerDiscountType") }
        set { write("offerDiscountType", newValue) }
    }

    /// How long the offer lasts as a whole.
    public var offerPeriod: CalendarPeriod? {
        get { read("offerPeriod") }
        set { write("offerPeriod", newValue) }
    }

    /// The environment of the purchase.
    public var environment: StoreEnvironment? {
        get { read("environment") }
        set { write("environment", newValue) }
    }

    /// The storefront's country or region, ISO 3166-1 alpha-3.
    public var storefront: String? {
        get { read("storefront") }
        set { write("storefront", newValue) }
    }

    /// Apple's number of the storefront: `143441` is that of the USA.
    public var storefrontId: String? {
        get { read("storefrontId") }
        set { write("storefrontId", newValue) }
    }

    /// Whether the customer bought or the App Store renewed.
    public var transactionReason: TransactionReason? {
        get { read("transactionReason") }
        set { write("transactionReason", newValue) }
    }

    /// What was paid for the quantity, after a discount; nil where Apple does not say.
    public var price: Milliunits? {
        get { read("price") }
        set { write("price", newValue) }
    }

    /// The currency of the price, ISO 4217.
    public var currency: String? {
        get { read("currency") }
        set { write("currency", newValue) }
    }

    /// Identifies this Apple account's download of this app; each family member has one.
    public var appTransactionId: String? {
        get { read("appTransactionId") }
        set { write("appTransactionId", newValue) }
    }

    /// The original transaction from before a migration to the Advanced Commerce API.
    public var previousOriginalTransactionId: String? {
        get { read("previousOriginalTransactionId") }
        set { write("previousOriginalTransactionId", newValue) }
    }

    /// How the subscription is billed.
    public var billingPlanType: BillingPlanType? {
        get { read("billingPlanType") }
        set { write("billingPlanType", newValue) }
    }

    /// Where a subscription that is billed monthly stands in its commitment.
    public var commitmentInfo: TransactionCommitmentInfo? {
        get { read("commitmentInfo") }
        set { write("commitmentInfo", newValue) }
    }

    /// What was bought through the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo? {
        get { read("advancedCommerceInfo") }
        set { write("advancedCommerceInfo", newValue) }
    }

    /// Base 64 over which the device is proved; in Xcode's transactions only.
    public var deviceVerification: String? {
        get { read("deviceVerification") }
        set { write("deviceVerification", newValue) }
    }

    /// The UUID that went into it; in Xcode's transactions only.
    public var deviceVerificationNonce: String? {
        get { read("deviceVerificationNonce") }
        set { write("deviceVerificationNonce", newValue) }
    }
}

extension JWSTransactionDecodedPayload {
    static let fields = FieldTable<Self>(
        .init("transactionId", \.transactionId),
        .init("originalTransactionId", \.originalTransactionId),
        .init("webOrderLineItemId", \.webOrderLineItemId),
        .init("bundleId", \.bundleId),
        .init("productId", \.productId),
        .init("subscriptionGroupIdentifier", \.subscriptionGroupIdentifier),
        .init("purchaseDate", \.purchaseDate),
        .init("originalPurchaseDate", \.originalPurchaseDate),
        .init("expiresDate", \.expiresDate),
        .init("quantity", \.quantity),
        .init("type", \.type),
        .init("appAccountToken", \.appAccountToken),
        .init("inAppOwnershipType", \.inAppOwnershipType),
        .init("signedDate", \.signedDate),
        .init("revocationDate", \.revocationDate),
        .init("revocationReason", \.revocationReason),
        .init("revocationType", \.revocationType),
        .init("revocationPercentage", \.revocationPercentage),
        .init("isUpgraded", \.isUpgraded),
        .init("offerType", \.offerType),
        .init("offerIdentifier", \.offerIdentifier),
        .init("offerDiscountType", \.offerDiscountType),
        .init("offerPeriod", \.offerPeriod),
        .init("environment", \.environment),
        .init("storefront", \.storefront),
        .init("storefrontId", \.storefrontId),
        .init("transactionReason", \.transactionReason),
        .init("price", \.price),
        .init("currency", \.currency),
        .init("appTransactionId", \.appTransactionId),
        .init("previousOriginalTransactionId", \.previousOriginalTransactionId),
        .init("billingPlanType", \.billingPlanType),
        .init("commitmentInfo", \.commitmentInfo),
        .init("advancedCommerceInfo", \.advancedCommerceInfo),
        .init("deviceVerification", \.deviceVerification),
        .init("deviceVerificationNonce", \.deviceVerificationNonce)
    )
}
