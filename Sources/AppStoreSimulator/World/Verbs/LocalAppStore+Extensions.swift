import AppStoreModel
import CounterfoilBasics

// More time for subscribers (Apple, "Extend a Subscription Renewal Date").
extension LocalAppStore {
    /// Moves the end of a subscription's present period.
    ///
    /// - Parameters:
    ///   - number: The subscription.
    ///   - days: How many days later, 1 to 90; scaled at the paces of test environments.
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where the subscription is over, its
    ///   payment fails, it is in a free offer, shared by the family, or was extended twice in a year.
    public mutating func extend(
        _ number: TransactionNumber,
        days: Int
    ) throws(StoreError) {
        guard (1...90).contains(days) else {
            throw .notPossible("found an extension of \(days) days, expected 1 to 90")
        }
        let index = try payersSubscription(number)
        if let obstacle = obstacle(toExtending: lineages[index]) { throw .notPossible(obstacle) }
        extend(index, days)
    }

    /// Moves the ends of the present periods of all subscriptions to a product.
    ///
    /// - Parameters:
    ///   - productId: The product.
    ///   - bundleId: The app.
    ///   - days: As for one.
    ///   - storefronts: Whose subscribers, by ISO 3166-1 alpha-3; all when nil.
    ///   - requestIdentifier: The developer's own.
    /// - Throws: `store.unknown_app`, `store.unknown_product`, `store.not_possible`.
    public mutating func extendAll(
        _ productId: String,
        of bundleId: String,
        days: Int,
        in storefronts: [String]? = nil,
        requestIdentifier: String
    ) throws(StoreError) {
        guard (1...90).contains(days) else {
            throw .notPossible("found an extension of \(days) days, expected 1 to 90")
        }
        let app = try app(bundleId)
        _ = try product(productId, of: bundleId)
        var (succeeded, failed) = (Int64(0), Int64(0))
        for index in lineages.indices {
            let lineage = lineages[index]
            guard lineage.bundleId == bundleId, lineage.newest.productId == productId,
                lineage.follows == nil, lineage.renewal?.expirationIntent == nil,
                storefronts?.contains(accounts[lineage.account.index].storefront.country) ?? true
            else { continue }
            if obstacle(toExtending: lineage) == nil {
                extend(index, days)
                succeeded += 1
            } else {
                tell(.renewalExtensionFailed, index)
                failed += 1
            }
        }
        var record = AppRecord(app: app, environment: environment, signedDate: now)
        record.extensionSummary = AppRecord.ExtensionSummary(
            requestIdentifier: requestIdentifier,
            productId: productId,
            storefronts: storefronts,
            succeeded: succeeded,
            failed: failed
        )
        tell(.renewalExtensionFinished, .app(record))
    }

    private mutating func extend(_ index: Int, _ days: Int) {
        let newest = lineages[index].purchases.count - 1
        let end = lineages[index].purchases[newest].expiresDate
        lineages[index].purchases[newest].expiresDate = end?.advanced(by: pace.days(days))
        lineages[index].renewal?.extensions.append(now)
        conclude(.renewalExtended, index)
    }

    /// Why a subscription cannot be extended; nil where it can.
    private func obstacle(toExtending lineage: Lineage) -> String? {
        let original = lineage.original
        guard let renewal = lineage.renewal, lineage.open(at: now) != nil else {
            return "\(original) is over"
        }
        if lineage.billingFailure != nil { return "a payment of \(original) fails" }
        if lineage.newest.offer?.mode == .freeTrial { return "\(original) is in a free offer" }
        if lineage.newest.purchaseDate > now {
            return "the next period of \(original) is paid already"
        }
        let year = pace.end(of: .year, from: now).duration(since: now)
        let recent = renewal.extensions.filter { $0.advanced(by: year) > now }
        return recent.count < 2 ? nil : "\(original) was extended twice within a year"
    }
}
