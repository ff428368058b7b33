package import AppStoreModel
import CounterfoilBasics

/// When Apple's verifyReceipt is asked about an app's receipts.
package enum RelayMode: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case off
    /// Behind our answer, to learn in what Apple's differs.
    case shadow
    /// Before our answer, where we cannot decide.
    case fallback
    /// Before our answer, always.
    case primary
}

/// What we found of a receipt ourselves.
package enum OwnVerdict: String, Hashable, Sendable, CaseIterable {
    /// It is genuine, and answered here.
    case proved
    /// It may be genuine: something is not known that a verdict takes.
    case undecided
    /// It is not genuine.
    case refused
}

/// What Apple's answer amounts to.
package enum AppleVerdict: String, Hashable, Sendable, CaseIterable {
    /// The receipt, genuine.
    case receipt
    /// That the other address answers for it, which only a genuine one is told.
    case otherAddress
    /// A definite no.
    case no
    /// Nothing that could be relied on: no answer, or one that is also given when something of
    /// Apple's is broken.
    case nothing

    /// What a status amounts to; one that nobody knows is nothing.
    package init(_ status: VerifyReceiptStatus) {
        switch status {
        case .ok, .subscriptionExpired: self = .receipt
        case .sandboxReceipt, .productionReceipt: self = .otherAddress
        case .notAuthenticated, .wrongSecret, .accountNotFound: self = .no
        default: self = .nothing
        }
    }
}

/// Whose answer counts, and what there is to report: pure rules.
///
/// Three sentences say it all. A proof of ours is overruled by nothing; Apple's answer about the
/// same receipt may stand in its place. A refusal of ours gives way to a receipt of Apple's, where
/// Apple is asked first. What we cannot decide Apple decides, unless it says nothing.
package struct RelayDecision: Hashable, Sendable {
    /// When Apple is asked.
    package enum Asking: Hashable, Sendable {
        case never
        /// Nobody waits for the answer.
        case behind
        /// The client waits.
        case before
    }

    /// Whose answer the client is given.
    package enum Answer: String, Hashable, Sendable {
        case ours
        case apples
    }

    /// What both verdicts are to each other.
    package enum Report: String, Hashable, Sendable, CaseIterable {
        /// The same.
        case agreement
        /// Opposite: somebody should look why.
        case contradiction
        /// Apple knows what we do not.
        case settlement
        /// Apple says nothing.
        case silence
    }

    /// Whose answer the client is given.
    package let answer: Answer
    /// What there is to report.
    package let report: Report

    /// When Apple is asked about a receipt of which we found this.
    package static func asking(_ mode: RelayMode, _ own: OwnVerdict) -> Asking {
        switch mode {
        case .off: .never
        case .shadow: .behind
        case .fallback: own == .undecided ? .before : .never
        case .primary: .before
        }
    }

    /// Decides.
    package init(_ mode: RelayMode, _ own: OwnVerdict, _ apple: AppleVerdict) {
        report = Self.report(own, apple)
        answer =
            Self.asking(mode, own) == .before && Self.takes(own, apple) ? .apples : .ours
    }

    private static func report(_ own: OwnVerdict, _ apple: AppleVerdict) -> Report {
        switch (own, apple) {
        case (_, .nothing): .silence
        case (.undecided, _): .settlement
        case (.proved, .receipt), (.refused, .no): .agreement
        case (.proved, _), (.refused, _): .contradiction
        }
    }

    /// Whether Apple's answer may stand in the place of ours.
    private static func takes(_ own: OwnVerdict, _ apple: AppleVerdict) -> Bool {
        switch (own, apple) {
        case (_, .nothing): false
        case (.proved, _): apple == .receipt
        case (.refused, _): apple != .no
        case (.undecided, _): true
        }
    }
}

extension OwnVerdict {
    /// What an outcome says of a receipt; nil where Apple's answer would change nothing, because
    /// the receipt is proved and what stands against it is our own configuration or the address.
    init?(_ outcome: VerifyReceiptOutcome) {
        switch (outcome.scope, outcome.refusal) {
        case (_, nil): self = .proved
        case (_?, _?): return nil
        case (nil, let refusal?):
            let isUndecided = outcome.isWorthRepeating || Self.unjudged.contains(refusal.code)
            self = isUndecided ? .undecided : .refused
        }
    }

    /// Refusals that tell of what we do not know how to judge, rather than of a forgery: Apple
    /// could have changed how it signs.
    static let unjudged: Set<ErrorCode> = [
        "chain.unknown_issuer", "chain.key_unsupported", "chain.unsupported_algorithm",
        "chain.unknown_critical_extension", "cms.unsupported_certificate",
        "cms.unsupported_digest", "cms.unsupported_signature", "encoding.signature_blob",
        "limit.attributes", "limit.certificates", "limit.purchases",
    ]
}
