import AppStoreModel

extension Product {
    /// Refuses a product that could not be sold: a period without length would renew for ever.
    func validate() throws(StoreError) {
        try validate(prices)
        for code in codes { try validate(code: code) }
        guard let plan else { return }
        guard plan.level >= 1 else { throw .invalid(self, "the level \(plan.level)") }
        guard CalendarPeriod.ofPlans.contains(plan.period) else {
            throw .invalid(self, "the period \(plan.period.rawValue.prefix(16).debugDescription)")
        }
        if let commitment = plan.commitment, !(2...12).contains(commitment) {
            throw .invalid(self, "a commitment to \(commitment) periods")
        }
        for offer in plan.offers {
            try validate(offer)
        }
    }

    private func validate(_ offer: Offer) throws(StoreError) {
        guard let (count, _) = offer.duration?.length, (1...12).contains(count) else {
            let duration = offer.duration?.rawValue.prefix(16).debugDescription ?? "no time"
            throw .invalid(self, "an offer for \(duration)")
        }
        guard (offer.id == nil) == (offer.type == .introductory) else {
            throw .invalid(self, "an introductory offer with a name, or another without one")
        }
        let isPaid = offer.mode == .payAsYouGo || offer.mode == .payUpFront
        guard isPaid || offer.mode == .freeTrial, isPaid == (offer.prices != nil) else {
            throw .invalid(self, "an offer that is neither free nor paid in a subscriber's way")
        }
        if let prices = offer.prices { try validate(prices) }
    }

    private func validate(code: Offer) throws(StoreError) {
        guard plan == nil, code.type == .code, code.id != nil, code.mode == .oneTime,
            code.duration == nil, let prices = code.prices
        else {
            throw .invalid(self, "a code for one purchase that is none, or that no purchase takes")
        }
        try validate(prices)
    }

    /// Refuses prices that the product could not be sold for.
    func validate(_ prices: PriceList) throws(StoreError) {
        for price in [prices.base] + prices.byStorefront.values where !price.isValid {
            throw .invalid(self, "a price of \(price.milliunits.rawValue)")
        }
    }
}

extension Price {
    /// A million of the currency's units.
    static let most: Int64 = 1_000_000_000

    /// Whether it is from nothing to the most, as App Store Connect's are.
    var isValid: Bool { (0...Self.most).contains(milliunits.rawValue) }
}

extension CalendarPeriod {
    /// The lengths that App Store Connect knows.
    fileprivate static let ofPlans: Set<CalendarPeriod> = [
        .week, .month, CalendarPeriod(rawValue: "P2M"), CalendarPeriod(rawValue: "P3M"),
        CalendarPeriod(rawValue: "P6M"), .year,
    ]
}

extension StoreError {
    static func invalid(_ product: Product, _ what: String) -> StoreError {
        StoreError(
            invalidCatalogue,
            "the product \(product.id.prefix(256).debugDescription) has \(what)"
        )
    }
}
