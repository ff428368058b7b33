import AppStoreModel
import CounterfoilBasics
import Testing

@testable import AppStoreSimulator

/// The hour in which the next period is paid and the present one still runs.
@Suite("While the next period is paid and has not begun")
struct PaidAheadTests {
    /// A monthly subscription half an hour before its first renewal, and its first transaction.
    private static func life() throws -> (Life, first: TransactionNumber) {
        var life = Life { $0["silver.month"]?.isFamilyShareable = true }
        let first = try life.buy("silver.month")
        life.advance(to: "2026-02-28T09:30:00Z")
        #expect(life.events() == [.subscribed, .renewed])
        return (life, first)
    }

    @Test("A refund of the present period is told of with the status of what was revoked")
    func refunded() throws {
        var (life, first) = try Self.life()
        try life.store.refund(first)
        #expect(life.states == [.revoked])
        let told = try #require(life.store.takeHappenings().last?.notificationV2)
        #expect(told.notification.notificationType == .refund)
        #expect(told.notification.data?.status == .revoked)
        life.advance(to: "2026-02-28T10:00:00Z")
        #expect(life.states == [.active])
    }

    @Test("Nobody pays twice for one time, not even after a refund of the present period")
    func boughtAgain() throws {
        var (life, first) = try Self.life()
        try life.store.refund(first)
        for product in ["silver.month", "gold.month", "bronze.week"] {
            let error = #expect(throws: StoreError.self) { try life.buy(product) }
            #expect(error?.code == StoreError.renewalCharged)
        }
        life.advance(to: "2026-02-28T10:00:00Z")
        try life.buy("gold.month")
        let begins = life.store.lineages[0].purchases.map(\.purchaseDate)
        #expect(begins == begins.sorted { $0 < $1 })
    }

    @Test("Who joins the family then has the present period and the next one")
    func joined() throws {
        var (life, _) = try Self.life()
        let member = life.store.openAccount()
        try life.store.formFamily([life.account, member])
        let happenings = life.store.takeHappenings()
        #expect(happenings.map(\.event) == [.subscribed, .renewed])
        let told = try #require(happenings.first)
        #expect(told.notificationV2?.notification.data?.status == .active)
        let shared = try #require(life.store.lineages(of: member, in: Life.bundleId).first)
        #expect(told.notificationV2?.nested.transaction?.transactionId == "\(shared.original)")
        #expect(shared.truth(at: life.store.now)?.state == .active)
        #expect(
            shared.purchases.map(\.expiresDate)
                == life.store.lineages[0].purchases.map(\.expiresDate)
        )
        #expect(
            happenings.map { $0.notificationV2?.nested.transaction?.transactionId }
                == shared.purchases.map(\.number.description)
        )
        for purchase in shared.purchases {
            #expect(life.store.lineage(of: purchase.number)?.original == shared.original)
        }
        life.advance(days: 40)
        let lineages = [life.account, member].flatMap {
            life.store.lineages(of: $0, in: Life.bundleId)
        }
        #expect(lineages.map(\.purchases.count) == [3, 3])
    }

    @Test("Who leaves the family then has neither period any more", arguments: [false, true])
    func left(isRefunded: Bool) throws {
        var (life, first) = try Self.life()
        let member = life.store.openAccount()
        try life.store.formFamily([life.account, member])
        if isRefunded { try life.store.refund(first) }
        _ = life.events()
        try life.store.leaveFamily(member)
        let told = life.store.takeHappenings()
        #expect(told.count == (isRefunded ? 1 : 2))
        #expect(told.allSatisfy { $0.event == .familyAccessRevoked })
        for happening in told {
            let notification = try #require(happening.notificationV2)
            #expect(notification.notification.data?.status == .revoked)
            #expect(notification.nested.renewalInfo?.autoRenewStatus == .off)
        }
        func states() -> [Truth.State] {
            life.store.truth(of: member, in: Life.bundleId, at: life.store.now).map(\.state)
        }
        #expect(states() == [.revoked])
        life.advance(to: "2026-02-28T10:00:00Z")
        #expect(states() == [.revoked] && life.states == [.active])
    }
}
