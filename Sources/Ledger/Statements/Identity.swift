package import AppStoreVerification
package import CounterfoilBasics

/// Names a lineage: all that was bought under one original transaction.
package struct LineageID: Hashable, Sendable {
    /// The app, the environment and the realm.
    package let scope: Scope
    /// The certificate of an Xcode session, whose ids count from 0 in each; nil elsewhere.
    package let signer: SHA256Digest?
    /// Apple's number.
    package let originalTransactionId: String

    package init(scope: Scope, signer: SHA256Digest? = nil, originalTransactionId: String) {
        self.scope = scope
        self.signer = signer
        self.originalTransactionId = originalTransactionId
    }
}

/// Names a purchase within its lineage.
///
/// No product and, where Apple numbers periods, no date is part of the name: restores change both
/// dates.
package enum PurchaseID: Hashable, Sendable {
    /// A period of a subscription, by its web order line item.
    case period(lineItem: String)
    /// A period of a document that states no line item: by its begin.
    case undocumentedPeriod(begin: Instant)
    /// A one-time purchase: the lineage itself.
    case oneTime
    /// A purchase of an Xcode session, where an id alone says little.
    case xcode(transactionId: String, begin: Instant)
}

extension PurchaseID: Comparable {
    /// Any order, as long as it is one; line items by their numbers.
    package static func < (left: PurchaseID, right: PurchaseID) -> Bool {
        switch (left, right) {
        case (.period(let left), .period(let right)):
            return (left.utf8.count, left) < (right.utf8.count, right)
        case (.undocumentedPeriod(let left), .undocumentedPeriod(let right)): return left < right
        case (.xcode(let leftId, let left), .xcode(let rightId, let right)):
            return left == right ? leftId < rightId : left < right
        default: return left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .period: 1
        case .undocumentedPeriod: 2
        case .oneTime: 3
        case .xcode: 4
        }
    }
}

/// A personal value behind a key that only the journal has: the same value has the same reference,
/// and the reference tells nobody the value.
package struct PersonalReference: RawRepresentable, Hashable, Sendable {
    /// The keyed digest.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

extension PersonalReference: RegisterValue {
    package var tieBreaker: String { rawValue }
}

/// Turns personal values into references.
package struct PersonalReferences: Sendable {
    private let make: @Sendable (String) -> PersonalReference

    package init(_ make: @escaping @Sendable (String) -> PersonalReference) { self.make = make }

    /// The reference of a value, whose letters' case means nothing.
    package func callAsFunction(_ value: String) -> PersonalReference { make(value.lowercased()) }
}
