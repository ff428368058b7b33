import AppStoreModel
package import CounterfoilBasics

/// One thing bought once, as a lineage knows it, whatever transactions it was given.
package struct Purchase: Hashable, Sendable {
    /// Names it.
    package let id: PurchaseID
    /// What is known of it.
    package let registers: PurchaseRegisters
    /// When it began.
    package let purchaseDate: Instant

    /// When the period ends; nil where there is no end.
    package var expiresDate: Instant? { registers.expiresDate.value ?? nil }

    /// That it was taken back.
    package var revocation: Revocation? { registers.revocation.value ?? nil }

    /// The product.
    package var productId: String? { registers.productId.value }

    /// Whether a subscription's period is meant: the kind says so, or an end does.
    package var isPeriod: Bool {
        switch registers.type.value {
        case .autoRenewableSubscription?: true
        case nil: expiresDate != nil
        default: false
        }
    }
}

extension Purchase {
    /// Where a purchase stands among those of its lineage: by the second of its begin and, of two
    /// that begin in one second, the upgraded one first, else the one that Apple numbered first.
    ///
    /// Receipts cut what is finer than a second, and perhaps of one of them alone.
    struct Begin: Hashable, Sendable, Comparable {
        let date: Instant
        let isUpgraded: Bool
        let id: PurchaseID

        /// Nil where no document says when it began.
        init?(of id: PurchaseID, _ registers: PurchaseRegisters) {
            guard let date = registers.purchaseDate else { return nil }
            self.date = date
            isUpgraded = registers.isUpgraded.value == true
            self.id = id
        }

        static func < (left: Begin, right: Begin) -> Bool {
            let seconds = (left.date.wholeSecond, right.date.wholeSecond)
            if seconds.0 != seconds.1 { return seconds.0 < seconds.1 }
            if left.isUpgraded != right.isUpgraded { return left.isUpgraded }
            return left.id < right.id
        }
    }
}

extension Lineage {
    /// The purchases in the order in which they began.
    package var purchases: [Purchase] {
        let known = withNamesJoined
        return known.beginsByName.values.sorted().compactMap(known.purchase)
    }

    /// When the first purchase began; nil where none is known to have begun.
    var firstBegin: Instant? { withNamesJoined.beginsByName.values.map(\.date).min() }

    /// The purchase that began last by an instant, and the first one after it.
    func purchases(around instant: Instant) -> (last: Purchase?, next: Purchase?) {
        let known = withNamesJoined
        var last: Purchase.Begin?
        var next: Purchase.Begin?
        for begin in known.beginsByName.values {
            if begin.date > instant {
                next = next.map { ($0.date, $0) < (begin.date, begin) ? $0 : begin } ?? begin
            } else {
                last = last.map { max($0, begin) } ?? begin
            }
        }
        return (last.flatMap(known.purchase), next.flatMap(known.purchase))
    }

    private func purchase(_ begin: Purchase.Begin) -> Purchase? {
        purchasesByName[begin.id].map {
            Purchase(id: begin.id, registers: $0, purchaseDate: begin.date)
        }
    }

    /// The same lineage, where a period that some document names by its begin alone is the one with
    /// a line item that another document shows with that begin.
    private var withNamesJoined: Lineage {
        var joined = self
        for (begin, documented) in documentedPeriods where documented.count == 1 {
            joined.rename(.undocumentedPeriod(begin: begin), to: documented[0])
        }
        return joined
    }

    /// The periods with a line item by their begins, where some document names a period by its begin
    /// alone.
    private var documentedPeriods: [Instant: [PurchaseID]] {
        var periods: [Instant: [PurchaseID]] = [:]
        for case .undocumentedPeriod(let begin) in beginsByName.keys { periods[begin] = [] }
        guard !periods.isEmpty else { return periods }
        for (id, registers) in purchasesByName {
            guard case .period = id else { continue }
            for begin in registers.begins { periods[begin]?.append(id) }
        }
        return periods
    }
}
