public import AppStoreModel
public import CounterfoilBasics

/// A purchase as an iOS 6-style receipt tells of it; its ``receipt`` is what is signed.
///
/// What is nil is left out or filled as the App Store of the purchase's time would.
public struct TransactionPurchase: Hashable, Sendable {
    /// Where it was made: the sandbox, or production.
    public var environment: StoreEnvironment
    /// `bid`: the app's bundle identifier.
    public var bundleId: String
    /// `bvrs`: the app's CFBundleVersion.
    public var bundleVersion = "1"
    /// `product-id`: the product identifier of App Store Connect.
    public var productId: String
    /// `quantity`.
    public var quantity: Int64 = 1
    /// `transaction-id`: decimal digits.
    public var transactionId: String
    /// `original-transaction-id`; as the transaction's own when nil.
    public var originalTransactionId: String?
    /// `purchase-date`, `-ms`, `-pst`: true milliseconds stand in `-ms` alone.
    public var purchaseDate: Instant
    /// `original-purchase-date`, `-ms`, `-pst`; as the purchase date when nil.
    public var originalPurchaseDate: Instant?
    /// `expires-date` in milliseconds, `expires-date-formatted`, `-pst`: auto-renewables only.
    public var expiresDate: Instant?
    /// `web-order-line-item-id`: auto-renewables only; made up when nil.
    public var webOrderLineItemId: String?
    /// `is-trial-period`: on auto-renewables since 2017, and wherever it is set.
    public var isTrialPeriod: Bool?
    /// `is-in-intro-offer-period`: on auto-renewables since 2017, and wherever it is set.
    public var isInIntroOfferPeriod: Bool?
    /// `subscription-group-identifier`; left out when nil.
    public var subscriptionGroupIdentifier: String?
    /// `cancellation-date`, `-ms`, `-pst`; left out when nil.
    public var cancellationDate: Instant?
    /// `item-id`: the product's identifier in the App Store; made up when nil.
    public var itemId: String?
    /// `app-item-id`: made up when nil in production, left out when nil in the sandbox.
    public var appItemId: String?
    /// `version-external-identifier`: as the app item id.
    public var versionExternalIdentifier: String?
    /// `unique-identifier`: the device; made up when nil, from September 2012 on.
    public var uniqueIdentifier: String?
    /// `unique-vendor-identifier`: identifierForVendor; made up when nil, from 2013 on.
    public var uniqueVendorIdentifier: String?
    /// Whether dates stand in all three forms; receipts of 2011 have only the first.
    public var hasAllDateForms = true
    /// Decides what is made up.
    public var seed: UInt64 = 0

    /// Makes a purchase of the things that none may lack.
    ///
    /// - Parameters:
    ///   - bundleId: The app's bundle identifier.
    ///   - productId: The product identifier.
    ///   - transactionId: Decimal digits; in the sandbox 16 that begin with 1000000 or 20000.
    ///   - purchaseDate: When the App Store charged.
    ///   - environment: Where it was made.
    public init(
        bundleId: String,
        productId: String,
        transactionId: String,
        purchaseDate: Instant,
        environment: StoreEnvironment = .sandbox
    ) {
        self.bundleId = bundleId
        self.productId = productId
        self.transactionId = transactionId
        self.purchaseDate = purchaseDate
        self.environment = environment
    }

    /// The receipt of the purchase, its keys in the order of Apple's receipts of that shape.
    public var receipt: TransactionReceipt {
        var receipt = TransactionReceipt(
            bundleId: bundleId,
            productId: productId,
            transactionId: transactionId,
            purchaseDate: purchaseDate,
            purchaseInfo: TransactionKeyOrder.sorted(TransactionPurchaseKeys(self).values)
        )
        receipt.originalTransactionId = originalTransactionId ?? transactionId
        receipt.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        receipt.expiresDate = expiresDate
        receipt.webOrderLineItemId = receipt["web-order-line-item-id"]
        receipt.uniqueVendorIdentifier = receipt["unique-vendor-identifier"]
        receipt.environment = environment == .production ? nil : environment.rawValue
        receipt.pod = "100"
        receipt.signingStatus = "0"
        return receipt
    }
}

extension TransactionReceipt {
    /// The value of a signed key.
    subscript(key: String) -> String? {
        purchaseInfo.first { $0.key == key }?.value
    }
}

/// The keys of purchase-info and their values.
private struct TransactionPurchaseKeys {
    private(set) var values: [String: String] = [:]
    private let purchase: TransactionPurchase
    private let madeUp: AppReceiptDetails

    init(_ purchase: TransactionPurchase) {
        self.purchase = purchase
        madeUp = AppReceiptDetails(seed: purchase.seed)
        values["bid"] = purchase.bundleId
        values["bvrs"] = purchase.bundleVersion
        values["product-id"] = purchase.productId
        values["quantity"] = String(purchase.quantity)
        values["transaction-id"] = purchase.transactionId
        values["original-transaction-id"] =
            purchase.originalTransactionId ?? purchase.transactionId
        addDates(purchase.purchaseDate, "purchase-date")
        addDates(purchase.originalPurchaseDate ?? purchase.purchaseDate, "original-purchase-date")
        addDates(purchase.cancellationDate, "cancellation-date")
        addIdentifiers()
        values["is-trial-period"] = purchase.isTrialPeriod?.description
        values["is-in-intro-offer-period"] = purchase.isInIntroOfferPeriod?.description
        if let expiresDate = purchase.expiresDate { addSubscription(expiresDate) }
    }

    private mutating func addDates(_ instant: Instant?, _ key: String) {
        guard let instant else { return }
        values[key] = AppStoreDate.gmt(instant)
        guard purchase.hasAllDateForms else { return }
        values[key + "-ms"] = AppStoreDate.milliseconds(instant)
        values[key + "-pst"] = AppStoreDate.pst(instant)
    }

    private mutating func addIdentifiers() {
        let isProduction = purchase.environment == .production
        func number(_ range: ClosedRange<Int64>, _ purpose: String) -> String {
            String(madeUp.number(range, for: purpose))
        }
        values["item-id"] =
            purchase.itemId
            ?? number(400_000_000...999_999_999, "item id of " + purchase.productId)
        values["app-item-id"] =
            purchase.appItemId
            ?? (isProduction ? number(300_000_000...999_999_999, "app item id") : nil)
        values["version-external-identifier"] =
            purchase.versionExternalIdentifier
            ?? (isProduction ? number(800_000_000...899_999_999, "version") : nil)
        func isSince(_ date: Instant) -> Bool { purchase.purchaseDate >= date }
        values["unique-identifier"] =
            purchase.uniqueIdentifier
            ?? (isSince(FormatDate.deviceIdentifiers) ? deviceIdentifier() : nil)
        values["unique-vendor-identifier"] =
            purchase.uniqueVendorIdentifier
            ?? (isSince(FormatDate.vendorIdentifiers) ? vendorIdentifier() : nil)
    }

    private mutating func addSubscription(_ expiresDate: Instant) {
        values["expires-date"] = AppStoreDate.milliseconds(expiresDate)
        values["expires-date-formatted"] = AppStoreDate.gmt(expiresDate)
        values["expires-date-formatted-pst"] = AppStoreDate.pst(expiresDate)
        let purpose = "line item of " + purchase.transactionId
        let rest = madeUp.number(10_000_000...99_999_999, for: purpose)
        let lead: Int64 =
            purchase.environment == .production ? 260_000_000_000_000 : 1_000_000_000_000_000
        values["web-order-line-item-id"] = purchase.webOrderLineItemId ?? String(lead + rest)
        values["subscription-group-identifier"] = purchase.subscriptionGroupIdentifier
        guard purchase.purchaseDate >= FormatDate.offers else { return }
        values["is-trial-period"] = (purchase.isTrialPeriod ?? false).description
        values["is-in-intro-offer-period"] = (purchase.isInIntroOfferPeriod ?? false).description
    }

    private func deviceIdentifier() -> String {
        Hexadecimal.encode(madeUp.bytes(20, for: "device"))
    }

    /// A random UUID (RFC 9562 §5.4) in upper case.
    private func vendorIdentifier() -> String {
        UUIDText.lowercase(madeUp.bytes(16, for: "vendor")).uppercased()
    }
}
