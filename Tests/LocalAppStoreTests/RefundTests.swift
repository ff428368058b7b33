import AppStoreModel
import CounterfoilBasics
import Testing

@testable import AppStoreSimulator

@Suite("Refunds and their limits")
struct RefundTests {
    private static func isRefused(_ attempt: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.code == StoreError.notPossible)
    }

    @Test("A purchase is refunded once, after it began, by the one who paid")
    func refunds() throws {
        var life = Life { $0["silver.month"]?.isFamilyShareable = true }
        try life.store.formFamily([life.account, life.store.openAccount()])
        let number = try life.buy("silver.month")
        Self.isRefused { try life.store.refund(life.store.lineages[1].original) }
        life.advance(to: "2026-02-28T09:30:00Z")
        Self.isRefused { try life.store.refund(life.store.lineages[0].newest.number) }
        try life.store.refund(number)
        Self.isRefused { try life.store.refund(number) }
        Self.isRefused { try life.store.requestRefund(number) }
    }

    @Test("A refund is taken back once, and not when another period runs in its time")
    func reversals() throws {
        var life = Life()
        let number = try life.buy("silver.month")
        Self.isRefused { try life.store.reverseRefund(number) }
        try life.store.refund(number)
        try life.store.reverseRefund(number)
        Self.isRefused { try life.store.reverseRefund(number) }
        try life.store.refund(number)
        life.advance(days: 1)
        try life.buy("silver.month")
        Self.isRefused { try life.store.reverseRefund(number) }
        #expect(life.states == [.active])
    }

    @Test("A refund is of the number that was paid, and shows under that of a restore, too")
    func restored() throws {
        var life = Life()
        let pro = try life.buy("pro")
        let other = life.store.addDevice(of: life.account)
        try life.store.restore(Life.bundleId, on: other)
        let shown = try #require(life.receipt(on: other).inApp.first?.transactionId)
        #expect(shown != pro.description)
        let number = try TransactionNumber(#require(Int64(shown)))
        Self.isRefused { try life.store.refund(number) }
        try life.store.refund(pro)
        #expect(try life.receipt(on: other).inApp.map(\.cancellationDate) == [life.store.now])
        #expect(try life.receipt(on: other).inApp.map(\.transactionId) == [shown])
    }
}
