package import CounterfoilBasics

/// Everything that is known under one original transaction: the join of its statements.
///
/// Joining is associative, commutative and idempotent: the order in which statements arrive, and how
/// often, changes nothing.
package struct Lineage: Hashable, Sendable {
    /// Names it.
    package let id: LineageID
    /// What is known of its purchases, by the names that documents gave them.
    package private(set) var purchasesByName: [PurchaseID: PurchaseRegisters] = [:]
    /// Where each of them stands among the others, so that finding one does not touch them all.
    private(set) var beginsByName: [PurchaseID: Purchase.Begin] = [:]
    /// Whether it renews, and as what.
    package internal(set) var choice = Register<RenewalChoice>()
    /// What became of a payment that was due.
    package internal(set) var failure = Register<RenewalFailure>()
    /// What the customer answered to a higher price.
    package internal(set) var priceConsent = Register<PriceConsent>()

    /// A lineage of which nothing is known.
    package init(_ id: LineageID) { self.id = id }

    /// The lineage as it stood at an instant: everything of what statements say about purchases, and
    /// of renewal only what had been said by then, and only what the rules admit.
    ///
    /// A document may be dated five minutes ahead of our clock, so as much is allowed for.
    package init(
        _ id: LineageID,
        statements: some Sequence<Statement>,
        effectiveAt instant: Instant,
        under rules: Rules
    ) {
        self.init(id)
        let latest = instant.advanced(by: .seconds(300))
        for statement in statements where rules.admits(statement.stamp.grade) {
            joinPurchases(of: statement)
            if statement.stamp.attestedAt <= latest { joinRenewal(of: statement) }
        }
    }

    /// Takes in what a document says.
    package mutating func join(_ statement: Statement) {
        joinPurchases(of: statement)
        joinRenewal(of: statement)
    }

    /// Takes in all that is known elsewhere of the same lineage.
    package mutating func join(_ other: Lineage) {
        for (id, registers) in other.purchasesByName { join(registers, of: id) }
        choice.join(other.choice)
        failure.join(other.failure)
        priceConsent.join(other.priceConsent)
    }

    /// Takes in all that is known elsewhere of one purchase.
    mutating func join(_ registers: PurchaseRegisters, of id: PurchaseID) {
        purchasesByName[id, default: PurchaseRegisters()].join(registers)
        noteBegin(of: id)
    }

    private mutating func joinPurchases(of statement: Statement) {
        for claim in statement.purchases {
            purchasesByName[claim.id, default: PurchaseRegisters()].join(claim, statement.stamp)
            noteBegin(of: claim.id)
        }
    }

    /// Takes what is known under one name for what is known under another.
    mutating func rename(_ id: PurchaseID, to other: PurchaseID) {
        guard let registers = purchasesByName.removeValue(forKey: id) else { return }
        beginsByName[id] = nil
        join(registers, of: other)
    }

    private mutating func noteBegin(of id: PurchaseID) {
        beginsByName[id] = purchasesByName[id].flatMap { Purchase.Begin(of: id, $0) }
    }

    private mutating func joinRenewal(of statement: Statement) {
        choice.join(statement.renewal.choice, statement.stamp)
        failure.join(statement.renewal.failure, statement.stamp)
        priceConsent.join(statement.renewal.priceConsent, statement.stamp)
    }
}
