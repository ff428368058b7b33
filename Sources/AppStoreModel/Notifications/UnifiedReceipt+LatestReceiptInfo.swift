public import CounterfoilBasics
public import CounterfoilJSON

extension UnifiedReceipt {
    /// A transaction in a unified receipt, in the form that verifyReceipt answers (Apple,
    /// "unified_receipt.Latest_receipt_info").
    public struct LatestReceiptInfo: AppStoreObject, FieldedObject {
        /// Everything in the value, as it was read or set.
        public internal(set) var object = JSONObject()

        /// Makes a value without members.
        public init() {}

        /// How many were bought.
        public var quantity: Int64? {
            get { read("quantity", as: SentInteger.self) }
            set { write("quantity", newValue, as: SentInteger.self) }
        }

        /// The product identifier of App Store Connect.
        public var productId: String? {
            get { read("product_id", as: SentText.self) }
            set { write("product_id", newValue, as: SentText.self) }
        }

        /// Identifies this transaction; new for each renewal and restore.
        public var transactionId: String? {
            get { read("transaction_id", as: SentIdentifier.self) }
            set { write("transaction_id", newValue, as: SentIdentifier.self) }
        }

        /// Identifies the purchase: the first transaction of its subscription, or itself.
        public var originalTransactionId: String? {
            get { read("original_transaction_id", as: SentIdentifier.self) }
            set { write("original_transaction_id", newValue, as: SentIdentifier.self) }
        }

        /// `purchase_date`, `_ms`, `_pst`: when the App Store charged, renewed or restored.
        public var purchaseDate: Instant? {
            get { Self.purchaseDateKeys.read(in: object) }
            set { Self.purchaseDateKeys.write(newValue, to: &object) }
        }

        /// `original_purchase_date`, `_ms`, `_pst`: when the original transaction was made.
        public var originalPurchaseDate: Instant? {
            get { Self.originalPurchaseDateKeys.read(in: object) }
            set { Self.originalPurchaseDateKeys.write(newValue, to: &object) }
        }

        /// `expires_date`, `_ms`, `_pst`: when the period ends; only auto-renewables.
        public var expiresDate: Instant? {
            get { Self.expiresDateKeys.read(in: object) }
            set { Self.expiresDateKeys.write(newValue, to: &object) }
        }

        /// Identifies a subscription period across restores; only auto-renewables.
        public var webOrderLineItemId: String? {
            get { read("web_order_line_item_id", as: SentIdentifier.self) }
            set { write("web_order_line_item_id", newValue, as: SentIdentifier.self) }
        }

        /// Whether the period is a free trial.
        public var isTrialPeriod: Bool? {
            get { read("is_trial_period", as: SentBool.self) }
            set { write("is_trial_period", newValue, as: SentBool.self) }
        }

        /// Whether the period is of an introductory offer that is paid.
        public var isInIntroOfferPeriod: Bool? {
            get { read("is_in_intro_offer_period", as: SentBool.self) }
            set { write("is_in_intro_offer_period", newValue, as: SentBool.self) }
        }

        /// Identifies the promotional offer that set the price.
        public var promotionalOfferId: String? {
            get { read("promotional_offer_id", as: SentText.self) }
            set { write("promotional_offer_id", newValue, as: SentText.self) }
        }

        /// The reference name of the offer code that was redeemed.
        public var offerCodeRefName: String? {
            get { read("offer_code_ref_name", as: SentText.self) }
            set { write("offer_code_ref_name", newValue, as: SentText.self) }
        }

        /// The subscription group; only auto-renewables.
        public var subscriptionGroupIdentifier: String? {
            get { read("subscription_group_identifier", as: SentIdentifier.self) }
            set { write("subscription_group_identifier", newValue, as: SentIdentifier.self) }
        }

        /// Whether it was bought, or shared by the family.
        public var inAppOwnershipType: InAppOwnershipType? {
            get { read("in_app_ownership_type", as: SentWord<InAppOwnershipType>.self) }
            set { write("in_app_ownership_type", newValue, as: SentWord<InAppOwnershipType>.self) }
        }

        /// The UUID with which the app marked the purchase as that of one of its accounts.
        public var appAccountToken: String? {
            get { read("app_account_token", as: SentIdentifier.self) }
            set { write("app_account_token", newValue, as: SentIdentifier.self) }
        }

        /// Whether a higher subscription took this one's place; written only when it did.
        public var isUpgraded: Bool? {
            get { read("is_upgraded", as: SentBool.self) }
            set { write("is_upgraded", newValue, as: SentBool.self) }
        }

        /// `cancellation_date`, `_ms`, `_pst`: when it was refunded or revoked.
        public var cancellationDate: Instant? {
            get { Self.cancellationDateKeys.read(in: object) }
            set { Self.cancellationDateKeys.write(newValue, to: &object) }
        }

        /// Why it was refunded.
        public var cancellationReason: RevocationReason? {
            get { read("cancellation_reason", as: SentNumber<RevocationReason>.self) }
            set { write("cancellation_reason", newValue, as: SentNumber<RevocationReason>.self) }
        }
    }
}

extension UnifiedReceipt.LatestReceiptInfo {
    private static let purchaseDateKeys = SentDate("purchase_date")
    private static let originalPurchaseDateKeys = SentDate("original_purchase_date")
    private static let expiresDateKeys = SentDate("expires_date")
    private static let cancellationDateKeys = SentDate("cancellation_date")

    static let fields = FieldTable<Self>(
        dates: [purchaseDateKeys, originalPurchaseDateKeys, expiresDateKeys, cancellationDateKeys],
        .init("quantity", \.quantity, as: SentInteger.self),
        .init("product_id", \.productId, as: SentText.self),
        .init("transaction_id", \.transactionId, as: SentIdentifier.self),
        .init("original_transaction_id", \.originalTransactionId, as: SentIdentifier.self),
        .init("web_order_line_item_id", \.webOrderLineItemId, as: SentIdentifier.self),
        .init("is_trial_period", \.isTrialPeriod, as: SentBool.self),
        .init("is_in_intro_offer_period", \.isInIntroOfferPeriod, as: SentBool.self),
        .init("promotional_offer_id", \.promotionalOfferId, as: SentText.self),
        .init("offer_code_ref_name", \.offerCodeRefName, as: SentText.self),
        .init(
            "subscription_group_identifier",
            \.subscriptionGroupIdentifier,
            as: SentIdentifier.self
        ),
        .init("in_app_ownership_type", \.inAppOwnershipType, as: SentWord<InAppOwnershipType>.self),
        .init("app_account_token", \.appAccountToken, as: SentIdentifier.self),
        .init("is_upgraded", \.isUpgraded, as: SentBool.self),
        .init("cancellation_reason", \.cancellationReason, as: SentNumber<RevocationReason>.self)
    )
}
