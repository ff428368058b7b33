import AppStoreModel
import CounterfoilBasics

// Who shares with whom.
extension LocalAppStore {
    /// Puts accounts into a family; what can be shared is shared at once.
    ///
    /// - Throws: `store.not_possible` where one of them is in a family already or named twice.
    @discardableResult
    public mutating func formFamily(
        _ members: [AppleAccount.ID]
    ) throws(StoreError) -> Family.ID {
        for (index, member) in members.enumerated() {
            try requireNoFamily(member)
            guard !members[..<index].contains(member) else {
                throw .notPossible("an account is named twice, expected each once")
            }
        }
        let id = Family.ID(index: families.count)
        families.append(Family(id: id, members: []))
        for member in members { try join(id, member) }
        return id
    }

    /// Lets an account join a family: it gets what the others share, and they get what it shares.
    ///
    /// - Throws: `store.not_possible` where it is in a family already.
    public mutating func join(
        _ family: Family.ID,
        _ account: AppleAccount.ID
    ) throws(StoreError) {
        try requireNoFamily(account)
        accounts[account.index].family = family
        let others = families[family.index].members
        families[family.index].members.append(account)
        for other in others {
            for index in ownLineages(of: other) { share(index, with: account) }
            for index in ownLineages(of: account) { share(index, with: other) }
        }
    }

    /// Lets an account leave its family: what was shared with it, or by it, is withdrawn.
    ///
    /// - Throws: `store.not_possible` where it is in none.
    public mutating func leaveFamily(_ account: AppleAccount.ID) throws(StoreError) {
        guard let family = accounts[account.index].family else {
            throw .notPossible("the account is in no family")
        }
        accounts[account.index].family = nil
        families[family.index].members.removeAll { $0 == account }
        for index in lineagesOfAccounts[account.index] {
            if lineages[index].follows?.isOver == false { endSharing(index) }
            for follower in lineages[index].followers
            where lineages[follower].follows?.isOver == false {
                endSharing(follower)
            }
        }
    }

    /// Withdraws a purchase from the family: the members lose it, the one who paid keeps it.
    ///
    /// - Throws: `store.unknown_transaction`; `store.not_possible` where it is not shared.
    public mutating func stopSharing(_ number: TransactionNumber) throws(StoreError) {
        let index = try index(of: number)
        let followers = lineages[index].followers.filter {
            lineages[$0].follows?.isOver == false
        }
        guard !followers.isEmpty else { throw .notPossible("\(number) is shared with nobody") }
        for follower in followers { endSharing(follower) }
    }

    private func requireNoFamily(_ account: AppleAccount.ID) throws(StoreError) {
        guard accounts[account.index].family == nil else {
            throw .notPossible("the account is in a family already")
        }
    }

    private func ownLineages(of account: AppleAccount.ID) -> [Int] {
        lineagesOfAccounts[account.index].filter { lineages[$0].follows == nil }
    }

    /// Ends a member's share; of what was over already nothing is told.
    private mutating func endSharing(_ follower: Int) {
        lineages[follower].follows?.isOver = true
        let lineage = lineages[follower]
        guard lineage.billingFailure == nil else {
            endBillingFailure(follower)
            return revokeFamilyAccess(follower)
        }
        // The next period may be paid already: it goes with the present one.
        for (position, purchase) in lineage.purchases.enumerated()
        where purchase.end.map({ $0 > now }) ?? true {
            lineages[follower].renewal?.isOn = false
            revokeFamilyAccess(follower, purchase: position)
        }
    }
}
