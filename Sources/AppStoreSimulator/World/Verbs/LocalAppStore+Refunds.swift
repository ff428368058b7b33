public import AppStoreModel
import CounterfoilBasics

// What becomes of the wish to have money back.
extension LocalAppStore {
    /// Refunds a purchase: from now on it does not count.
    ///
    /// - Parameters:
    ///   - number: The transaction: a one-time purchase, or one period of a subscription.
    ///   - reason: Why.
    ///   - percentage: How much of the price is given back; all of it when nil.
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it was taken back before,
    ///   has not begun, or is shared by the family.
    public mutating func refund(
        _ number: TransactionNumber,
        _ reason: RevocationReason = .other,
        percentage: Millipercent? = nil
    ) throws(StoreError) {
        let (index, position) = try payersPurchase(number)
        guard lineages[index].purchases[position].revocation == nil else {
            throw .notPossible("\(number) was refunded already")
        }
        guard lineages[index].purchases[position].purchaseDate <= now else {
            throw .notPossible("\(number) has not begun")
        }
        lineages[index].purchases[position].revocation = Purchase.Revocation(
            date: bookingDate,
            reason: reason,
            type: percentage == nil ? .refundFull : .refundProrated,
            percentage: percentage ?? Millipercent(rawValue: 100_000)
        )
        guard lineages[index].renewal != nil else {
            return conclude(.oneTimeRefunded, index, purchase: position)
        }
        let turnsOff =
            rules.refundTurnsRenewalOff && lineages[index].renewal?.isOn == true
            && position == lineages[index].purchases.count - 1
        if turnsOff {
            lineages[index].renewal?.isOn = false
            if lineages[index].billingFailure != nil {
                // What is turned off is not charged any more.
                endBillingFailure(index)
                lineages[index].renewal?.expirationIntent = .customerCancelled
            }
        }
        conclude(.subscriptionRefunded, index, purchase: position)
        if turnsOff { conclude(.renewalTurnedOff, index) }
    }

    /// Takes a refund back: the purchase counts again as if it had always counted.
    ///
    /// Renewal stays as it is.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it was not refunded, or
    ///   another period of the subscription runs in its time by now.
    public mutating func reverseRefund(_ number: TransactionNumber) throws(StoreError) {
        let (index, position) = try payersPurchase(number)
        guard lineages[index].purchases[position].revocation != nil else {
            throw .notPossible("\(number) was not refunded")
        }
        let purchase = lineages[index].purchases[position]
        if let later = lineages[index].purchases.dropFirst(position + 1).first,
            let end = purchase.expiresDate, later.purchaseDate < end
        {
            throw .notPossible("\(later.number) took the place of \(number) since the refund")
        }
        lineages[index].purchases[position].revocation = nil
        conclude(.refundReversed, index, purchase: position)
    }

    /// Asks the app's server what it knows of the use of a purchase, because the customer wants its
    /// price back.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it was taken back before.
    public mutating func requestRefund(
        _ number: TransactionNumber,
        _ reason: ConsumptionRequestReason = .unintendedPurchase
    ) throws(StoreError) {
        let (index, position) = try payersPurchase(number)
        guard lineages[index].purchases[position].revocation == nil else {
            throw .notPossible("\(number) was refunded already")
        }
        var record = record(index, purchase: position)
        record.consumptionRequestReason = reason
        tell(.consumptionRequested, .purchase(record))
    }

    /// Declines a refund that was asked for; nothing changes.
    ///
    /// - Throws: `store.unknown_transaction`.
    public mutating func declineRefund(_ number: TransactionNumber) throws(StoreError) {
        let (index, position) = try payersPurchase(number)
        tell(.refundDeclined, index, purchase: position)
    }

    /// Where a purchase is that somebody paid for.
    private func payersPurchase(
        _ number: TransactionNumber
    ) throws(StoreError) -> (lineage: Int, purchase: Int) {
        let index = try index(of: number)
        guard lineages[index].follows == nil else {
            throw .notPossible("\(number) is shared by the family; its price was paid elsewhere")
        }
        guard let position = lineages[index].purchases.firstIndex(where: { $0.number == number })
        else {
            throw .notPossible(
                "\(number) is a restored number; expected the one it was bought under"
            )
        }
        return (index, position)
    }
}
