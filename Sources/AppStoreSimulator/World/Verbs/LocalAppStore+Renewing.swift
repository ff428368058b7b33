import AppStoreModel
import CounterfoilBasics

// What a customer does to the renewal of a subscription.
extension LocalAppStore {
    /// Turns renewal off, as customers do in Settings: access is kept to the end of the period, and
    /// under a commitment the instalments go on to its end.
    ///
    /// While a payment fails it ends the subscription at once, because nothing is tried any more.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it is off already or the
    ///   subscription is over.
    public mutating func turnRenewalOff(_ number: TransactionNumber) throws(StoreError) {
        let index = try payersSubscription(number)
        guard lineages[index].renewal?.isOn == true else {
            throw .notPossible("the renewal of \(number) is off already")
        }
        if let instalment = lineages[index].newest.instalment, !instalment.isLast,
            lineages[index].billingFailure == nil
        {
            guard lineages[index].renewal?.renewsCommitment == true else {
                throw .notPossible("the commitment of \(number) ends already")
            }
            lineages[index].renewal?.renewsCommitment = false
            return conclude(.renewalTurnedOff, index)
        }
        let isAtPriceIncrease = lineages[index].renewal?.priceIncrease != nil
        lineages[index].renewal?.isOn = false
        conclude(
            isAtPriceIncrease ? .renewalTurnedOffAtPriceIncrease : .renewalTurnedOff,
            index
        )
        if lineages[index].billingFailure != nil {
            endBillingFailure(index)
            expire(index, .customerCancelled)
        }
    }

    /// Turns renewal on again before the period is over.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it is on already or the
    ///   subscription is over.
    public mutating func turnRenewalOn(_ number: TransactionNumber) throws(StoreError) {
        let index = try payersSubscription(number)
        guard let renewal = lineages[index].renewal, renewal.expirationIntent == nil,
            !renewal.isOn || !renewal.renewsCommitment, lineages[index].newest.revocation == nil
        else {
            throw .notPossible(
                "the renewal of \(number) is on already, or the subscription is over"
            )
        }
        lineages[index].renewal?.isOn = true
        lineages[index].renewal?.renewsCommitment = true
        conclude(.renewalTurnedOn, index)
    }

    /// Ends a subscription for a reason of the store's own.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it is over,
    ///   `store.renewal_charged`.
    public mutating func end(_ number: TransactionNumber) throws(StoreError) {
        let index = try payersSubscription(number)
        guard lineages[index].isAlive(at: now) else { throw .notPossible("\(number) is over") }
        let newest = lineages[index].purchases.count - 1
        guard lineages[index].purchases[newest].purchaseDate <= now else {
            throw StoreError(
                StoreError.renewalCharged,
                "the next period of \(number) is paid already"
            )
        }
        if lineages[index].billingFailure != nil { endBillingFailure(index) }
        if let end = lineages[index].purchases[newest].expiresDate, end > now {
            let date = bookingDate
            lineages[index].purchases[newest].expiresDate = date
        }
        expire(index, .other)
    }

    /// Takes a plan change back that was scheduled for the next renewal.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where none is scheduled.
    public mutating func undoPlanChange(_ number: TransactionNumber) throws(StoreError) {
        let index = try payersSubscription(number)
        let present = lineages[index].newest.productId
        guard let renewal = lineages[index].renewal, renewal.expirationIntent == nil,
            renewal.productId != present
        else {
            throw .notPossible("no change of plan is scheduled for \(number)")
        }
        lineages[index].renewal?.undoPlanChange(to: present)
        conclude(.planChangeUndone, index)
    }

    /// The lineage of a subscription that somebody pays for.
    func payersSubscription(_ number: TransactionNumber) throws(StoreError) -> Int {
        let index = try index(of: number)
        guard lineages[index].renewal != nil else {
            throw .notPossible("\(number) is no auto-renewable subscription")
        }
        guard lineages[index].follows == nil else {
            throw .notPossible(
                "\(number) is shared by the family; only the one who pays can change it"
            )
        }
        return index
    }
}
