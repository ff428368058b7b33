import AppStoreModel
import AppStoreVerification
package import CounterfoilBasics

/// Something that a customer may use, and until when.
package struct Entitlement: Hashable, Sendable {
    /// Its name in the app's catalogue.
    package let name: String
    /// Until when, by what is known now; nil where no end is known.
    package let until: Instant?
    /// The lineages that give it, the one that lasts longest first.
    package let standings: [Standing]
}

/// What a set of lineages gives under an app's rules at an instant, by name.
package func entitlements(
    of lineages: some Sequence<Lineage>,
    at instant: Instant,
    under rules: Rules
) -> [Entitlement] {
    let standings = lineages.compactMap { lineage in
        rules.counts(lineage.id.scope.environment)
            ? lineage.standing(at: instant, under: rules) : nil
    }
    var givers: [String: [Standing]] = [:]
    for standing in standings where standing.isEntitled {
        let rule = standing.productId.flatMap { rules.products[$0] }
        for name in rule?.entitlements ?? [] { givers[name, default: []].append(standing) }
    }
    return givers.sorted { $0.key < $1.key }.map { name, standings in
        let sorted = standings.sorted(by: Standing.lastsLonger)
        return Entitlement(name: name, until: sorted[0].accessEnd, standings: sorted)
    }
}

/// How many credits a set of lineages gives under an app's rules, of consumables that were not
/// refunded; the greatest number where it would be more.
package func credits(
    of lineages: some Sequence<Lineage>,
    at instant: Instant,
    under rules: Rules
) -> Int64 {
    var sum: Int64 = 0
    for lineage in lineages where rules.counts(lineage.id.scope.environment) {
        guard let standing = lineage.standing(at: instant, under: rules),
            standing.state == .credited,
            let rule = standing.productId.flatMap({ rules.products[$0] })
        else { continue }
        let (credits, isTooMany) = rule.credits.multipliedReportingOverflow(
            by: max(0, standing.quantity)
        )
        let (more, isMore) = sum.addingReportingOverflow(credits)
        guard !isTooMany, !isMore else { return .max }
        sum = more
    }
    return sum
}

extension Rules {
    /// Whether purchases of an environment give anything.
    fileprivate func counts(_ environment: StoreEnvironment) -> Bool {
        environment == .production || sandboxAccess == .everyone
    }
}

extension Standing {
    /// When access ends, by what is known now; nil where no end is known.
    package var accessEnd: Instant? {
        switch state {
        case .active: [expiresDate, nextChangeAt].compactMap(\.self).min()
        case .grace, .awaitingRenewal: nextChangeAt
        case .credited, .billingRetry, .expired, .revoked: nil
        }
    }

    /// Whether access lasts longer; without an end it lasts longest.
    fileprivate static func lastsLonger(_ left: Standing, _ right: Standing) -> Bool {
        let ends = (left.accessEnd, right.accessEnd)
        if ends.0 != ends.1 {
            guard let leftEnd = ends.0 else { return true }
            return ends.1.map { leftEnd > $0 } ?? false
        }
        return left.lineage.originalTransactionId < right.lineage.originalTransactionId
    }
}
