package import CounterfoilBasics

/// How a lineage stands at an instant, and why.
package struct Standing: Hashable, Sendable {
    /// The lineage.
    package let lineage: LineageID
    /// The purchase that decides: that which began last by the instant.
    package let purchase: PurchaseID
    /// Its product; nil where no document says.
    package let productId: String?
    /// How things stand.
    package let state: State
    /// Since when.
    package let since: Instant
    /// When this changes by itself, by what is known now; nil where nothing will.
    package let nextChangeAt: Instant?
    /// When the period ends, or would if nothing came between; nil where there is no end.
    package let expiresDate: Instant?
    /// How many of a consumable there are; 1 of everything else.
    package let quantity: Int64
    /// Whether the subscription renews, and as what; nil where nobody says.
    package let renewal: RenewalChoice?
    /// When that was said.
    package let renewalSaidAt: Instant?
    /// When it was said last whether the purchase was taken back; nil where nobody says.
    package let revocationSaidAt: Instant?
    /// What decided, the most telling first.
    package let reasons: [Reason]

    /// How things stand.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Paid for, or in a trial.
        case active
        /// A payment failed, and the App Store asks to keep access.
        case grace
        /// A payment failed, and access is not kept.
        case billingRetry
        /// The period is over and renewal is on, but nobody has told of the next period: access is
        /// kept for the leeway of the rules.
        case awaitingRenewal
        /// Over.
        case expired
        /// Refunded, or withdrawn from the family.
        case revoked
        /// A consumable, to be used up.
        case credited

        /// Whether the customer may use the product.
        package var isEntitled: Bool {
            switch self {
            case .active, .grace, .awaitingRenewal, .credited: true
            case .billingRetry, .expired, .revoked: false
            }
        }
    }

    /// The product of the next period where that is another one; nil where it is the same, and
    /// where nobody says.
    package var plannedProductId: String? {
        renewal?.nextProductId.flatMap { $0 == productId ? nil : $0 }
    }

    /// Whether the customer may use the product.
    package var isEntitled: Bool { state.isEntitled }

    /// Whether the answer rests on a guess of ours rather than on what the App Store said.
    package var isInferred: Bool { state == .awaitingRenewal }

    /// The weakest proof that the answer rests on; nil where it rests on none.
    package var grade: Grade? {
        reasons.compactMap { if case .said(_, let stamp) = $0 { stamp.grade } else { nil } }.min()
    }
}

/// One thing that decided an answer.
package enum Reason: Hashable, Sendable {
    /// What is known about something, and who said so.
    case said(About, Stamp)
    /// A rule of the app's.
    case rule(RuleName)

    /// What something was said about.
    package enum About: String, Hashable, Sendable {
        case expiresDate
        case revocation
        case renewalChoice
        case renewalFailure
        case quantity
    }

    /// A rule of the app's.
    package enum RuleName: String, Hashable, Sendable {
        case renewalLeeway
        case duration
    }
}
