import AppStoreModel
import CounterfoilBasics

/// What a period is sold for.
struct Terms {
    let period: CalendarPeriod
    let price: Price
    /// What periods cost without an offer, which holds for all that follow.
    let regularPrice: Price
    let offer: AppliedOffer?
    let offerToCome: Renewal.PendingOffer?
    let storefront: Storefront
    let commitment: Int?
}

extension LocalAppStore {
    /// The terms of a period that a customer buys now.
    func terms(of order: Order, _ plan: Product.Plan) throws(StoreError) -> Terms {
        let storefront = accounts[order.account.index].storefront
        let full = order.product.prices[storefront]
        guard let offer = try offer(of: order, plan) else {
            return Terms(
                period: plan.period,
                price: full,
                regularPrice: full,
                offer: nil,
                offerToCome: nil,
                storefront: storefront,
                commitment: plan.commitment
            )
        }
        let pending = pending(offer, plan, full, storefront)
        let rest = pending.periods > 1
        return Terms(
            period: pending.offer.period(of: plan),
            price: pending.price,
            regularPrice: full,
            offer: pending.offer,
            offerToCome: rest
                ? Renewal.PendingOffer(
                    offer: pending.offer,
                    price: pending.price,
                    periods: pending.periods - 1
                ) : nil,
            storefront: storefront,
            commitment: nil
        )
    }

    /// The offer that a customer gets from the next renewal on; nil when none was asked for.
    func offerToCome(_ order: Order) throws(StoreError) -> Renewal.PendingOffer? {
        guard order.offerId != nil, let plan = order.product.plan else { return nil }
        let storefront = accounts[order.account.index].storefront
        return try offer(of: order, plan).map {
            pending($0, plan, order.product.prices[storefront], storefront)
        }
    }

    private func pending(
        _ offer: Offer,
        _ plan: Product.Plan,
        _ full: Price,
        _ storefront: Storefront
    ) -> Renewal.PendingOffer {
        Renewal.PendingOffer(
            offer: AppliedOffer(offer),
            price: offer.prices?[storefront] ?? full.free,
            periods: offer.mode == .payAsYouGo
                ? offer.duration.map(plan.periods(in:)) ?? 1 : 1
        )
    }

    /// The offer that was asked for, or the introductory one where the customer is new to the
    /// group.
    private func offer(of order: Order, _ plan: Product.Plan) throws(StoreError) -> Offer? {
        let past = lineages(of: order.account, in: order.bundleId)
            .filter { $0.group == plan.group && $0.follows == nil }
            .flatMap(\.purchases)
        guard let id = order.offerId else {
            return past.isEmpty ? plan.offers.first { $0.type == .introductory } : nil
        }
        let offer = try order.product.offer(id)
        let isLapsed = past.last?.end.map { $0 <= now } ?? false
        let isEligible =
            switch offer.type {
            case .promotional: !past.isEmpty
            case .winBack: isLapsed
            default: true
            }
        guard isEligible else {
            throw StoreError(
                StoreError.notEligible,
                "the offer \(id) is for \(offer.type == .winBack ? "lapsed" : "present and lapsed") "
                    + "subscribers; this customer is none"
            )
        }
        return offer
    }

    /// A new period under the terms.
    ///
    /// - Parameters:
    ///   - productId: The product.
    ///   - terms: What it is sold for.
    ///   - start: When it begins.
    ///   - run: The periods that it is the last of, which say when it ends.
    ///   - reason: Whether somebody bought it or it renewed by itself.
    ///   - previous: The period before, whose commitment goes on.
    /// - Returns: The period, which no lineage holds yet.
    mutating func period(
        _ productId: String,
        _ terms: Terms,
        start: Instant,
        run: PeriodRun,
        _ reason: TransactionReason,
        after previous: Purchase? = nil
    ) -> Purchase {
        var purchase = Purchase(
            number: numbers.transaction(),
            productId: productId,
            type: .autoRenewableSubscription,
            quantity: 1,
            purchaseDate: start,
            expiresDate: pace.end(of: run),
            lineItem: numbers.lineItem(),
            reason: reason,
            price: terms.price,
            offer: terms.offer,
            storefront: terms.storefront
        )
        if let previous, previous.productId == productId, let instalment = previous.instalment,
            !instalment.isLast
        {
            purchase.instalment = instalment.next
        } else if let count = terms.commitment {
            purchase.instalment = Purchase.Instalment(
                number: 1,
                count: count,
                ends: pace.end(of: terms.period, count: count, from: start),
                price: terms.price.times(Int64(count))
            )
        }
        return purchase
    }
}

extension Product {
    /// The offer of a name.
    func offer(_ id: String) throws(StoreError) -> Offer {
        if let offer = namedOffers.first(where: { $0.id == id }) { return offer }
        let names = namedOffers.compactMap(\.id)
        throw StoreError(
            StoreError.unknownOffer,
            "\(self.id) has no offer \(id.prefix(64).debugDescription); expected "
                + (names.isEmpty ? "none" : "one of " + names.joined(separator: ", "))
        )
    }
}

extension AppliedOffer {
    /// How long a period of a plan is under it: the plan's own length where it is paid as one goes.
    func period(of plan: Product.Plan) -> CalendarPeriod {
        mode == .payAsYouGo ? plan.period : duration ?? plan.period
    }
}

extension Product.Plan {
    /// How many of its periods an offer lasts that is paid as one goes.
    func periods(in duration: CalendarPeriod) -> Int {
        guard let (count, unit) = duration.length, let (own, ownUnit) = period.length,
            own > 0
        else { return 1 }
        func inMonths(_ count: Int, _ unit: CalendarPeriod.Unit) -> Int? {
            switch unit {
            case .month: count
            case .year: 12 * count
            case .day, .week: nil
            }
        }
        if let all = inMonths(count, unit), let one = inMonths(own, ownUnit) {
            return max(1, all / one)
        }
        return unit == ownUnit ? max(1, count / own) : 1
    }
}
