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
    package let before: Standing?
    /// The answer after.
    package let after: Standing

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
    }
}

/// What is different between two answers about one lineage, in the order in which it took effect;
/// nothing where only the reasons are.
package func changes(
    from before: Standing?,
    to after: Standing,
    under rules: Rules
) -> [Change] {
    var changes: [Change] = []
    func add(_ kind: Change.Kind, at instant: Instant) {
        changes.append(
            Change(
                kind: kind,
                occurredAt: instant,
                direction: kind.products(before, after).flatMap(rules.direction),
                before: before,
                after: after
            )
        )
    }
    if let kind = Change.Kind(of: before, after) {
        add(kind, at: after.since)
    } else if let before, before.expiresDate != after.expiresDate {
        add(.endMoved, at: after.latestWord ?? after.since)
    }
    if let kind = Change.Kind(ofRenewal: before, after) {
        add(kind, at: after.renewalSaidAt ?? after.since)
    }
    return changes
}

extension Change.Kind {
    /// The products whose order is told with a change of this kind: those of two periods that were
    /// paid for, or of a period and the one that is planned after it.
    fileprivate func products(
        _ before: Standing?,
        _ after: Standing
    ) -> (from: String, to: String)? {
        let (old, new): (String?, String?) =
            switch self {
            case .productChanged, .recovered, .resumed: (before?.productId, after.productId)
            case .nextProductChanged: (after.productId, after.plannedProductId)
            default: (nil, nil)
            }
        guard let old, let new else { return nil }
        return (old, new)
    }
}

extension Rules {
    /// How a product compares with another; nil where they are the same, or not known to be of one
    /// group with a level each.
    fileprivate func direction(from: String, to: String) -> Change.Direction? {
        guard from != to, let old = products[from], let new = products[to],
            let group = old.group, group == new.group,
            let oldLevel = old.level, let newLevel = new.level
        else { return nil }
        if newLevel == oldLevel { return .crossgrade }
        return newLevel < oldLevel ? .upgrade : .downgrade
    }
}

extension Change.Kind {
    /// What the difference in how things stand is called; nil where there is none.
    fileprivate init?(of before: Standing?, _ after: Standing) {
        let isSame = before?.state == after.state && before?.purchase == after.purchase
        guard !isSame else { return nil }
        switch after.state {
        case .active: self = Self.active(after: before, after)
        case .credited: self = before == nil ? .purchased : .restored
        case .grace: self = .graceBegan
        case .billingRetry: self = .billingRetryBegan
        case .awaitingRenewal: self = .renewalAwaited
        case .expired: self = .expired
        case .revoked: self = .revoked
        }
    }

    private static func active(after before: Standing?, _ after: Standing) -> Change.Kind {
        guard let before else { return after.expiresDate == nil ? .purchased : .started }
        if before.purchase == after.purchase {
            return before.state == .revoked ? .restored : .recovered
        }
        switch before.state {
        case .grace, .billingRetry: return .recovered
        case .expired, .revoked: return .resumed
        case .active, .awaitingRenewal, .credited:
            return before.productId == after.productId ? .renewed : .productChanged
        }
    }

    /// What the difference in the renewal is called; nil where there is none, and in a first answer.
    fileprivate init?(ofRenewal before: Standing?, _ after: Standing) {
        guard let before, let new = after.renewal else { return nil }
        guard let old = before.renewal else {
            self = .renewalLearned
            return
        }
        if old.isOn != new.isOn {
            self = new.isOn ? .renewalTurnedOn : .renewalTurnedOff
        } else if before.plan(until: after) != after.plannedProductId {
            self = .nextProductChanged
        } else {
            return nil
        }
    }
}

extension Standing {
    /// The planned product that a later answer should still plan; none once the plan came true.
    fileprivate func plan(until later: Standing) -> String? {
        plannedProductId.flatMap { $0 == later.productId ? nil : $0 }
    }

    /// The date of the newest word that decided.
    fileprivate var latestWord: Instant? {
        reasons.compactMap {
            if case .said(_, let stamp) = $0 { stamp.attestedAt } else { nil }
        }.max()
    }
}
