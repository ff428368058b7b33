import AppStoreModel
import CounterfoilBasics

// What the developer does in App Store Connect.
extension LocalAppStore {
    /// Changes an app's products or settings: what is for sale, prices of new subscribers, offers,
    /// the grace period.
    ///
    /// Those who have a subscription keep its price.
    ///
    /// - Throws: `store.unknown_app`, `store.invalid_catalogue`.
    public mutating func change(
        _ bundleId: String,
        _ change: (inout StoreApp) -> Void
    ) throws(StoreError) {
        var app = try app(bundleId)
        change(&app)
        try add(app)
    }

    /// Raises or lowers the prices of a subscription for those who have it, too, storefront by
    /// storefront.
    ///
    /// Whoever agreed on a price in another currency than the storefront's new one keeps it: the two
    /// cannot be compared.
    ///
    /// A lower price holds from the next renewal on. A higher one needs the consent of each customer,
    /// unless it is no more than half again as much and no more than 5 of the currency's units (50
    /// for a year), and the last one without consent is a year ago (App Store Connect Help, "Manage
    /// pricing for auto-renewable subscriptions").
    ///
    /// - Throws: `store.unknown_app`, `store.unknown_product`, `store.invalid_catalogue`;
    ///   `store.not_possible` for a product that is no subscription.
    public mutating func setPrice(
        _ prices: PriceList,
        of productId: String,
        in bundleId: String
    ) throws(StoreError) {
        let product = try product(productId, of: bundleId)
        guard let plan = product.plan else {
            throw .notPossible("\(productId) is no subscription; its price holds for new purchases")
        }
        try product.validate(prices)
        for index in lineages.indices where lineages[index].bundleId == bundleId {
            let lineage = lineages[index]
            guard lineage.follows == nil, let renewal = lineage.renewal, renewal.isOn,
                renewal.productId == productId
            else { continue }
            let storefront = accounts[lineage.account.index].storefront
            let (old, new) = (renewal.price ?? product.prices[storefront], prices[storefront])
            if old.currency == new.currency { raise(index, from: old, to: new, plan) }
        }
        apps[bundleId]?[productId]?.prices = prices
    }

    /// Raises or lowers the price of a subscription for those who have it, too, to the same number
    /// in every storefront.
    ///
    /// - Throws: As for prices that differ.
    public mutating func setPrice(
        _ price: Price,
        of productId: String,
        in bundleId: String
    ) throws(StoreError) {
        try setPrice(PriceList(price), of: productId, in: bundleId)
    }

    private mutating func raise(
        _ index: Int,
        from old: Price,
        to new: Price,
        _ plan: Product.Plan
    ) {
        guard new.milliunits > old.milliunits else {
            lineages[index].renewal?.price = new
            lineages[index].renewal?.priceIncrease = nil
            return schedule(index)
        }
        let needsConsent = needsConsent(index, from: old, to: new, plan)
        lineages[index].renewal?.priceIncrease = Renewal.PriceIncrease(
            price: new,
            needsConsent: needsConsent,
            isAccepted: !needsConsent
        )
        if !needsConsent { lineages[index].renewal?.lastRaisedWithoutConsent = now }
        conclude(needsConsent ? .priceIncreaseAsked : .priceIncreaseAccepted, index)
    }

    private func needsConsent(
        _ index: Int,
        from old: Price,
        to new: Price,
        _ plan: Product.Plan
    ) -> Bool {
        let more = new.milliunits.rawValue - old.milliunits.rawValue
        let most: Int64 = plan.period == .year ? 50_000 : 5_000
        // Bounded, so that any rule can be multiplied by any price.
        let percent = Int64(min(max(rules.percentWithoutConsent, 0), 100_000_000))
        let isSmall = more <= most && more * 100 <= old.milliunits.rawValue * percent
        let last = lineages[index].renewal?.lastRaisedWithoutConsent
        let isRecent = last.map { now < pace.end(of: .year, from: $0) } ?? false
        return !isSmall || isRecent
    }

    /// Lets a customer agree to a higher price.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where nobody asked.
    public mutating func acceptPriceIncrease(
        _ number: TransactionNumber
    ) throws(StoreError) {
        let index = try payersSubscription(number)
        guard lineages[index].renewal?.priceIncrease?.isAccepted == false else {
            throw .notPossible("no consent to a higher price is asked for \(number)")
        }
        lineages[index].renewal?.priceIncrease?.isAccepted = true
        conclude(.priceIncreaseAccepted, index)
    }
}
