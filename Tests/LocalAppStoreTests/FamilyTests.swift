import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Testing

@Suite("Families")
struct FamilyTests {
    private static func life() throws -> (Life, member: AppleAccount.ID, Family.ID) {
        var life = Life {
            $0["silver.month"]?.isFamilyShareable = true
            $0["pro"]?.isFamilyShareable = true
        }
        let member = life.store.openAccount()
        let family = try life.store.formFamily([life.account, member])
        return (life, member, family)
    }

    @Test("A member has what the one who pays has, under numbers of its own")
    func shared() throws {
        var (life, member, _) = try Self.life()
        try life.buy("silver.month")
        try life.buy("pro")
        life.advance(days: 40)
        let lineages = life.store.lineages(of: member, in: Life.bundleId)
        #expect(lineages.map(\.ownership) == [.familyShared, .familyShared])
        #expect(lineages[0].purchases.count == 2)
        let numbers = life.store.lineages.flatMap(\.purchases).map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(
            life.events() == [
                .subscribed, .subscribed, .boughtOnce, .boughtOnce, .renewed, .renewed,
            ]
        )
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.active, .active])
    }

    @Test("Who leaves loses what was shared; the one who pays keeps it")
    func left() throws {
        var (life, member, family) = try Self.life()
        try life.buy("silver.month")
        life.advance(days: 10)
        try life.store.leaveFamily(member)
        life.advance(days: 30)
        #expect(life.states == [.active])
        func states(_ life: Life) -> [Truth.State] {
            life.store.truth(of: member, in: Life.bundleId, at: life.store.now).map(\.state)
        }
        #expect(states(life) == [.revoked])
        #expect(life.events() == [.subscribed, .subscribed, .familyAccessRevoked, .renewed])
        try life.store.join(family, member)
        #expect(states(life) == [.revoked, .active])
    }

    @Test(
        "When the one who pays leaves, or stops sharing, the members lose it and it goes on alone"
    )
    func payerLeaves() throws {
        for leaves in [true, false] {
            var (life, member, _) = try Self.life()
            let number = try life.buy("silver.month")
            _ = life.events()
            if leaves {
                try life.store.leaveFamily(life.account)
            } else {
                try life.store.stopSharing(number)
            }
            #expect(life.events() == [.familyAccessRevoked])
            life.advance(days: 30)
            #expect(life.events() == [.renewed])
            #expect(life.states == [.active])
            let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
            #expect(truth.map(\.state) == [.revoked])
        }
    }

    @Test("What is over or refunded is not shared with who joins, nor withdrawn from who leaves")
    func over() throws {
        var (life, member, family) = try Self.life()
        let other = life.store.openAccount()
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(days: 60)
        let pro = try life.buy("pro")
        try life.store.leaveFamily(member)
        try life.store.refund(pro)
        _ = life.events()
        try life.store.join(family, other)
        #expect(life.events().isEmpty)
        #expect(life.store.lineages(of: other, in: Life.bundleId).isEmpty)
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.expired, .revoked])
    }

    @Test("Prices are the concern of the one who pays")
    func prices() throws {
        var (life, _, _) = try Self.life()
        try life.buy("silver.month")
        _ = life.events()
        try life.store.setPrice(Price(99_990, "USD"), of: "silver.month", in: Life.bundleId)
        #expect(life.events() == [.priceIncreaseAsked])
    }

    @Test("A member who leaves is told that the family withdrew it, for no reason")
    func revoked() throws {
        var (life, member, _) = try Self.life()
        try life.buy("silver.month")
        life.advance(days: 10)
        _ = life.events()
        try life.store.leaveFamily(member)
        let told = try #require(life.store.takeHappenings().last?.notificationV2)
        #expect(told.notification.notificationType == .revoke)
        #expect(told.notification.subtype == nil)
        #expect(told.notification.data?.status == .revoked)
        let transaction = try #require(told.nested.transaction)
        #expect(transaction.inAppOwnershipType == .familyShared)
        #expect(transaction.revocationDate == life.store.now)
        #expect(transaction.revocationType == .familyRevoke)
        #expect(transaction.revocationReason == nil)
        #expect(transaction.price == nil)
    }

    @Test("Who joins while a payment fails keeps access as long as the one who pays")
    func joinedInGrace() throws {
        var life = Life {
            $0["silver.month"]?.isFamilyShareable = true
            $0.gracePeriod = GracePeriod(.sixteenDays)
        }
        try life.buy("silver.month")
        life.store.setPayment(.fails, of: life.account)
        life.advance(days: 30)
        let member = life.store.openAccount()
        try life.store.formFamily([life.account, member])
        func states(_ life: Life) -> [Truth.State] {
            [life.account, member].flatMap {
                life.store.truth(of: $0, in: Life.bundleId, at: life.store.now).map(\.state)
            }
        }
        #expect(states(life) == [.grace, .grace])
        life.advance(days: 20)
        #expect(states(life) == [.billingRetry, .billingRetry])
        life.store.setPayment(.works, of: life.account)
        #expect(states(life) == [.active, .active])
    }

    @Test("A refund of the one who paid ends the members' access")
    func refunded() throws {
        var (life, member, _) = try Self.life()
        let number = try life.buy("silver.month")
        life.advance(days: 2)
        try life.store.refund(number)
        #expect(
            life.events() == [
                .subscribed, .subscribed, .subscriptionRefunded, .familyAccessRevoked,
                .renewalTurnedOff,
            ]
        )
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.revoked])
        #expect(life.states == [.revoked])
        try life.store.reverseRefund(number)
        #expect(life.events() == [.refundReversed, .subscribed])
        #expect(life.states == [.active])
    }

    @Test(
        "A refund that is taken back gives the members back what it took, also of the present period when the next is paid"
    )
    func refundReversed() throws {
        var (life, member, _) = try Self.life()
        let number = try life.buy("silver.month")
        life.advance(to: "2026-02-28T09:30:00Z")
        try life.store.refund(number)
        func states() -> [Truth.State] {
            life.store.truth(of: member, in: Life.bundleId, at: life.store.now).map(\.state)
        }
        #expect(states() == [.revoked] && life.states == [.revoked])
        try life.store.reverseRefund(number)
        #expect(states() == [.active] && life.states == [.active])
    }

    @Test(
        "A change to a product that no family shares ends the members' access with it, and not before"
    )
    func changeToUnshared() throws {
        var (life, member, _) = try Self.life()
        try life.buy("silver.month")
        life.advance(days: 3)
        try life.buy("gold.month")
        func states(_ life: Life) -> [Truth.State] {
            life.store.truth(of: member, in: Life.bundleId, at: life.store.now).map(\.state)
        }
        #expect(states(life) == [.revoked] && life.states == [.active])
        #expect(life.events().last == .familyAccessRevoked)

        (life, _, _) = try Self.life()
        try life.buy("silver.month")
        try life.buy("bronze.week")
        life.advance(to: "2026-02-28T09:59:59Z")
        #expect(states(life) == [.active])
        life.advance(to: "2026-02-28T10:00:00Z")
        #expect(states(life) == [.expired] && life.states == [.active])
    }

    @Test("A change to a product that families share gives it to the members")
    func changeToShared() throws {
        var (life, member, _) = try Self.life()
        try life.buy("bronze.week")
        #expect(life.store.lineages(of: member, in: Life.bundleId).isEmpty)
        try life.buy("silver.month")
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.active] && truth.map(\.productId) == ["silver.month"])
        #expect(life.events() == [.subscribed, .upgraded, .subscribed])
        life.advance(days: 40)
        #expect(life.store.lineages(of: member, in: Life.bundleId)[0].purchases.count == 2)
    }

    @Test("Who gets a subscription because it begins again is told so once")
    func resubscribed() throws {
        var (life, _, _) = try Self.life()
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(days: 40)
        try life.store.leaveFamily(life.account)
        let other = life.store.openAccount()
        try life.store.formFamily([life.account, other])
        _ = life.events()
        try life.buy("silver.month")
        #expect(life.events() == [.resubscribed, .subscribed])
    }

    @Test("Who left when a subscription was over and joined again has it when it begins again")
    func joinedAgain() throws {
        var (life, member, family) = try Self.life()
        try life.store.turnRenewalOff(life.buy("silver.month"))
        life.advance(days: 40)
        try life.store.leaveFamily(member)
        try life.store.join(family, member)
        _ = life.events()
        try life.buy("silver.month")
        #expect(life.events() == [.resubscribed, .subscribed])
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.expired, .active])
    }

    @Test("Who lost a subscription to a plan that no family shares has it again after that one")
    func changeToUnsharedAndBack() throws {
        var (life, member, _) = try Self.life()
        try life.buy("silver.month")
        try life.buy("bronze.week")
        life.advance(to: "2026-03-01T10:00:00Z")
        _ = life.events()
        try life.buy("silver.month")
        #expect(life.events() == [.upgraded, .subscribed])
        let truth = life.store.truth(of: member, in: Life.bundleId, at: life.store.now)
        #expect(truth.map(\.state) == [.expired, .active])
    }
}
