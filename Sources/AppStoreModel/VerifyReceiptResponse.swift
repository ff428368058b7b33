public import CounterfoilBasics

/// The answer of verifyReceipt (Apple, "responseBody").
///
/// Its JSON has Apple's keys only, in the order in which Apple's answers show them.
public struct VerifyReceiptResponse: Hashable, Sendable {
    /// What the answer holds beside the status.
    public enum Content: Hashable, Sendable {
        /// The status alone.
        case none
        /// For an app receipt.
        case appReceipt(AppReceiptAnswer)
        /// For an iOS 6-style transaction receipt.
        case transactionReceipt(TransactionReceiptAnswer)
    }

    /// 0, or why there is no answer.
    public var status: VerifyReceiptStatus
    /// Production or Sandbox; in answers to app receipts, and beside 21010.
    public var environment: StoreEnvironment?
    /// `is_retryable`: beside 21010 and 21100 to 21199, whether to ask again.
    public var isRetryable: Bool?
    /// What the answer holds.
    public var content: Content

    /// Makes an answer of a status alone.
    public init(status: VerifyReceiptStatus) {
        self.status = status
        content = .none
    }

    /// Makes an answer to an app receipt.
    public init(_ answer: AppReceiptAnswer, environment: StoreEnvironment) {
        status = .ok
        self.environment = environment
        content = .appReceipt(answer)
    }

    /// Makes an answer to an iOS 6-style receipt, which names no environment.
    public init(_ answer: TransactionReceiptAnswer) {
        status = answer.isExpired ? .subscriptionExpired : .ok
        content = .transactionReceipt(answer)
    }
}

/// A status of verifyReceipt (Apple, "status"); an open set.
public struct VerifyReceiptStatus: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: Int

    /// Makes a status from Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The receipt is genuine.
    public static let ok = VerifyReceiptStatus(rawValue: 0)
    /// The request was not a POST, or its body was not JSON.
    public static let notPOST = VerifyReceiptStatus(rawValue: 21000)
    /// `receipt-data` is missing or is no receipt.
    public static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// The signature or its certificates do not verify.
    public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// The shared secret is not the app's.
    public static let wrongSecret = VerifyReceiptStatus(rawValue: 21004)
    /// The receipt cannot be provided at present.
    public static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// Genuine, but the subscription's last known period is over; iOS 6-style receipts only.
    public static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
    /// A sandbox receipt at the production address.
    public static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
    /// A production receipt at the sandbox address.
    public static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
    /// An internal error; ask again later.
    public static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// Nothing is known here of the account or app.
    public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)
}

/// What verifyReceipt answers to an app receipt.
public struct AppReceiptAnswer: Hashable, Sendable {
    /// The receipt that was sent.
    public var receipt: AppReceipt
    /// When it was sent, with true milliseconds.
    public var requestDate: Instant
    /// What only receipts with auto-renewable subscriptions are answered with.
    public var subscriptions: Subscriptions?
    /// `in_app` where more is known of the purchases than the receipt says; they must be those of
    /// the receipt, in its order.
    public var knownInApp: [VerifyReceiptTransaction]?

    /// `in_app`: the purchases of the receipt, in its own order.
    public var inApp: [VerifyReceiptTransaction] {
        knownInApp ?? receipt.inApp.map(VerifyReceiptTransaction.init)
    }

    /// The three keys that come together, for receipts with auto-renewable subscriptions.
    public struct Subscriptions: Hashable, Sendable {
        /// `latest_receipt_info`: every known transaction, the newest first.
        public var latestReceiptInfo: [LatestTransaction]
        /// `latest_receipt`: the bytes of the newest receipt, sent as base 64.
        public var latestReceipt: [UInt8]
        /// `pending_renewal_info`: one element for each subscription.
        public var pendingRenewalInfo: [PendingRenewalInfo]
        /// ``latestReceipt`` in base 64, where somebody has it already; saves making it anew.
        package var latestReceiptText: [UInt8]?

        /// Makes the three.
        public init(
            latestReceiptInfo: [LatestTransaction],
            latestReceipt: [UInt8],
            pendingRenewalInfo: [PendingRenewalInfo]
        ) {
            self.latestReceiptInfo = latestReceiptInfo
            self.latestReceipt = latestReceipt
            self.pendingRenewalInfo = pendingRenewalInfo
        }
    }

    /// An element of `latest_receipt_info`.
    public enum LatestTransaction: Hashable, Sendable {
        /// The same as `in_app` has at a position of the receipt's purchases, which must be one of
        /// theirs.
        case inApp(Int)
        /// One that the receipt does not list, or of which more is known.
        case known(VerifyReceiptTransaction)
    }

    /// Makes an answer without subscriptions.
    public init(receipt: AppReceipt, requestDate: Instant) {
        self.receipt = receipt
        self.requestDate = requestDate
    }
}

/// An element of `in_app` or `latest_receipt_info`; its JSON values are all strings.
public struct VerifyReceiptTransaction: Hashable, Sendable {
    /// What a receipt can tell of it.
    ///
    /// `original_transaction_id` and what follows it are left out where they are unknown,
    /// `is_trial_period` is then "false".
    public var purchase: InAppPurchase
    /// `offer_code_ref_name`; not in a receipt.
    public var offerCodeRefName: String?
    /// `in_app_ownership_type`: PURCHASED or FAMILY_SHARED; not in a receipt.
    public var inAppOwnershipType: String?
    /// `subscription_group_identifier`; not in a receipt.
    public var subscriptionGroupIdentifier: String?
    /// `app_account_token`, a lower-case UUID; not in a receipt.
    public var appAccountToken: String?
    /// `is_upgraded`, written only when true; not in a receipt.
    public var isUpgraded: Bool?

    /// What a receipt tells of a purchase.
    public init(_ purchase: InAppPurchase) {
        self.purchase = purchase
    }
}

/// An element of `pending_renewal_info`; its JSON values are all strings.
///
/// What is unknown is nil and has no key.
public struct PendingRenewalInfo: Hashable, Sendable {
    /// `auto_renew_product_id`: the product at the next renewal.
    public var autoRenewProductId: String
    /// `product_id`: the product of the newest period.
    public var productId: String
    /// `original_transaction_id`.
    public var originalTransactionId: String
    /// `auto_renew_status`: "1" when the subscription will renew.
    public var autoRenewStatus: Bool
    /// `expiration_intent`: "1" to "5".
    public var expirationIntent: Int?
    /// `is_in_billing_retry_period`.
    public var isInBillingRetryPeriod: Bool?
    /// `grace_period_expires_date`, `_ms`, `_pst`.
    public var gracePeriodExpiresDate: Instant?
    /// `price_consent_status`.
    public var priceConsentStatus: Bool?
    /// `price_increase_status`.
    public var priceIncreaseStatus: Bool?
    /// `offer_code_ref_name`.
    public var offerCodeRefName: String?
    /// `promotional_offer_id`.
    public var promotionalOfferId: String?

    /// Makes an element of the four keys that Apple always sends.
    public init(
        originalTransactionId: String,
        productId: String,
        autoRenewProductId: String,
        autoRenewStatus: Bool
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
    }
}

/// What verifyReceipt answers to an iOS 6-style receipt: flat, and all strings but the statuses.
public struct TransactionReceiptAnswer: Hashable, Sendable {
    /// The receipt that was sent.
    public var receipt: TransactionReceipt
    /// What only auto-renewable subscriptions are answered with.
    public var subscription: Subscription?

    /// The keys of a subscription.
    public struct Subscription: Hashable, Sendable {
        /// `latest_receipt_info` or, when over, `latest_expired_receipt_info`.
        public var latest: TransactionReceipt
        /// `latest_receipt`: the bytes of the newest receipt; not sent when it is over.
        public var latestReceipt: [UInt8]
        /// `auto_renew_status`, here a number; answers before 2017 had none.
        public var autoRenewStatus: Bool?
        /// `auto_renew_product_id`; answers before 2017 had none.
        public var autoRenewProductId: String?
        /// `expiration_intent`, when it is over and the reason is known.
        public var expirationIntent: Int?
        /// `is_in_billing_retry_period`, when it is over and that is known.
        public var isInBillingRetryPeriod: Bool?
        /// Whether the newest known period is over.
        public var isExpired: Bool

        /// Makes the keys that Apple always sends.
        public init(
            latest: TransactionReceipt,
            latestReceipt: [UInt8],
            autoRenewStatus: Bool,
            autoRenewProductId: String,
            isExpired: Bool
        ) {
            self.latest = latest
            self.latestReceipt = latestReceipt
            self.autoRenewStatus = autoRenewStatus
            self.autoRenewProductId = autoRenewProductId
            self.isExpired = isExpired
        }
    }

    /// Whether the answer's status is 21006.
    public var isExpired: Bool { subscription?.isExpired ?? false }

    /// Makes an answer without a subscription.
    public init(receipt: TransactionReceipt) { self.receipt = receipt }
}
