import AppStoreModel
package import CounterfoilBasics

extension Lineage {
    /// How the lineage stands at an instant under an app's rules; nil before its begin.
    ///
    /// A pure view: it depends on what is known and on nothing else. A period counts from its begin
    /// to the first of its end, its revocation and the begin of a later period of another product;
    /// the one that began last by the instant decides.
    package func standing(at instant: Instant, under rules: Rules) -> Standing? {
        let (last, next) = purchases(around: instant)
        guard let deciding = last else { return nil }
        guard deciding.isPeriod else {
            return oneTimeStanding(of: deciding, at: instant, under: rules)
        }
        return periodStanding(of: deciding, before: next, at: instant, under: rules)
    }

    private func periodStanding(
        of period: Purchase,
        before next: Purchase?,
        at instant: Instant,
        under rules: Rules
    ) -> Standing {
        var verdict = Verdict(of: self, period)
        let revocation = period.revocation.flatMap { $0.isUpgrade(to: next) ? nil : $0 }
        if let revocation, revocation.date <= instant {
            verdict.say(.revocation, period.registers.revocation.stamp)
            return verdict.standing(.revoked, since: revocation.date, next: next?.purchaseDate)
        }
        verdict.say(.expiresDate, period.registers.expiresDate.stamp)
        guard let end = period.expiresDate, end <= instant else {
            let change = [period.expiresDate, revocation?.date, next?.purchaseDate]
                .compactMap(\.self).min()
            return verdict.standing(.active, since: period.purchaseDate, next: change)
        }
        if let failure = failure(of: period), failure.value.isInBillingRetry {
            verdict.say(.renewalFailure, failure.stamp, first: true)
            if let grace = failure.value.gracePeriodExpiresDate, instant < grace {
                let change = [grace, next?.purchaseDate].compactMap(\.self).min()
                return verdict.standing(.grace, since: end, next: change)
            }
            return verdict.standing(
                .billingRetry,
                since: failure.value.gracePeriodExpiresDate ?? end,
                next: next?.purchaseDate
            )
        }
        let leewayEnd = end.advanced(by: rules.renewalLeeway)
        if instant < leewayEnd, let choice = choice(of: period), choice.value.isOn,
            failure(of: period).map({ $0.value.expirationIntent == nil }) ?? true
        {
            verdict.say(.renewalChoice, choice.stamp, first: true)
            verdict.reasons.append(.rule(.renewalLeeway))
            let change = [leewayEnd, next?.purchaseDate].compactMap(\.self).min()
            return verdict.standing(.awaitingRenewal, since: end, next: change)
        }
        return verdict.standing(.expired, since: end, next: next?.purchaseDate)
    }

    private func oneTimeStanding(
        of purchase: Purchase,
        at instant: Instant,
        under rules: Rules
    ) -> Standing {
        var verdict = Verdict(of: self, purchase)
        let type = purchase.registers.type.value ?? purchase.type(under: rules)
        let isConsumable = type == .consumable
        // Credits of a refunded purchase count as never given; access counted until the refund.
        if let revocation = purchase.revocation, isConsumable || revocation.date <= instant {
            verdict.say(.revocation, purchase.registers.revocation.stamp)
            return verdict.standing(.revoked, since: revocation.date, next: nil)
        }
        if isConsumable {
            verdict.say(.quantity, purchase.registers.quantity.stamp)
            return verdict.standing(.credited, since: purchase.purchaseDate, next: nil)
        }
        if type == .nonRenewingSubscription,
            let duration = purchase.productId.flatMap({ rules.products[$0]?.duration })
        {
            verdict.reasons.append(.rule(.duration))
            let end = purchase.purchaseDate.advanced(by: duration)
            return instant < end
                ? verdict.standing(
                    .active,
                    since: purchase.purchaseDate,
                    next: [end, purchase.revocation?.date].compactMap(\.self).min()
                ) : verdict.standing(.expired, since: end, next: nil)
        }
        verdict.say(.revocation, purchase.registers.revocation.stamp)
        return verdict.standing(
            .active,
            since: purchase.purchaseDate,
            next: purchase.revocation?.date
        )
    }
}

extension Purchase {
    /// The kind that the app's catalogue tells; iOS 6-style receipts and version 1 have no word for
    /// it.
    fileprivate func type(under rules: Rules) -> InAppPurchaseType? {
        guard let rule = productId.flatMap({ rules.products[$0] }) else { return nil }
        if rule.credits > 0 { return .consumable }
        return rule.duration == nil ? nil : .nonRenewingSubscription
    }
}

extension Revocation {
    /// Whether it marks an upgrade and no refund: receipts show a period that a higher one replaced
    /// as taken back within five seconds of that one's begin.
    fileprivate func isUpgrade(to next: Purchase?) -> Bool {
        guard let next, next.isPeriod else { return false }
        let gap = next.purchaseDate.duration(since: date)
        return gap <= .seconds(5) && gap >= .seconds(-5)
    }
}

// MARK: - What renewal says of a period

extension Lineage {
    /// Renewal state speaks for a period whose end it names or, where it names none, if it was said
    /// no earlier than a day before the period began.
    private func speaks(_ renewalDate: Instant?, _ stamp: Stamp, of period: Purchase) -> Bool {
        // Receipts cut what is finer than a second.
        if let renewalDate {
            return renewalDate.wholeSecond == period.expiresDate?.wholeSecond
        }
        return stamp.attestedAt >= period.purchaseDate.advanced(by: .seconds(-86_400))
    }

    private func failure(of period: Purchase) -> (value: RenewalFailure, stamp: Stamp)? {
        guard let value = failure.value, let stamp = failure.stamp,
            speaks(value.renewalDate, stamp, of: period)
        else { return nil }
        return (value, stamp)
    }

    private func choice(of period: Purchase) -> (value: RenewalChoice, stamp: Stamp)? {
        guard let value = choice.value, let stamp = choice.stamp,
            speaks(value.renewalDate, stamp, of: period)
        else { return nil }
        return (value, stamp)
    }
}

/// A standing in the making.
private struct Verdict {
    let lineage: Lineage
    let purchase: Purchase
    var reasons: [Reason] = []

    init(of lineage: Lineage, _ purchase: Purchase) {
        self.lineage = lineage
        self.purchase = purchase
    }

    mutating func say(_ about: Reason.About, _ stamp: Stamp?, first: Bool = false) {
        guard let stamp else { return }
        reasons.insert(.said(about, stamp), at: first ? 0 : reasons.count)
    }

    func standing(_ state: Standing.State, since: Instant, next: Instant?) -> Standing {
        Standing(
            lineage: lineage.id,
            purchase: purchase.id,
            productId: purchase.productId,
            state: state,
            since: since,
            nextChangeAt: next,
            expiresDate: purchase.expiresDate,
            quantity: purchase.registers.quantity.value ?? 1,
            renewal: purchase.isPeriod ? lineage.choice.value : nil,
            renewalSaidAt: purchase.isPeriod ? lineage.choice.stamp?.attestedAt : nil,
            revocationSaidAt: purchase.registers.revocation.stamp?.attestedAt,
            reasons: reasons
        )
    }
}
