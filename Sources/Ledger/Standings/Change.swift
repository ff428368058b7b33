package import CounterfoilBasics

/// The difference between two answers about one lineage: what an event tells.
package struct Change: Hashable, Sendable {
    /// What is different.
    package let kind: Kind
    /// When it took effect; in the past for news that came late.
    package let occurredAt: Instant
    /// How the products compare where it is about another product than before; nil where it is not,
    /// and where the app's rules do not say.
    package let direction: Direction?
    /// The answer before; nil where there was none.
    package let before: Answer?
    /// The answer after; nil where what was known counts no more.
    package let after: Answer?
    /// What decided the answer after, the most telling first.
    package let reasons: [Reason]

    /// How a product compares with the one before it, as subscription groups order them.
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        /// To a higher level of service.
        case upgrade
        /// To a lower level of service.
        case downgrade
        /// To another product of the same level.
        case crossgrade
    }

    /// What can be different.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A subscription's first period.
        case started = "subscription.started"
        /// One more period of the same product.
        case renewed = "subscription.renewed"
        /// A period of another product.
        case productChanged = "subscription.product_changed"
        /// A payment that had failed went through.
        case recovered = "subscription.recovered"
        /// A period after the subscription had ended.
        case resumed = "subscription.resumed"
        /// What had been taken back counts again.
        case restored = "access.restored"
        /// A payment failed, and access is kept.
        case graceBegan = "subscription.grace_began"
        /// A payment failed, and access is not kept.
        case billingRetryBegan = "subscription.billing_retry_began"
        /// The period is over, and nobody has told of the next one.
        case renewalAwaited = "subscription.renewal_awaited"
        /// Over.
        case expired = "subscription.expired"
        /// Taken back.
        case revoked = "access.revoked"
        /// Something was bought once.
        case purchased = "purchase.made"
        /// The end of the period moved.
        case endMoved = "subscription.end_moved"
        /// Whether it renews became known.
        case renewalLearned = "renewal.learned"
        /// Renewal was turned on.
        case renewalTurnedOn = "renewal.turned_on"
        /// Renewal was turned off.
        case renewalTurnedOff = "renewal.turned_off"
        /// A change of product at the next period was planned, changed or taken back.
        case nextProductChanged = "renewal.product_changed"
        /// The same purchase became known under another name, product or quantity.
        case restated = "purchase.restated"
        /// What the answer rested on counts no more.
        case withdrawn = "purchase.withdrawn"
    }
}

// MARK: - As a row

extension Change {
    /// Adds the bytes of a row; the instant stands beside it.
    package func write(to row: inout RowWriter) {
        row.write(kind.rawValue)
        row.write(optional: direction?.rawValue) { $0.write($1) }
        row.write(optional: before) { $1.write(to: &$0) }
        row.write(optional: after) { $1.write(to: &$0) }
        row.write(count: reasons.count)
        for reason in reasons { reason.write(to: &row) }
    }

    /// Reads what ``write(to:)`` wrote; nil for other bytes.
    package init?(_ occurredAt: Instant, from row: inout RowReader) {
        guard let kind = Kind(rawValue: row.text()) else { return nil }
        self.kind = kind
        self.occurredAt = occurredAt
        direction = row.optional { $0.text() }.flatMap(Direction.init)
        before = row.optional { Answer(from: &$0) } ?? nil
        after = row.optional { Answer(from: &$0) } ?? nil
        var reasons: [Reason] = []
        for _ in 0..<row.count() {
            guard let reason = Reason(from: &row) else { return nil }
            reasons.append(reason)
        }
        self.reasons = reasons
    }
}
