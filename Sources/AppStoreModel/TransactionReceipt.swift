public import CounterfoilBasics

/// An iOS 6-style receipt of one transaction: `SKPaymentTransaction.transactionReceipt`.
///
/// `purchaseInfo` is what was signed. The other three keys of the outer list are *unsigned*: their
/// holder can change or delete them.
public struct TransactionReceipt: Hashable, Sendable {
    /// A key and its value, both as written.
    public struct Entry: Hashable, Sendable {
        /// The key, with hyphens, as in the receipt.
        public var key: String
        /// The text of the value.
        public var value: String

        /// Makes an entry.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Every key of the signed purchase-info, known or not, in its own order.
    public var purchaseInfo: [Entry]
    /// `bid`: the app's bundle identifier.
    public var bundleId: String
    /// `product-id`: the product identifier of App Store Connect.
    public var productId: String
    /// `transaction-id`: decimal digits.
    public var transactionId: String
    /// `original-transaction-id`: the first transaction of this purchase.
    public var originalTransactionId: String?
    /// `purchase-date-ms`, else `purchase-date`: when the App Store charged.
    public var purchaseDate: Instant
    /// `original-purchase-date-ms`, else `original-purchase-date`.
    public var originalPurchaseDate: Instant?
    /// `expires-date` (milliseconds): when the period ends; only on auto-renewables.
    public var expiresDate: Instant?
    /// `web-order-line-item-id`: identifies a period across restores; nil when 0 or absent.
    public var webOrderLineItemId: String?
    /// `unique-vendor-identifier`: identifierForVendor of the device.
    public var uniqueVendorIdentifier: String?
    /// `environment`, *unsigned*: "Sandbox" or absent.
    public var environment: String?
    /// `pod`, *unsigned*: a data-centre index.
    public var pod: String?
    /// `signing-status`, *unsigned*.
    public var signingStatus: String?

    /// Makes a receipt of the things that none may lack.
    public init(
        bundleId: String,
        productId: String,
        transactionId: String,
        purchaseDate: Instant,
        purchaseInfo: [Entry]
    ) {
        self.bundleId = bundleId
        self.productId = productId
        self.transactionId = transactionId
        self.purchaseDate = purchaseDate
        self.purchaseInfo = purchaseInfo
    }

    /// Whether this is a period of a subscription that renews by itself.
    public var isAutoRenewable: Bool { expiresDate != nil }
}
