import AppStoreModel
import CounterfoilBasics
import Ledger

/// How a lineage stands, by ``PlainFold``.
struct PlainStanding: Hashable {
    var state: Standing.State
    var productId: String?
    /// When the period ends, or would.
    var expiresDate: Instant?
    var quantity: Int64 = 1
    /// When that changes by itself.
    var changesAt: Instant?

    init(_ state: Standing.State, _ purchase: PlainPurchase) {
        self.state = state
        productId = purchase.productId
        expiresDate = purchase.expiresDate
    }

    /// What there is to compare in an answer of the record.
    init?(_ standing: Standing?) {
        guard let standing else { return nil }
        state = standing.state
        productId = standing.productId
        expiresDate = standing.expiresDate
        quantity = standing.quantity
        changesAt = standing.nextChangeAt
    }
}

extension PlainFold {
    /// How a lineage stands at an instant, and until when by what is known.
    func standing(of original: String, at instant: Instant) -> PlainStanding? {
        guard let lineage = lineages[original] else { return nil }
        // A document may be dated five minutes ahead.
        let known = instant.advanced(by: .seconds(300))
        guard var standing = standing(of: lineage, at: instant, knownBy: known) else { return nil }
        standing.changesAt = lineage.turns(leeway).filter { $0 > instant }.sorted().first {
            let later = self.standing(of: lineage, at: $0, knownBy: known)
            return later?.state != standing.state || later?.expiresDate != standing.expiresDate
                || later?.productId != standing.productId
        }
        return standing
    }

    /// The same; of renewal counts what was said by an instant of its own.
    private func standing(
        of lineage: PlainLineage,
        at instant: Instant,
        knownBy known: Instant
    ) -> PlainStanding? {
        let begun = lineage.purchases.filter { $0.begin.map { $0 <= instant } ?? false }
        guard let newest = begun.max(by: { $0.place < $1.place }) else { return nil }
        if !lineage.isSubscription { return standing(ofOneTime: newest, at: instant) }
        if lineage.end(of: newest).map({ instant < $0 }) ?? true {
            return PlainStanding(.active, newest)
        }
        if let date = lineage.refund(of: newest), date <= instant {
            return PlainStanding(.revoked, newest)
        }
        return PlainStanding(state(of: lineage, after: newest, at: instant, known), newest)
    }

    private func standing(ofOneTime purchase: PlainPurchase, at instant: Instant) -> PlainStanding {
        let isConsumable =
            purchase.type.last().map { $0.value == .consumable }
            ?? purchase.productId.map(consumables.contains) ?? false
        var standing = PlainStanding(.active, purchase)
        if isConsumable {
            // As if never bought.
            standing.state = purchase.revocationDate == nil ? .credited : .revoked
            standing.quantity = purchase.quantity.last()?.value ?? 1
        } else if let date = purchase.revocationDate, date <= instant {
            standing.state = .revoked
        }
        return standing
    }

    /// How a subscription stands whose newest period is over.
    private func state(
        of lineage: PlainLineage,
        after newest: PlainPurchase,
        at instant: Instant,
        _ known: Instant
    ) -> Standing.State {
        let failure = lineage.failure.last(saidBy: known)
            .flatMap { $0.value.renewalDate.speaks(for: newest, $0.at) ? $0.value : nil }
        let choice = lineage.choice.last(saidBy: known)
            .flatMap { $0.value.renewalDate.speaks(for: newest, $0.at) ? $0.value : nil }
        if failure?.isRetrying == true {
            return failure?.graceEnd.map { instant < $0 } == true ? .grace : .billingRetry
        }
        guard choice?.status == .on, failure?.intent == nil, let end = newest.expiresDate,
            instant < end.advanced(by: leeway)
        else { return .expired }
        return .awaitingRenewal
    }
}

extension Instant? {
    /// Whether what was said of renewal, with this renewal date, is about a period.
    fileprivate func speaks(for period: PlainPurchase, _ saidAt: Instant) -> Bool {
        if let date = self { return date == period.expiresDate }
        return saidAt >= period.begin!.advanced(by: .seconds(-86_400))
    }
}

extension PlainPurchase {
    /// Where it stands among those of its lineage: receipts cut what is finer than a second, and of
    /// two that begin in one second the numbers tell.
    var place: (Instant, Int64) { (begin!.wholeSecond, lineItem.flatMap { Int64($0) } ?? 0) }
}

extension PlainLineage {
    /// When a period ends: at its expiry, its refund, or the begin of a later one of another product.
    func end(of period: PlainPurchase) -> Instant? {
        let successors = purchases.filter {
            $0.productId != period.productId && $0.place > period.place
        }
        return ([period.expiresDate, refund(of: period)] + successors.map(\.begin))
            .compactMap(\.self).min()
    }

    /// When a period was refunded; one taken back within five seconds of a later one's begin is an
    /// upgrade.
    func refund(of period: PlainPurchase) -> Instant? {
        guard let date = period.revocationDate else { return nil }
        let isUpgrade = purchases.contains {
            $0.place > period.place
                && abs(date.duration(since: $0.begin!).milliseconds) <= 5_000
        }
        return isUpgrade ? nil : date
    }

    /// Every instant at which something may change by itself.
    func turns(_ leeway: Duration) -> [Instant] {
        let ends = purchases.compactMap(\.expiresDate)
        return purchases.compactMap(\.begin) + purchases.compactMap(\.revocationDate) + ends
            + ends.map { $0.advanced(by: leeway) }
            + failure.said.compactMap(\.value.graceEnd)
    }
}
