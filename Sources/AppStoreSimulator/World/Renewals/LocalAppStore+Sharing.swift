import AppStoreModel
import CounterfoilBasics

// Family members have what the one who pays has, in lineages of their own.
extension LocalAppStore {
    /// Puts down that something happened to a lineage's newest purchase, or to another of its
    /// purchases, and what follows of it for the family and for the agenda.
    mutating func conclude(_ event: Event, _ index: Int, purchase: Int? = nil) {
        tell(event, index, purchase: purchase)
        schedule(index)
        // Who gets it by this event is told of nothing else.
        let followers = lineages[index].followers
        if event.givesToFamily || (event.beginsPeriod && becameShareable(index)) { share(index) }
        for follower in followers {
            follow(index, in: follower, event, purchase ?? lineages[index].purchases.count - 1)
        }
    }

    /// Gives a purchase that a family may share to the other members.
    private mutating func share(_ index: Int) {
        let lineage = lineages[index]
        guard lineage.follows == nil, let family = accounts[lineage.account.index].family else {
            return
        }
        for member in families[family.index].members where member != lineage.account {
            share(index, with: member)
        }
    }

    /// Gives a purchase to a member of the family, unless it cannot be shared or the member has it.
    mutating func share(_ index: Int, with member: AppleAccount.ID) {
        let lineage = lineages[index]
        guard let app = apps[lineage.bundleId],
            isShareable(lineage.newest, of: lineage.bundleId), lineage.newest.revocation == nil,
            lineage.renewal?.expirationIntent == nil,
            !lineages(of: member, in: lineage.bundleId).contains(where: {
                $0.follows?.original == lineage.original && $0.follows?.isOver == false
            })
        else { return }
        download(app, member)
        // The next period may be paid already, and the present one is shared all the same.
        let present = lineage.purchases.firstIndex { $0.number == lineage.open(at: now)?.number }
        let offset = present ?? lineage.purchases.count - 1
        let first = shared(lineage.purchases[offset])
        let follower = open(
            Lineage(
                original: first.number,
                account: member,
                bundleId: lineage.bundleId,
                ownership: .familyShared,
                group: lineage.group,
                purchases: [first],
                renewal: lineage.renewal,
                billingFailures: lineage.billingFailures,
                lastSigned: now.advanced(by: .milliseconds(-1)),
                follows: Lineage.Following(
                    original: lineage.original,
                    offset: offset
                )
            )
        )
        for next in lineage.purchases.dropFirst(offset + 1) { append(shared(next), to: follower) }
        lineages[index].followers.append(follower)
        tell(lineage.renewal == nil ? .boughtOnce : .subscribed, follower, purchase: 0)
        for next in lineages[follower].purchases.indices.dropFirst() {
            tell(.renewed, follower, purchase: next)
        }
    }

    /// What a family member has of a purchase: other numbers, and nothing of what was paid.
    private mutating func shared(_ purchase: Purchase) -> Purchase {
        Purchase(
            number: numbers.transaction(),
            productId: purchase.productId,
            type: purchase.type,
            quantity: purchase.quantity,
            purchaseDate: purchase.purchaseDate,
            expiresDate: purchase.expiresDate,
            lineItem: purchase.lineItem == nil ? nil : numbers.lineItem(),
            reason: purchase.reason,
            price: purchase.price,
            offer: nil,
            storefront: purchase.storefront
        )
    }

    /// Does to a member's lineage what happened to that of the one who pays.
    private mutating func follow(
        _ index: Int,
        in follower: Int,
        _ event: Event,
        _ purchase: Int
    ) {
        guard let following = lineages[follower].follows, !following.isOver else { return }
        let own = purchase - following.offset
        guard own >= 0 else { return }
        let payer = lineages[index]
        if event == .subscriptionRefunded || event == .oneTimeRefunded {
            guard own < lineages[follower].purchases.count else { return }
            return revokeFamilyAccess(follower, purchase: own)
        }
        if event == .refundReversed {
            return giveFamilyAccessBack(follower, purchase: own)
        }
        let known = following.offset + lineages[follower].purchases.count
        if payer.purchases.count > known, !isShareable(payer.newest, of: payer.bundleId) {
            return endSharing(of: index, in: follower)
        }
        for position in lineages[follower].purchases.indices {
            let original = payer.purchases[position + following.offset]
            lineages[follower].purchases[position].expiresDate = original.expiresDate
            lineages[follower].purchases[position].upgradedAt = original.upgradedAt
        }
        for original in payer.purchases.dropFirst(known) {
            append(shared(original), to: follower)
        }
        lineages[follower].renewal = payer.renewal
        lineages[follower].billingFailures = payer.billingFailures
        if event.isToldToFamily { tell(event, follower, purchase: own) }
    }

    /// Whether the one who pays came from a product that no family shares to one that they do, and
    /// has it already.
    private func becameShareable(_ index: Int) -> Bool {
        let lineage = lineages[index]
        guard lineage.newest.purchaseDate <= now,
            isShareable(lineage.newest, of: lineage.bundleId),
            let previous = lineage.purchases.dropLast().last
        else { return false }
        return !isShareable(previous, of: lineage.bundleId)
    }

    private func isShareable(_ purchase: Purchase, of bundleId: String) -> Bool {
        apps[bundleId]?[purchase.productId]?.isFamilyShareable == true
    }

    /// Ends a member's share because the one who pays changed to a product that no family shares: at
    /// once where that began, else with the period.
    private mutating func endSharing(of index: Int, in follower: Int) {
        guard lineages[index].newest.purchaseDate <= now else {
            lineages[follower].renewal?.isOn = false
            lineages[follower].follows?.isOver = true
            return tell(.renewalTurnedOff, follower)
        }
        revokeFamilyAccess(follower)
    }

    /// Gives a member back what a refund of the one who pays had taken.
    private mutating func giveFamilyAccessBack(_ follower: Int, purchase: Int) {
        guard purchase < lineages[follower].purchases.count,
            lineages[follower].purchases[purchase].revocation != nil
        else { return }
        lineages[follower].purchases[purchase].revocation = nil
        tell(.refundReversed, follower, purchase: purchase)
    }

    /// Takes a family member's access away, for good where it is that to the newest purchase.
    mutating func revokeFamilyAccess(_ follower: Int, purchase: Int? = nil) {
        let purchase = purchase ?? lineages[follower].purchases.count - 1
        guard lineages[follower].purchases[purchase].revocation == nil else { return }
        lineages[follower].purchases[purchase].revocation = Purchase.Revocation(
            date: bookingDate,
            reason: nil,
            type: .familyRevoke,
            percentage: nil
        )
        if purchase == lineages[follower].purchases.count - 1 {
            lineages[follower].renewal?.isOn = false
            lineages[follower].follows?.isOver = true
        }
        tell(.familyAccessRevoked, follower, purchase: purchase)
    }
}

extension Event {
    /// Whether a family may get something by it that it had not before.
    fileprivate var givesToFamily: Bool {
        switch self {
        case .subscribed, .boughtOnce, .resubscribed, .resubscribedToOther, .refundReversed: true
        default: false
        }
    }

    /// Whether a period of another product may have begun by it.
    fileprivate var beginsPeriod: Bool {
        switch self {
        case .upgraded, .offerRedeemedWithUpgrade, .renewed, .recovered: true
        default: false
        }
    }

    /// Whether family members hear of it; of offers, prices and refunds only the one who pays does
    /// (Apple, "notification_type").
    fileprivate var isToldToFamily: Bool {
        switch self {
        case .renewed, .recovered, .upgraded, .planChangeScheduled, .planChangeUndone,
            .renewalTurnedOn, .renewalTurnedOff, .renewalTurnedOffAtPriceIncrease, .billingFailed,
            .billingFailedInGrace, .gracePeriodEnded, .expiredByChoice, .expiredUnpaid,
            .expiredWithoutConsent, .expiredNotForSale, .expired, .resubscribed,
            .resubscribedToOther, .renewalExtended:
            true
        default: false
        }
    }
}
