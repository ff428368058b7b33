public import AppStoreModel
import CounterfoilBasics

// What the App Store Server API answers.
extension LocalAppStore {
    /// A customer's subscriptions in an app (Apple, "Get All Subscription Statuses").
    ///
    /// - Parameters:
    ///   - account: The customer, as ``lineage(of:)`` tells by any transaction of theirs.
    ///   - bundleId: The app.
    ///   - statuses: Only subscriptions of these; all when empty.
    /// - Returns: The answer before the documents in it are signed.
    /// - Throws: `store.unknown_app`.
    public mutating func subscriptionStatuses(
        of account: AppleAccount.ID,
        in bundleId: String,
        statuses: Set<SubscriptionStatus> = []
    ) throws(StoreError) -> SubscriptionStatuses {
        let app = try app(bundleId)
        var subscriptions: [PurchaseRecord] = []
        for index in indices(of: account, in: bundleId) where lineages[index].renewal != nil {
            let record = record(index)
            if statuses.isEmpty || record.status.map(statuses.contains) == true {
                subscriptions.append(record)
            }
        }
        return SubscriptionStatuses(
            app: app,
            environment: environment,
            subscriptions: subscriptions
        )
    }

    /// A customer's transactions in an app, the one that changed first before the others (Apple,
    /// "Get Transaction History").
    ///
    /// - Parameters:
    ///   - account: The customer.
    ///   - bundleId: The app.
    ///   - query: Which of them.
    ///   - revision: What the page before ended with, so that the next one is told, and what has
    ///     changed since; the first page when nil.
    /// - Returns: Up to twenty before they are signed.
    /// - Throws: `store.unknown_app`; `store.not_possible` for a revision that no page ended with.
    public mutating func transactionHistory(
        of account: AppleAccount.ID,
        in bundleId: String,
        _ query: TransactionHistoryQuery = TransactionHistoryQuery(),
        after revision: String? = nil
    ) throws(StoreError) -> TransactionHistory {
        let app = try app(bundleId)
        let start = try revision.map(HistoryPlace.init(revision:))
        var found: [(place: HistoryPlace, lineage: Int, purchase: Int)] = []
        for index in indices(of: account, in: bundleId) {
            let lineage = lineages[index]
            for (position, purchase) in lineage.purchases.enumerated()
            where query.admits(purchase, of: lineage) {
                let place = HistoryPlace(changed: purchase.changed(by: now), purchase.number)
                guard start.map({ query.isDescending ? place < $0 : $0 < place }) ?? true else {
                    continue
                }
                found.append((place, index, position))
            }
        }
        found.sort { query.isDescending ? $1.place < $0.place : $0.place < $1.place }
        let page = found.prefix(TransactionHistory.pageSize)
        return TransactionHistory(
            app: app,
            environment: environment,
            transactions: page.map { record($0.lineage, purchase: $0.purchase) },
            revision: (page.last?.place ?? start ?? HistoryPlace.first).revision,
            hasMore: found.count > page.count
        )
    }

    /// A customer's app transaction (Apple, "Get App Transaction Info").
    ///
    /// - Throws: `store.unknown_app`; `store.not_possible` where the account has not the app.
    public func appTransaction(
        of account: AppleAccount.ID,
        in bundleId: String
    ) throws(StoreError) -> AppTransaction {
        try download(of: bundleId, by: account).appTransaction
    }
}

/// Where a transaction stands in a history: by when it changed last, then by its number.
struct HistoryPlace: Hashable, Comparable {
    let changed: Int64
    let number: Int64

    static let first = HistoryPlace(changed: 0, number: 0)

    private init(changed: Int64, number: Int64) {
        self.changed = changed
        self.number = number
    }

    init(changed: Instant, _ number: TransactionNumber) {
        self.init(changed: changed.millisecondsSince1970, number: number.rawValue)
    }

    init(revision: String) throws(StoreError) {
        let parts = revision.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let changed = Int64(parts[0]), let number = Int64(parts[1]) else {
            throw .notPossible(
                "found the revision \(revision.prefix(64).debugDescription), expected one that a "
                    + "page ended with"
            )
        }
        self.init(changed: changed, number: number)
    }

    var revision: String { "\(changed)_\(number)" }

    static func < (one: HistoryPlace, other: HistoryPlace) -> Bool {
        (one.changed, one.number) < (other.changed, other.number)
    }
}

extension Purchase {
    /// When something of it changed last, as far as the books keep it.
    fileprivate func changed(by now: Instant) -> Instant {
        // A period is charged some time before it begins.
        [min(purchaseDate, now), revocation?.date, upgradedAt].compactMap(\.self).max() ?? now
    }
}
