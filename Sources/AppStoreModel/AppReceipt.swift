public import CounterfoilBasics

/// An app receipt: what the App Store signed about one app on one device, and what was bought in
/// it (Apple, "Validating receipts on the device"; since iOS 7).
///
/// Numbers in the comments are receipt attribute types. A value is nil when its attribute is
/// absent or, for dates, empty; everything is in ``attributes`` as it was signed.
public struct AppReceipt: Hashable, Sendable {
    /// 0: the kind of store.
    public var receiptType: ReceiptType
    /// 1: the app's identifier in the App Store; 0 in the sandbox.
    public var appItemId: Int64?
    /// 2: the app's bundle identifier.
    public var bundleId: String
    /// 3: CFBundleVersion on iOS, CFBundleShortVersionString on macOS.
    public var applicationVersion: String?
    /// 4: opaque bytes that go into the device hash.
    public var opaqueValue: [UInt8]?
    /// 5: SHA-1 over device identifier, opaque value and bundle identifier, 20 bytes.
    public var sha1Hash: [UInt8]?
    /// 8: the creation date of the receipt from which this one was re-issued; nil in the sandbox.
    public var originalCreationDate: Instant?
    /// 12: when the App Store signed these bytes; certificates are judged at it.
    public var creationDate: Instant
    /// 15: may exceed 2^53; 0 in the sandbox.
    public var downloadId: Int64?
    /// 16: identifies the app's version; 0 in the sandbox.
    public var versionExternalIdentifier: Int64?
    /// 17: the purchases, in the receipt's own order, which means nothing.
    public var inApp: [InAppPurchase]
    /// 18: when the app was first bought or downloaded; 2013-08-01T07:00:00Z in the sandbox.
    public var originalPurchaseDate: Instant?
    /// 19: the version first bought; "1.0" in the sandbox, and may be empty.
    public var originalApplicationVersion: String?
    /// 21: when a Volume Purchase Program receipt ends; nil for never.
    public var expirationDate: Instant?
    /// 32: when the app was ordered before its release.
    public var preorderDate: Instant?
    /// Every attribute of the receipt, known or not, in its own order.
    public var attributes: ReceiptAttributes

    /// Makes a receipt of the three things that none may lack.
    public init(receiptType: ReceiptType, bundleId: String, creationDate: Instant) {
        self.receiptType = receiptType
        self.bundleId = bundleId
        self.creationDate = creationDate
        inApp = []
        attributes = []
    }

    /// The date that verifyReceipt shows as `receipt_creation_date`: attribute 8, else 12.
    public var displayedCreationDate: Instant { originalCreationDate ?? creationDate }

    /// Whether any purchase is an auto-renewable subscription.
    public var hasAutoRenewables: Bool { inApp.contains { $0.isAutoRenewable } }
}

/// One purchase listed in an app receipt: an attribute of type 17.
public struct InAppPurchase: Hashable, Sendable {
    /// 1701: how many were bought, 1 to 10.
    public var quantity: Int64
    /// 1702: the product identifier of App Store Connect.
    public var productId: String
    /// 1703: decimal digits; new for each renewal and each restore.
    public var transactionId: String
    /// 1704: when the App Store charged, renewed or restored.
    public var purchaseDate: Instant?
    /// 1705: the first transaction of this purchase; absent in Xcode.
    public var originalTransactionId: String?
    /// 1706: when that first transaction was made; absent in Xcode.
    public var originalPurchaseDate: Instant?
    /// 1707: the kind of product; absent in Xcode.
    public var productType: ProductType?
    /// 1708: when a subscription period ends.
    public var expiresDate: Instant?
    /// 1710: the product's identifier in the App Store; 0 in the sandbox.
    public var itemId: Int64?
    /// 1711: identifies a subscription period across restores; nil when 0 or absent.
    public var webOrderLineItemId: String?
    /// 1712: when the purchase was refunded or revoked.
    public var cancellationDate: Instant?
    /// 1713: whether the period is a free trial.
    public var isTrialPeriod: Bool?
    /// 1719: whether the period is at an introductory price; only on auto-renewables.
    public var isInIntroOfferPeriod: Bool?
    /// 1720 (unconfirmed): "1" for an issue with the app, "0" for another reason.
    public var cancellationReason: String?
    /// 1721: the promotional offer that was used.
    public var promotionalOfferId: String?
    /// Every attribute of the purchase, known or not, in its own order.
    public var attributes: ReceiptAttributes

    /// Makes a purchase of the two things that none may lack.
    public init(productId: String, transactionId: String) {
        quantity = 1
        self.productId = productId
        self.transactionId = transactionId
        attributes = []
    }

    /// Whether this is a period of a subscription that renews by itself.
    ///
    /// Attribute 1707 says so; receipts without it (Xcode) show it by their expiry date.
    public var isAutoRenewable: Bool {
        guard let productType else { return expiresDate != nil }
        return productType == .autoRenewableSubscription
    }
}
