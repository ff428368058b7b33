package import AppStoreModel
package import CounterfoilBasics

/// What one document says about one lineage, as of the instant at which it was said.
///
/// Statements come from proved or vouched documents and from nothing else.
package struct Statement: Hashable, Sendable {
    /// The lineage.
    package let lineage: LineageID
    /// When it was said, how well it is proved, and by which document.
    package let stamp: Stamp
    /// What it says about purchases.
    package let purchases: [PurchaseClaim]
    /// What it says about the renewal.
    package let renewal: RenewalClaim
}

/// What a document says about one purchase.
package struct PurchaseClaim: Hashable, Sendable {
    /// The purchase.
    package let id: PurchaseID
    /// The transaction under which the document shows it.
    package let transactionId: String
    /// When it began under that transaction.
    package let purchaseDate: Instant?
    /// When the first transaction was made, as this document has it.
    package let originalPurchaseDate: Instant?
    /// When the period ends; saying nil is saying that there is no end.
    package var expiresDate = Said<Instant?>.silent
    /// That it was taken back, or that it was not.
    package var revocation = Said<Revocation?>.silent
    /// Whether a higher subscription took its place.
    package var isUpgraded = Said<Bool>.silent
    /// Bought, or shared by the family.
    package var ownership = Said<InAppOwnershipType>.silent
    /// The app's account that it was bought for; absence never unlinks.
    package var appAccountToken = Said<PersonalReference>.silent
    /// The app download of the Apple account that has it.
    package var appTransactionId = Said<String>.silent
    /// The product.
    package var productId = Said<String>.silent
    /// The kind of product.
    package var type = Said<InAppPurchaseType>.silent
    /// The subscription group.
    package var group = Said<String>.silent
    /// How many.
    package var quantity = Said<Int64>.silent
    /// The offer that set the price.
    package var offer = Said<OfferUsed>.silent
    /// What was paid.
    package var price = Said<PricePaid>.silent
    /// The storefront, by ISO 3166-1 alpha-3.
    package var storefront = Said<String>.silent

    package init(
        id: PurchaseID,
        transactionId: String,
        purchaseDate: Instant?,
        originalPurchaseDate: Instant?
    ) {
        self.id = id
        self.transactionId = transactionId
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
    }
}

/// What a document says about the renewal of a subscription.
package struct RenewalClaim: Hashable, Sendable {
    /// Whether it renews, and as what.
    package var choice = Said<RenewalChoice>.silent
    /// What became of a payment that was due.
    package var failure = Said<RenewalFailure>.silent
    /// What the customer answered to a higher price.
    package var priceConsent = Said<PriceConsent>.silent

    /// Says nothing.
    package static let silent = RenewalClaim()

    package init() {}
}
