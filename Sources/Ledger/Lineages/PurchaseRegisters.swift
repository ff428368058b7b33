package import AppStoreModel
package import CounterfoilBasics

/// Everything that is known of one purchase: a register for each thing that changes by itself.
package struct PurchaseRegisters: Hashable, Sendable {
    /// When the period ends.
    package internal(set) var expiresDate = Register<Instant?>()
    /// That it was taken back.
    package internal(set) var revocation = Register<Revocation?>()
    /// Whether a higher subscription took its place.
    package internal(set) var isUpgraded = Register<Bool>()
    /// Bought, or shared by the family.
    package internal(set) var ownership = Register<InAppOwnershipType>()
    /// The app's account that it was bought for.
    package internal(set) var appAccountToken = Register<PersonalReference>()
    /// The app download of the Apple account that has it: each family member has one of its own.
    package internal(set) var appTransactionId = Register<String>()
    /// The product.
    package internal(set) var productId = Register<String>()
    /// The kind of product.
    package internal(set) var type = Register<InAppPurchaseType>()
    /// The subscription group.
    package internal(set) var group = Register<String>()
    /// How many.
    package internal(set) var quantity = Register<Int64>()
    /// The offer that set the price.
    package internal(set) var offer = Register<OfferUsed>()
    /// What was paid.
    package internal(set) var price = Register<PricePaid>()
    /// The storefront.
    package internal(set) var storefront = Register<String>()
    /// Every transaction under which it was ever shown, with the dates that it was shown with.
    package internal(set) var transactions: [String: TransactionDates] = [:]

    /// The dates that one transaction of a purchase was shown with.
    package struct TransactionDates: Hashable, Sendable {
        /// The earliest begin.
        package internal(set) var purchaseDate: Instant?
        /// The earliest date of the first transaction.
        package internal(set) var originalPurchaseDate: Instant?
        /// The second of every begin that a document stated.
        var begins: Set<Instant> = []
    }

    package init() {}

    /// When it began: the earliest that any transaction of it states.
    package var purchaseDate: Instant? {
        transactions.values.reduce(nil) { Self.earlier($0, $1.purchaseDate) }
    }

    /// The second of every begin that a document shows it with.
    var begins: Set<Instant> { transactions.values.reduce(into: []) { $0.formUnion($1.begins) } }

    /// Takes in what a document says.
    mutating func join(_ claim: PurchaseClaim, _ stamp: Stamp) {
        expiresDate.join(claim.expiresDate, stamp)
        revocation.join(claim.revocation, stamp)
        isUpgraded.join(claim.isUpgraded, stamp)
        ownership.join(claim.ownership, stamp)
        appAccountToken.join(claim.appAccountToken, stamp)
        appTransactionId.join(claim.appTransactionId, stamp)
        productId.join(claim.productId, stamp)
        type.join(claim.type, stamp)
        group.join(claim.group, stamp)
        quantity.join(claim.quantity, stamp)
        offer.join(claim.offer, stamp)
        price.join(claim.price, stamp)
        storefront.join(claim.storefront, stamp)
        var dates = TransactionDates()
        dates.purchaseDate = claim.purchaseDate
        dates.originalPurchaseDate = claim.originalPurchaseDate
        if let begin = claim.purchaseDate { dates.begins = [begin.wholeSecond] }
        join(dates, of: claim.transactionId)
    }

    /// Takes in all that is known elsewhere of the same purchase.
    mutating func join(_ other: PurchaseRegisters) {
        expiresDate.join(other.expiresDate)
        revocation.join(other.revocation)
        isUpgraded.join(other.isUpgraded)
        ownership.join(other.ownership)
        appAccountToken.join(other.appAccountToken)
        appTransactionId.join(other.appTransactionId)
        productId.join(other.productId)
        type.join(other.type)
        group.join(other.group)
        quantity.join(other.quantity)
        offer.join(other.offer)
        price.join(other.price)
        storefront.join(other.storefront)
        for (id, dates) in other.transactions { join(dates, of: id) }
    }

    private mutating func join(_ dates: TransactionDates, of id: String) {
        let known = transactions[id, default: TransactionDates()]
        var joined = TransactionDates()
        joined.purchaseDate = Self.earlier(known.purchaseDate, dates.purchaseDate)
        joined.originalPurchaseDate = Self.earlier(
            known.originalPurchaseDate,
            dates.originalPurchaseDate
        )
        joined.begins = known.begins.union(dates.begins)
        transactions[id] = joined
    }

    private static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
