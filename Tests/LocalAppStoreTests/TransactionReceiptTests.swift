import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import Testing

@testable import AppStoreSimulator

@Suite("iOS 6-style receipts of the local App Store")
struct TransactionReceiptTests {
    private static func prove(
        _ number: TransactionNumber,
        on device: Device.ID,
        in life: Life
    ) throws -> TransactionReceipt {
        let purchase = try life.store.transactionReceipt(of: number, on: device)
        let bytes = try TransactionReceiptIssuer(authority: Proof.authority.get())
            .issue(purchase.receipt)
        return try Proof.transactionReceipt(bytes, at: life.store.now).content
    }

    @Test(
        "A transaction's receipt verifies in either version of its signature and tells of it",
        arguments: [
            (StoreEnvironment.production, "2016-02-01T10:00:00Z"),
            (.sandbox, "2026-02-01T10:00:00Z"),
        ]
    )
    func verified(environment: StoreEnvironment, begin: String) throws {
        var life = Life(environment: environment, pace: .real, at: Life.instant(begin))
        let number = try life.buy("silver.month")
        let coins = try life.buy("coins")
        life.advance(days: 35)
        let renewal = life.store.lineages[0].newest
        let content = try Self.prove(renewal.number, on: life.device, in: life)
        #expect(content.bundleId == Life.bundleId)
        #expect(content.productId == "silver.month")
        #expect(content.transactionId == renewal.number.description)
        #expect(content.originalTransactionId == number.description)
        #expect(content.purchaseDate == renewal.purchaseDate)
        #expect(content.expiresDate == renewal.expiresDate)
        #expect(content.webOrderLineItemId == renewal.lineItem?.description)
        #expect(content.environment == (environment == .production ? nil : "Sandbox"))
        let once = try Self.prove(coins, on: life.device, in: life)
        #expect(once.expiresDate == nil)
        #expect(once.uniqueVendorIdentifier == content.uniqueVendorIdentifier)
    }

    @Test(
        "A receipt has the keys that receipts of its year had",
        arguments: [
            ("2011-02-17T06:20:57Z", 0), ("2012-04-30T15:05:55Z", 1), ("2012-10-11T14:45:40Z", 2),
            ("2014-01-27T12:50:56Z", 3), ("2018-03-26T12:24:23Z", 4), ("2020-04-21T03:11:57Z", 5),
        ]
    )
    func keys(begin: String, count: Int) throws {
        var life = Life(environment: .sandbox, at: Life.instant(begin))
        let number = try life.buy("pro")
        let receipt = try life.store.transactionReceipt(of: number, on: life.device).receipt
        let keys = [
            "purchase-date-ms", "unique-identifier", "unique-vendor-identifier", "is-trial-period",
            "version-external-identifier",
        ]
        #expect(keys.filter { receipt[$0] != nil } == Array(keys.prefix(count)))
        #expect(receipt["purchase-date"] != nil)
    }

    @Test("A restored transaction has the number of the restore on its device, and on no other")
    func restored() throws {
        var life = Life()
        let pro = try life.buy("pro")
        life.advance(days: 3)
        let other = life.store.addDevice(of: life.account)
        try life.store.restore(Life.bundleId, on: other)
        let listed = try life.receipt(on: other).inApp[0].transactionId
        let number = TransactionNumber(try #require(Int64(listed)))
        let content = try Self.prove(number, on: other, in: life)
        #expect(content.transactionId == listed)
        #expect(content.originalTransactionId == pro.description)
        #expect(content.purchaseDate == life.store.now)
        #expect(content.originalPurchaseDate == Life.start)
        let error = #expect(throws: StoreError.self) {
            try life.store.transactionReceipt(of: number, on: life.device)
        }
        #expect(error?.code == StoreError.notPossible)
    }

    @Test("A transaction of another account is refused")
    func strangers() throws {
        var life = Life()
        let pro = try life.buy("pro")
        let stranger = life.store.addDevice(of: life.store.openAccount())
        let error = #expect(throws: StoreError.self) {
            try life.store.transactionReceipt(of: pro, on: stranger)
        }
        #expect(error?.code == StoreError.notPossible)
    }
}
