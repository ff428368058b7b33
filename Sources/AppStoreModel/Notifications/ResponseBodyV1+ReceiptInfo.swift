public import CounterfoilBasics
public import CounterfoilJSON

extension ResponseBodyV1 {
    /// A transaction in the flat form of iOS 6-style receipts, which notifications of version 1 had
    /// until March 2021.
    public struct ReceiptInfo: AppStoreObject, FieldedObject {
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

        /// `expires_date` (milliseconds), `_formatted`, `_formatted_pst`: when the period ends.
        public var expiresDate: Instant? {
            get { Self.expiresDateKeys.read(in: object) }
            set { Self.expiresDateKeys.write(newValue, to: &object) }
        }

        /// Identifies a subscription period across restores.
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

        /// The subscription group.
        public var subscriptionGroupIdentifier: String? {
            get { read("subscription_group_identifier", as: SentIdentifier.self) }
            set { write("subscription_group_identifier", newValue, as: SentIdentifier.self) }
        }

        /// The app's bundle identifier.
        public var bid: String? {
            get { read("bid", as: SentText.self) }
            set { write("bid", newValue, as: SentText.self) }
        }

        /// The app's CFBundleVersion.
        public var bvrs: String? {
            get { read("bvrs", as: SentText.self) }
            set { write("bvrs", newValue, as: SentText.self) }
        }

        /// The product's identifier in the App Store.
        public var itemId: String? {
            get { read("item_id", as: SentIdentifier.self) }
            set { write("item_id", newValue, as: SentIdentifier.self) }
        }

        /// The app's identifier in the App Store; not in the sandbox.
        public var appItemId: String? {
            get { read("app_item_id", as: SentIdentifier.self) }
            set { write("app_item_id", newValue, as: SentIdentifier.self) }
        }

        /// Identifies the app's version; `0` in the sandbox.
        public var versionExternalIdentifier: String? {
            get { read("version_external_identifier", as: SentIdentifier.self) }
            set { write("version_external_identifier", newValue, as: SentIdentifier.self) }
        }

        /// A number of the device.
        public var uniqueIdentifier: String? {
            get { read("unique_identifier", as: SentText.self) }
            set { write("unique_identifier", newValue, as: SentText.self) }
        }

        /// identifierForVendor of the device.
        public var uniqueVendorIdentifier: String? {
            get { read("unique_vendor_identifier", as: SentText.self) }
            set { write("unique_vendor_identifier", newValue, as: SentText.self) }
        }

        /// `cancellation_date`, `_ms`, `_pst`: when it was refunded.
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

extension ResponseBodyV1.ReceiptInfo {
    private static let purchaseDateKeys = SentDate("purchase_date")
    private static let originalPurchaseDateKeys = SentDate("original_purchase_date")
    private static let expiresDateKeys = SentDate(flat: "expires_date")
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
        .init(
            "subscription_group_identifier",
            \.subscriptionGroupIdentifier,
            as: SentIdentifier.self
        ),
        .init("bid", \.bid, as: SentText.self),
        .init("bvrs", \.bvrs, as: SentText.self),
        .init("item_id", \.itemId, as: SentIdentifier.self),
        .init("app_item_id", \.appItemId, as: SentIdentifier.self),
        .init("version_external_identifier", \.versionExternalIdentifier, as: SentIdentifier.self),
        .init("unique_identifier", \.uniqueIdentifier, as: SentText.self),
        .init("unique_vendor_identifier", \.uniqueVendorIdentifier, as: SentText.self),
        .init("cancellation_reason", \.cancellationReason, as: SentNumber<RevocationReason>.self)
    )
}
