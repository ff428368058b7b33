package import CounterfoilBasics

/// What is different between two answers about one lineage, in the order in which it took effect;
/// nothing where only the reasons are.
///
/// Each difference begins with the answer that the one before it ended with.
///
/// - Parameters:
///   - before: The answer that was told last; nil where none was.
///   - after: How things stand; nil where nothing that counts is known any more.
///   - instant: When this is looked at.
///   - rules: The app's rules, which know how products compare.
/// - Returns: The differences.
package func changes(
    from before: Answer?,
    to after: Standing?,
    at instant: Instant,
    under rules: Rules
) -> [Change] {
    guard let after else {
        guard let before else { return [] }
        return [
            Change(
                kind: .withdrawn,
                occurredAt: instant,
                direction: nil,
                before: before,
                after: nil,
                reasons: []
            )
        ]
    }
    var telling = Telling(last: before, standing: after, rules: rules)
    // First what became of the purchase, beside the renewal as it was told; then the renewal.
    var purchase = after.answer
    if let before { purchase.keepRenewal(of: before) }
    if purchase != before { telling.tell(purchase) }
    if after.answer != purchase { telling.tellRenewal(after.answer) }
    return telling.changes
}

/// Differences in the making.
private struct Telling {
    var last: Answer?
    let standing: Standing
    let rules: Rules
    var changes: [Change] = []

    mutating func tell(_ answer: Answer) {
        let kind = Change.Kind(from: last, to: answer)
        switch kind {
        case .endMoved, .restated: add(kind, standing.latestWord ?? standing.since, answer)
        // As is known now it was never taken back; what is new is the word that says so.
        case .restored: add(kind, standing.revocationSaidAt ?? standing.since, answer)
        default: add(kind, standing.since, answer)
        }
    }

    mutating func tellRenewal(_ answer: Answer) {
        guard let last else { return }
        let kind = Change.Kind(ofRenewalFrom: last, to: answer)
        add(kind, standing.renewalSaidAt ?? standing.since, answer)
    }

    private mutating func add(_ kind: Change.Kind, _ instant: Instant, _ answer: Answer) {
        changes.append(
            Change(
                kind: kind,
                occurredAt: instant,
                direction: kind.products(last, answer).flatMap(rules.direction),
                before: last,
                after: answer,
                reasons: standing.reasons
            )
        )
        last = answer
    }
}

extension Answer {
    /// Takes over what was told of the renewal, but for a plan that has come true.
    fileprivate mutating func keepRenewal(of before: Answer) {
        guard renews != nil else { return }
        renews = before.renews
        plannedProductId = before.plannedProductId.flatMap { $0 == productId ? nil : $0 }
    }

    /// Whether it is about the same purchase in the same state; a purchase may have been named by
    /// its begin alone before its number was known.
    fileprivate func isSame(_ other: Answer) -> Bool {
        guard state == other.state else { return false }
        if purchase == other.purchase { return true }
        if case .undocumentedPeriod = purchase, case .period = other.purchase {
            return productId == other.productId && expiresDate == other.expiresDate
        }
        return false
    }
}

extension Standing {
    /// The date of the newest word that decided.
    fileprivate var latestWord: Instant? {
        reasons.compactMap {
            if case .said(_, let stamp) = $0 { stamp.attestedAt } else { nil }
        }.max()
    }
}

// MARK: - What differences are called

extension Change.Kind {
    /// What a difference in how things stand is called.
    fileprivate init(from before: Answer?, to after: Answer) {
        if let before, before.isSame(after) {
            self = before.expiresDate == after.expiresDate ? .restated : .endMoved
            return
        }
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

    private static func active(after before: Answer?, _ after: Answer) -> Change.Kind {
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

    /// What a difference in the renewal is called.
    fileprivate init(ofRenewalFrom before: Answer, to after: Answer) {
        if before.renews == nil {
            self = .renewalLearned
        } else if before.renews != after.renews {
            self = after.renews == true ? .renewalTurnedOn : .renewalTurnedOff
        } else {
            self = .nextProductChanged
        }
    }

    /// The products whose order is told with a change of this kind: those of two periods that were
    /// paid for, or of a period and the one that is planned after it.
    fileprivate func products(_ before: Answer?, _ after: Answer) -> (from: String, to: String)? {
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
