public import CounterfoilBasics
public import CounterfoilJSON

extension UnifiedReceipt {
    /// How a subscription will renew, in the form that verifyReceipt answers (Apple,
    /// "unified_receipt.Pending_renewal_info").
    public struct PendingRenewalInfo: AppStoreObject, FieldedObject {
        /// Everything in the value, as it was read or set.
        public internal(set) var object = JSONObject()

        /// Makes a value without members.
        public init() {}

        /// Identifies the subscription: its first transaction.
        public var originalTransactionId: String? {
            get { read("original_transaction_id", as: SentIdentifier.self) }
            set { write("original_transaction_id", newValue, as: SentIdentifier.self) }
        }

        /// The product of the present period.
        public var productId: String? {
            get { read("product_id", as: SentText.self) }
            set { write("product_id", newValue, as: SentText.self) }
        }

        /// The product of the next period; another one after a downgrade.
        public var autoRenewProductId: String? {
            get { read("auto_renew_product_id", as: SentText.self) }
            set { write("auto_renew_product_id", newValue, as: SentText.self) }
        }

        /// Whether it will renew.
        public var autoRenewStatus: AutoRenewStatus? {
            get { read("auto_renew_status", as: SentRenewalStatus.self) }
            set { write("auto_renew_status", newValue, as: SentRenewalStatus.self) }
        }

        /// Why it ended; nil while it has not.
        public var expirationIntent: ExpirationIntent? {
            get { read("expiration_intent", as: SentNumber<ExpirationIntent>.self) }
            set { write("expiration_intent", newValue, as: SentNumber<ExpirationIntent>.self) }
        }

        /// Whether the App Store tries a failed payment again.
        public var isInBillingRetryPeriod: Bool? {
            get { read("is_in_billing_retry_period", as: SentFlag.self) }
            set { write("is_in_billing_retry_period", newValue, as: SentFlag.self) }
        }

        /// `grace_period_expires_date`, `_ms`, `_pst`: until when access is kept although a payment
        /// failed.
        ///
        /// It may stay behind when the grace period is over.
        public var gracePeriodExpiresDate: Instant? {
            get { Self.gracePeriodExpiresDateKeys.read(in: object) }
            set { Self.gracePeriodExpiresDateKeys.write(newValue, to: &object) }
        }

        /// Whether the customer consented to a higher price.
        public var priceConsentStatus: PriceIncreaseStatus? {
            get { read("price_consent_status", as: SentNumber<PriceIncreaseStatus>.self) }
            set {
                write("price_consent_status", newValue, as: SentNumber<PriceIncreaseStatus>.self)
            }
        }

        /// The same, or was told where no consent is needed.
        public var priceIncreaseStatus: PriceIncreaseStatus? {
            get { read("price_increase_status", as: SentNumber<PriceIncreaseStatus>.self) }
            set {
                write("price_increase_status", newValue, as: SentNumber<PriceIncreaseStatus>.self)
            }
        }

        /// The reference name of the offer code that sets the next price.
        public var offerCodeRefName: String? {
            get { read("offer_code_ref_name", as: SentText.self) }
            set { write("offer_code_ref_name", newValue, as: SentText.self) }
        }

        /// Identifies the promotional offer that sets the next price.
        public var promotionalOfferId: String? {
            get { read("promotional_offer_id", as: SentText.self) }
            set { write("promotional_offer_id", newValue, as: SentText.self) }
        }
    }
}

extension UnifiedReceipt.PendingRenewalInfo {
    private static let gracePeriodExpiresDateKeys = SentDate("grace_period_expires_date")

    static let fields = FieldTable<Self>(
        dates: [gracePeriodExpiresDateKeys],
        .init("original_transaction_id", \.originalTransactionId, as: SentIdentifier.self),
        .init("product_id", \.productId, as: SentText.self),
        .init("auto_renew_product_id", \.autoRenewProductId, as: SentText.self),
        .init("auto_renew_status", \.autoRenewStatus, as: SentRenewalStatus.self),
        .init("expiration_intent", \.expirationIntent, as: SentNumber<ExpirationIntent>.self),
        .init("is_in_billing_retry_period", \.isInBillingRetryPeriod, as: SentFlag.self),
        .init(
            "price_consent_status",
            \.priceConsentStatus,
            as: SentNumber<PriceIncreaseStatus>.self
        ),
        .init(
            "price_increase_status",
            \.priceIncreaseStatus,
            as: SentNumber<PriceIncreaseStatus>.self
        ),
        .init("offer_code_ref_name", \.offerCodeRefName, as: SentText.self),
        .init("promotional_offer_id", \.promotionalOfferId, as: SentText.self)
    )
}
