import AppStoreModel
public import CounterfoilBasics

/// What a customer has of one lineage at an instant, by the store's own books: what every answer
/// made from its documents can be compared with.
///
/// It is found from the books alone, by code that shares nothing with what verifies documents or
/// keeps a ledger of them.
public struct Truth: Hashable, Sendable {
    /// The lineage.
    public let original: TransactionNumber
    /// The product that decides: that of the purchase which began last by the instant.
    public let productId: String
    /// How things stand.
    public let state: State
    /// Since when the customer has it, or has it no more.
    public let since: Instant
    /// Until when, as far as that is decided; nil where no end is decided.
    public let until: Instant?

    /// How things stand.
    public enum State: Hashable, Sendable {
        /// Paid for, or in a trial: the customer has it.
        case active
        /// A payment failed, and access is kept: the customer has it.
        case grace
        /// A payment failed, and access is not kept.
        case billingRetry
        /// Over.
        case expired
        /// Refunded, or withdrawn from the family.
        case revoked
        /// A consumable: so many to use up, or none when it was refunded.
        case credit(Int64)
    }

    /// Whether the customer may use the product.
    public var isEntitled: Bool {
        switch state {
        case .active, .grace: true
        case .billingRetry, .expired, .revoked: false
        case .credit(let count): count > 0
        }
    }
}

extension LocalAppStore {
    /// What an account has in an app at an instant, lineage by lineage in the order in which they
    /// began; of what had not begun by then nothing.
    public func truth(
        of account: AppleAccount.ID,
        in bundleId: String,
        at instant: Instant
    ) -> [Truth] {
        lineages(of: account, in: bundleId).compactMap { $0.truth(at: instant) }
    }
}

extension Lineage {
    /// What its customer has at an instant; nil before its begin.
    public func truth(at instant: Instant) -> Truth? {
        var deciding: Purchase?
        for purchase in purchases where purchase.purchaseDate <= instant {
            if let found = deciding, found.purchaseDate > purchase.purchaseDate { continue }
            deciding = purchase
        }
        guard let deciding else { return nil }
        if deciding.type == .consumable {
            let count = deciding.revocation == nil ? deciding.quantity : 0
            return truth(deciding, .credit(count), since: deciding.purchaseDate, until: nil)
        }
        if let revocation = deciding.revocation, revocation.date <= instant {
            return truth(deciding, .revoked, since: revocation.date, until: nil)
        }
        guard let expiresDate = deciding.expiresDate, expiresDate <= instant else {
            return truth(
                deciding,
                .active,
                since: deciding.purchaseDate,
                until: deciding.end.flatMap { $0 > instant ? $0 : nil }
            )
        }
        for failure in billingFailures where failure.begin == expiresDate {
            if failure.isInGrace(at: instant) {
                return truth(deciding, .grace, since: failure.begin, until: failure.graceEnd)
            }
            let isOver = failure.end.map { $0 <= instant } ?? false
            if !isOver, instant < failure.retryEnd {
                return truth(
                    deciding,
                    .billingRetry,
                    since: failure.graceEnd ?? failure.begin,
                    until: failure.retryEnd
                )
            }
        }
        return truth(deciding, .expired, since: expiresDate, until: nil)
    }

    private func truth(
        _ purchase: Purchase,
        _ state: Truth.State,
        since: Instant,
        until: Instant?
    ) -> Truth {
        Truth(
            original: original,
            productId: purchase.productId,
            state: state,
            since: since,
            until: until
        )
    }
}
