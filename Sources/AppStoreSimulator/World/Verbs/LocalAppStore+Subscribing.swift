import AppStoreModel
import CounterfoilBasics

// How a purchase in a subscription group is understood.
extension LocalAppStore {
    mutating func subscribe(
        _ order: Order,
        _ plan: Product.Plan
    ) throws(StoreError) -> TransactionNumber {
        guard let index = subscription(in: plan.group, of: order) else {
            return try subscribeFirst(order, plan)
        }
        guard lineages[index].isAlive(at: now) else { return try resubscribe(order, plan, index) }
        if lineages[index].billingFailure != nil {
            return try replace(order, plan, index)
        }
        let present = try product(
            lineages[index].open(at: now)?.productId ?? order.product.id,
            of: order.bundleId
        )
        if present.id == order.product.id { return try keep(order, index) }
        return present.plan.map(plan.replacesAtOnce) ?? true
            ? try replace(order, plan, index) : try schedule(order, index)
    }

    /// The account's own subscription in a group.
    private func subscription(in group: SubscriptionGroup, of order: Order) -> Int? {
        lineagesOfAccounts[order.account.index].last { index in
            let lineage = lineages[index]
            return lineage.group == group && lineage.bundleId == order.bundleId
                && lineage.follows == nil
        }
    }

    private mutating func subscribeFirst(
        _ order: Order,
        _ plan: Product.Plan
    ) throws(StoreError) -> TransactionNumber {
        let terms = try terms(of: order, plan)
        try requirePayment(order.account, of: terms.price)
        let run = PeriodRun(from: bookingDate, terms.period)
        let purchase = period(order.product.id, terms, start: bookingDate, run: run, .purchase)
        var renewal = Renewal(productId: order.product.id, recentStart: bookingDate, run: run)
        renewal.renewalsLeft = pace.renewalLimit
        renewal.offer = terms.offerToCome
        renewal.price = terms.regularPrice
        let index = open(
            Lineage(
                original: purchase.number,
                account: order.account,
                bundleId: order.bundleId,
                ownership: .purchased,
                group: plan.group,
                purchases: [purchase],
                renewal: renewal,
                appAccountToken: order.token,
                lastSigned: now.advanced(by: .milliseconds(-1)),
                follows: nil
            )
        )
        conclude(.subscribed, index)
        return purchase.number
    }

    private mutating func resubscribe(
        _ order: Order,
        _ plan: Product.Plan,
        _ index: Int
    ) throws(StoreError) -> TransactionNumber {
        guard rules.keepsOriginalWhenResubscribing else {
            return try subscribeFirst(order, plan)
        }
        try requireNothingPaidAhead(index)
        let terms = try terms(of: order, plan)
        try requirePayment(order.account, of: terms.price)
        let last = lineages[index].newest
        let hasSameProduct = last.productId == order.product.id
        if let end = last.end, now > end.advanced(by: pace.forgivenLapse) {
            let date = bookingDate
            lineages[index].renewal?.recentStart = date
        }
        takeUp(order, terms, index)
        conclude(hasSameProduct ? .resubscribed : .resubscribedToOther, index)
        return lineages[index].newest.number
    }

    /// The order's product takes the place of the present one now.
    private mutating func replace(
        _ order: Order,
        _ plan: Product.Plan,
        _ index: Int
    ) throws(StoreError) -> TransactionNumber {
        let present = lineages[index].purchases.count - 1
        try requireNothingPaidAhead(index)
        let terms = try terms(of: order, plan)
        try requirePayment(order.account, of: terms.price)
        let wasFailing = lineages[index].billingFailure != nil
        let isSame = lineages[index].newest.productId == order.product.id
        if wasFailing {
            endBillingFailure(index)
        } else {
            let date = bookingDate
            lineages[index].purchases[present].upgradedAt = date
        }
        takeUp(order, terms, index)
        let event: Event =
            isSame ? .recovered : order.offerId == nil ? .upgraded : .offerRedeemedWithUpgrade
        conclude(event, index)
        return lineages[index].newest.number
    }

    /// Refuses to begin a period before another one that is paid already.
    private func requireNothingPaidAhead(_ index: Int) throws(StoreError) {
        let newest = lineages[index].newest
        guard newest.purchaseDate <= now else {
            throw StoreError(
                StoreError.renewalCharged,
                "the period from \(newest.purchaseDate) on is paid already; another one can be "
                    + "bought after it has begun"
            )
        }
    }

    /// Begins a period of the order's product in a lineage.
    private mutating func takeUp(_ order: Order, _ terms: Terms, _ index: Int) {
        let run = PeriodRun(from: bookingDate, terms.period)
        append(
            period(order.product.id, terms, start: bookingDate, run: run, .purchase),
            to: index
        )
        lineages[index].renewal?.begin(order.product.id, run, terms)
        if lineages[index].renewal?.renewalsLeft == 0 {
            lineages[index].renewal?.renewalsLeft = pace.renewalLimit
        }
        if let token = order.token { lineages[index].appAccountToken = token }
    }

    /// The present product again: what was scheduled or turned off is taken back, or an offer for
    /// the next period is redeemed.
    private mutating func keep(
        _ order: Order,
        _ index: Int
    ) throws(StoreError) -> TransactionNumber {
        let renewal = lineages[index].renewal
        let wasOff = renewal?.isOn == false || renewal?.renewsCommitment == false
        let hadOther = renewal?.productId != order.product.id
        let offer = try offerToCome(order)
        guard wasOff || hadOther || offer != nil else {
            throw StoreError(
                StoreError.alreadyOwned,
                "\(order.product.id) runs already and will renew"
            )
        }
        lineages[index].renewal?.isOn = true
        lineages[index].renewal?.renewsCommitment = true
        if hadOther {
            lineages[index].renewal?.undoPlanChange(to: order.product.id)
            conclude(.planChangeUndone, index)
        }
        if wasOff { conclude(.renewalTurnedOn, index) }
        if let offer {
            lineages[index].renewal?.offer = offer
            conclude(.offerRedeemed, index)
        }
        return lineages[index].newest.number
    }

    /// The order's product takes the place of the present one at the next renewal.
    private mutating func schedule(
        _ order: Order,
        _ index: Int
    ) throws(StoreError) -> TransactionNumber {
        let offer = try offerToCome(order)
        guard lineages[index].renewal?.productId != order.product.id || offer != nil else {
            throw StoreError(
                StoreError.alreadyOwned,
                "\(order.product.id) takes the present one's place at the next renewal already"
            )
        }
        let wasOff = lineages[index].renewal?.isOn == false
        let present = lineages[index].newest.productId
        lineages[index].renewal?.isOn = true
        lineages[index].renewal?.schedule(order.product.id, offer, inPlaceOf: present)
        if wasOff { conclude(.renewalTurnedOn, index) }
        conclude(offer == nil ? .planChangeScheduled : .offerRedeemedWithPlanChange, index)
        return lineages[index].newest.number
    }
}

extension Product.Plan {
    /// Whether a customer who has another plan of the group gets this one at once: it is higher, or
    /// of the same level and length (Apple, "Offer subscription upgrades and downgrades").
    func replacesAtOnce(_ present: Product.Plan) -> Bool {
        level < present.level || (level == present.level && period == present.period)
    }
}

extension Renewal {
    /// A period began that the customer chose.
    fileprivate mutating func begin(_ product: String, _ run: PeriodRun, _ terms: Terms) {
        isOn = true
        productId = product
        self.run = run
        offer = terms.offerToCome
        expirationIntent = nil
        priceIncrease = nil
        price = terms.regularPrice
        setAside = nil
        isChargeTried = false
        renewsCommitment = true
    }
}
