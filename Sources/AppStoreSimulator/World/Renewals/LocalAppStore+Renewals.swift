import AppStoreModel
import CounterfoilBasics

// What happens to a subscription by itself.
extension LocalAppStore {
    /// When a lineage must be looked at next, because something happens to it by itself.
    func nextDue(of lineage: Lineage) -> Instant? {
        // Family members' subscriptions go as that of the one who pays.
        guard let renewal = lineage.renewal, lineage.follows == nil else { return nil }
        if let failure = lineage.billingFailure {
            if let graceEnd = failure.graceEnd, !failure.isGraceTold {
                return min(graceEnd, failure.retryEnd)
            }
            return failure.retryEnd
        }
        guard renewal.expirationIntent == nil, let end = lineage.newest.expiresDate else {
            return nil
        }
        let isRenewing = renewal.isOn && lineage.newest.revocation == nil
        guard isRenewing, !renewal.isChargeTried else { return end }
        return max(end.advanced(by: .zero - chargeLead), lineage.newest.purchaseDate)
    }

    /// How long before its begin a period is charged.
    private var chargeLead: Duration {
        pace.isReal ? min(max(rules.chargeLead, .zero), .seconds(86_400)) : .zero
    }

    /// Does what is due for a lineage at this instant.
    mutating func settle(_ index: Int) {
        if let failure = lineages[index].billingFailure {
            if failure.retryEnd <= now {
                endBillingFailure(index)
                expire(index, .billingError)
            } else {
                lineages[index].billingFailures[lineages[index].billingFailures.count - 1]
                    .isGraceTold = true
                conclude(.gracePeriodEnded, index)
            }
            return
        }
        let newest = lineages[index].newest
        guard let renewal = lineages[index].renewal, let end = newest.expiresDate else { return }
        if renewal.isOn, newest.revocation == nil {
            charge(index, renewal, end)
        } else if newest.revocation != nil {
            // The refund told of the end already.
            lineages[index].renewal?.isOn = false
            lineages[index].renewal?.expirationIntent = .customerCancelled
            schedule(index)
        } else {
            expire(index, .customerCancelled)
        }
    }

    /// Charges the next period, or does what follows where that cannot be.
    private mutating func charge(_ index: Int, _ renewal: Renewal, _ end: Instant) {
        let obstacle = obstacle(to: renewal, of: index)
        guard let obstacle else { return renew(index, at: end, .renewed) }
        guard now >= end else {
            // It is tried again when the period is over.
            lineages[index].renewal?.isChargeTried = true
            return schedule(index)
        }
        switch obstacle {
        case .paymentFails: beginBillingFailure(index, end)
        case .notForSale: expire(index, .productNotAvailable)
        case .consentMissing: expire(index, .noConsentToPriceIncrease)
        }
    }

    private enum Obstacle {
        case paymentFails
        case notForSale
        case consentMissing
    }

    private func obstacle(to renewal: Renewal, of index: Int) -> Obstacle? {
        let product = apps[lineages[index].bundleId]?[renewal.productId]
        guard product?.isForSale == true else { return .notForSale }
        if let increase = renewal.priceIncrease, increase.needsConsent, !increase.isAccepted {
            return .consentMissing
        }
        let price = nextTerms(of: index)?.price.milliunits.rawValue ?? 0
        let payment = accounts[lineages[index].account.index].payment
        return price > 0 && payment == .fails ? .paymentFails : nil
    }

    /// What the next period of a subscription will be sold for; nil where its product is gone.
    func nextTerms(of index: Int) -> Terms? {
        let lineage = lineages[index]
        guard let renewal = lineage.renewal,
            let product = apps[lineage.bundleId]?[renewal.productId], let plan = product.plan
        else { return nil }
        let storefront = accounts[lineage.account.index].storefront
        let offer = renewal.offer
        let regularPrice = renewal.regularPrice(of: product, in: storefront)
        var rest = offer
        rest?.periods -= 1
        return Terms(
            period: offer?.offer.period(of: plan) ?? plan.period,
            price: offer?.price ?? regularPrice,
            regularPrice: regularPrice,
            offer: offer?.offer,
            offerToCome: rest.flatMap { $0.periods > 0 ? $0 : nil },
            storefront: storefront,
            commitment: plan.commitment
        )
    }

    /// Begins the next period.
    mutating func renew(_ index: Int, at start: Instant, _ event: Event) {
        guard let renewal = lineages[index].renewal, let terms = nextTerms(of: index) else {
            return
        }
        let goesOn = pace.end(of: renewal.run) == start
        let run =
            (goesOn ? renewal.run.followed(by: terms.period) : nil)
            ?? PeriodRun(from: start, terms.period)
        let previous = lineages[index].newest
        append(
            period(renewal.productId, terms, start: start, run: run, .renewal, after: previous),
            to: index
        )
        lineages[index].renewal?.run = run
        lineages[index].renewal?.offer = terms.offerToCome
        lineages[index].renewal?.isChargeTried = false
        if lineages[index].newest.instalment?.isLast == true, !renewal.renewsCommitment {
            lineages[index].renewal?.isOn = false
        }
        lineages[index].renewal?.price = terms.regularPrice
        lineages[index].renewal?.priceIncrease = nil
        lineages[index].renewal?.setAside = nil
        conclude(event, index)
        countRenewal(index)
    }

    /// Test environments renew a subscription so many times and then turn its renewal off.
    private mutating func countRenewal(_ index: Int) {
        guard let left = lineages[index].renewal?.renewalsLeft else { return }
        lineages[index].renewal?.renewalsLeft = max(left, 1) - 1
        guard left <= 1 else { return }
        lineages[index].renewal?.isOn = false
        if rules.tellsOfRenewalLimit {
            conclude(.renewalTurnedOff, index)
        } else {
            schedule(index)
        }
    }

    /// Ends a subscription.
    mutating func expire(_ index: Int, _ intent: ExpirationIntent) {
        lineages[index].renewal?.expirationIntent = intent
        lineages[index].renewal?.isOn = false
        lineages[index].renewal?.offer = nil
        let event: Event =
            switch intent {
            case .customerCancelled: .expiredByChoice
            case .billingError: .expiredUnpaid
            case .noConsentToPriceIncrease: .expiredWithoutConsent
            case .productNotAvailable: .expiredNotForSale
            default: .expired
            }
        conclude(event, index)
    }
}

// MARK: - Payments that fail

extension LocalAppStore {
    private mutating func beginBillingFailure(_ index: Int, _ end: Instant) {
        let newest = lineages[index].newest
        let app = apps[lineages[index].bundleId]
        let period = app?[newest.productId]?.plan?.period ?? .month
        let setting = app?.gracePeriod
        let isCovered = setting?.scope == .allRenewals || newest.price.milliunits.rawValue > 0
        let grace = isCovered ? setting.map { pace.gracePeriod($0.length, of: period) } : nil
        lineages[index].billingFailures.append(
            BillingFailure(
                begin: end,
                graceEnd: grace.map { end.advanced(by: $0) },
                retryEnd: end.advanced(by: pace.billingRetry)
            )
        )
        lineages[index].renewal?.isChargeTried = false
        conclude(grace == nil ? .billingFailed : .billingFailedInGrace, index)
    }

    /// Puts down that a failure is over.
    mutating func endBillingFailure(_ index: Int) {
        let last = lineages[index].billingFailures.count - 1
        guard last >= 0 else { return }
        let date = bookingDate
        lineages[index].billingFailures[last].end = date
    }

    /// Charges what could not be charged.
    ///
    /// Within the grace period the old days of billing are kept; after it the new period begins
    /// now.
    mutating func recover(_ index: Int) {
        guard let failure = lineages[index].billingFailure,
            let renewal = lineages[index].renewal, obstacle(to: renewal, of: index) == nil
        else { return }
        let start = failure.isInGrace(at: now) ? failure.begin : bookingDate
        endBillingFailure(index)
        renew(index, at: start, .recovered)
    }
}
