import AppStoreModel
package import CounterfoilBasics

/// One thing bought once, as a lineage knows it, whatever transactions it was given.
package struct Purchase: Hashable, Sendable {
    /// Names it.
    package let id: PurchaseID
    /// What is known of it.
    package let registers: PurchaseRegisters
    /// When it began.
    package let purchaseDate: Instant

    /// When the period ends; nil where there is no end.
    package var expiresDate: Instant? { registers.expiresDate.value ?? nil }

    /// That it was taken back.
    package var revocation: Revocation? { registers.revocation.value ?? nil }

    /// The product.
    package var productId: String? { registers.productId.value }

    /// Whether a subscription's period is meant: the kind says so, or an end does.
    package var isPeriod: Bool {
        switch registers.type.value {
        case .autoRenewableSubscription?: true
        case nil: expiresDate != nil
        default: false
        }
    }
}

extension Lineage {
    /// The purchases in the order in which they began.
    ///
    /// A period that some document names by its begin alone is the one with a line item that
    /// another document shows with that begin.
    package var purchases: [Purchase] {
        var registers = purchasesByName
        for (begin, documented) in documentedPeriods {
            // Two periods never begin at one instant but where one replaced the other at once; then
            // nobody can say which of them is meant.
            guard documented.count == 1,
                let same = registers.removeValue(forKey: .undocumentedPeriod(begin: begin))
            else { continue }
            registers[documented[0]]?.join(same)
        }
        return registers.compactMap { id, registers in
            registers.purchaseDate.map {
                Purchase(id: id, registers: registers, purchaseDate: $0)
            }
        }
        .sorted(by: Self.beginsBefore)
    }

    /// The periods with a line item by their begins, where some document names a period by its begin
    /// alone.
    private var documentedPeriods: [Instant: [PurchaseID]] {
        var periods: [Instant: [PurchaseID]] = [:]
        for case .undocumentedPeriod(let begin) in purchasesByName.keys { periods[begin] = [] }
        guard !periods.isEmpty else { return periods }
        for (id, registers) in purchasesByName {
            guard case .period = id else { continue }
            for begin in registers.begins { periods[begin]?.append(id) }
        }
        return periods
    }

    /// Of two that begin at one instant, the upgraded one was first.
    private static func beginsBefore(_ left: Purchase, _ right: Purchase) -> Bool {
        if left.purchaseDate != right.purchaseDate { return left.purchaseDate < right.purchaseDate }
        let isUpgraded = (left.registers.isUpgraded.value, right.registers.isUpgraded.value)
        if (isUpgraded.0 == true) != (isUpgraded.1 == true) { return isUpgraded.0 == true }
        return left.id < right.id
    }
}
