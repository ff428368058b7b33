package import AppStoreModel
package import CounterfoilBasics

/// One purchase as a row of a table, from a receipt of either style.
package struct PurchaseRow: Hashable, Sendable {
    /// The product identifier; empty where an unproved receipt lacks it.
    package let productId: String
    /// The kind of product; nil where the receipt does not say.
    package let productType: ProductType?
    /// How many were bought; nil where the receipt does not say.
    package let quantity: Int64?
    /// The transaction.
    package let transactionId: String
    /// The first transaction of the purchase.
    package let originalTransactionId: String?
    /// When the App Store charged, renewed or restored; nil where an unproved receipt lacks it.
    package let purchaseDate: Instant?
    /// When the first transaction was made.
    package let originalPurchaseDate: Instant?
    /// When a subscription period ends.
    package let expiresDate: Instant?
    /// When the purchase was refunded or revoked.
    package let cancellationDate: Instant?
    /// Why it was refunded, in Apple's digit.
    package let cancellationReason: String?
    /// Identifies a subscription period across restores.
    package let webOrderLineItemId: String?
    /// Whether the period is a free trial.
    package let isTrialPeriod: Bool?
    /// Whether the period is at an introductory price.
    package let isInIntroOfferPeriod: Bool?
    /// The promotional offer that was used.
    package let promotionalOfferId: String?
    /// Everything that an app receipt says of the purchase.
    package let attributes: ReceiptAttributes

    /// Whether the purchase is a subscription period that ends unless it is renewed.
    package var isSubscriptionPeriod: Bool { expiresDate != nil }

    /// Makes the row of a purchase in an app receipt.
    package init(_ purchase: InAppPurchase) {
        productId = purchase.productId
        productType = purchase.productType
        quantity = purchase.quantity
        transactionId = purchase.transactionId
        originalTransactionId = purchase.originalTransactionId
        purchaseDate = purchase.purchaseDate
        originalPurchaseDate = purchase.originalPurchaseDate
        expiresDate = purchase.expiresDate
        cancellationDate = purchase.cancellationDate
        cancellationReason = purchase.cancellationReason
        webOrderLineItemId = purchase.webOrderLineItemId
        isTrialPeriod = purchase.isTrialPeriod
        isInIntroOfferPeriod = purchase.isInIntroOfferPeriod
        promotionalOfferId = purchase.promotionalOfferId
        attributes = purchase.attributes
    }

    /// Makes the row of the one purchase of an iOS 6-style receipt.
    ///
    /// `date` is the purchase date where the receipt has a readable one.
    package init(_ receipt: TransactionReceipt, date: Instant?) {
        func text(_ key: String) -> String? {
            receipt.purchaseInfo.first { $0.key == key }?.value
        }
        func truth(_ key: String) -> Bool? { ["true": true, "false": false][text(key) ?? ""] }
        productId = receipt.productId
        productType = nil
        quantity = text("quantity").flatMap { Int64($0) }
        transactionId = receipt.transactionId
        originalTransactionId = receipt.originalTransactionId
        purchaseDate = date
        originalPurchaseDate = receipt.originalPurchaseDate
        expiresDate = receipt.expiresDate
        cancellationDate = text("cancellation-date-ms").flatMap { AppStoreDate.parse($0) }
        cancellationReason = text("cancellation-reason")
        webOrderLineItemId = receipt.webOrderLineItemId
        isTrialPeriod = truth("is-trial-period")
        isInIntroOfferPeriod = truth("is-in-intro-offer-period")
        promotionalOfferId = nil
        attributes = []
    }
}

extension ProductType {
    /// Apple's words for the kind of product; nil for one that nobody knows.
    package var name: String? {
        switch self {
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewingSubscription: "Non-Renewing Subscription"
        case .autoRenewableSubscription: "Auto-Renewable Subscription"
        case .freeSubscription: "Free Subscription"
        default: nil
        }
    }
}
