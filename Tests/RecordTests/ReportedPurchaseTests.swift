import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Journal
import Ledger
import PurchaseService
import RecordTestSupport
import Testing

/// Purchases whose holders other servers locked out, or gave what was not theirs.
@Suite("Purchases that are refunded, shared, replayed, forged or of another app")
struct ReportedPurchaseTests {
    @Test("What was restored under new ids is owned once, and credited once")
    func restores() async throws {
        var shop = try await Shop()
        try shop.buy("pro")
        try shop.buy("silver.month")
        try shop.buy("coins")
        try await shop.notify()
        let told = try await shop.told()
        for _ in 0..<3 {
            shop.wait(days: 1)
            try shop.store.restore(Record.bundleId, on: shop.phone)
            try await shop.hear(.appReceipt(shop.receipt()))
        }
        #expect(try await shop.record.lineages().count == 3)
        #expect(try await shop.told() == told)
        #expect(try await shop.credits() == 100)
    }

    @Test("A transaction that nobody signed, or that was changed after, is no purchase")
    func forged() async throws {
        var shop = try await Shop()
        try shop.buy("pro")
        let transaction = try #require(shop.happened().last?.purchase?.transaction)
        let genuine = try DeliveredDocument.transaction(transaction)
            .signed(by: Record.authority.get())
        var parts = String(decoding: genuine, as: UTF8.self).split(separator: ".").map(String.init)
        parts[1] = parts[1].replacing("A", with: "B", maxReplacements: 1)
        let forgeries = [
            parts.joined(separator: "."), "\(parts[0]).\(parts[1]).",
            #"{"transactionId":"\#(transaction.transactionId ?? "")"}"#,
        ]
        for forgery in forgeries {
            await #expect(throws: IntakeRefusal.self) {
                try await shop.record.intake.takeIn(Array(forgery.utf8))
            }
        }
        #expect(try await shop.record.lineages().isEmpty)
    }

    @Test(
        "A genuine document of another app is refused, and one of an unknown product gives nothing"
    )
    func otherApp() async throws {
        let other = StoreApp(
            bundleId: "com.example.other",
            appAppleId: 2_345_678_901,
            products: Array(Lives.app.products.values)
        )
        var app = Lives.app
        app["extra"] = AppStoreSimulator.Product("extra", .nonConsumable, Price(990, "USD"))
        var shop = try await Shop(app: app)
        try shop.store.add(other)
        try shop.store.buy("pro", of: other.bundleId, on: shop.phone)
        let notification = try #require(shop.happened().last?.notificationV2)
        for document in [
            DeliveredDocument.notificationV2(notification),
            .appReceipt(try shop.store.receipt(of: other.bundleId, on: shop.phone)),
        ] {
            let bytes = try document.signed(by: Record.authority.get())
            await #expect(throws: IntakeRefusal.self) {
                try await shop.record.intake.takeIn(bytes)
            }
        }
        #expect(try await shop.record.lineages().isEmpty)

        let number = try shop.buy("extra")
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .active)
        #expect(try await shop.entitlements().isEmpty)
    }

    @Test("A refunded consumable counts as never bought, and its refund stays in the feed")
    func refundedConsumable() async throws {
        var shop = try await Shop()
        let number = try shop.buy("coins", quantity: 2)
        try shop.buy("coins")
        let receipt = try shop.receipt()
        try await shop.notify()
        #expect(try await shop.credits() == 300)
        shop.wait(days: 3)
        try shop.store.refund(number)
        try await shop.notify()
        // The receipt of before is no news.
        try await shop.hear(.appReceipt(receipt))
        #expect(try await shop.credits() == 100)
        #expect(
            try await shop.told() == ["purchase.made", "purchase.made", "access.revoked"]
        )
    }

    @Test("Each member of a family has a purchase of its own, and loses it alone")
    func family() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        let members = (0..<2).map { _ in shop.store.openAccount() }
        try shop.store.formFamily([shop.account] + members)
        try await shop.notify()
        func numbers() -> [TransactionNumber] {
            members.compactMap {
                shop.store.lineages(of: $0, in: Record.bundleId).first?.original
            }
        }
        let shared = numbers()
        #expect(Set(shared + [number]).count == 3)
        for (number, ownership) in [
            (number, InAppOwnershipType.purchased), (shared[0], .familyShared),
            (shared[1], .familyShared),
        ] {
            #expect(try await shop.standing(of: number)?.state == .active)
            let purchases = try await shop.purchases(of: number)
            #expect(purchases.map(\.registers.ownership.value) == [ownership])
        }
        shop.wait(days: 1)
        try shop.store.leaveFamily(members[0])
        try await shop.notify()
        #expect(try await shop.standing(of: shared[0])?.state == .revoked)
        #expect(try await shop.standing(of: shared[1])?.state == .active)
        #expect(try await shop.standing(of: number)?.state == .active)
    }

    @Test("Whoever turns renewal off has access to the end; whoever is refunded has it no longer")
    func cancelledAndRefunded() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.wait(days: 5)
        try shop.store.turnRenewalOff(number)
        try await shop.notify()
        let end = Record.instant("2026-02-01T10:00:00Z")
        let cancelled = try #require(try await shop.standing(of: number))
        #expect(cancelled.state == .active && cancelled.nextChangeAt == end)
        #expect(cancelled.renewal?.isOn == false)
        #expect(try await shop.standing(of: number, at: end)?.state == .expired)
        shop.wait(days: 5)
        try shop.store.refund(number)
        try await shop.notify()
        let refunded = try #require(try await shop.standing(of: number))
        #expect(refunded.state == .revoked)
        // Both dates are there to be shown.
        #expect(refunded.since == shop.store.now.wholeSecond && refunded.expiresDate == end)
    }

    @Test("A refunded non-consumable is revoked, by a notification or by a receipt")
    func refundedNonConsumable() async throws {
        var shop = try await Shop()
        let number = try shop.buy("pro")
        try await shop.notify()
        shop.wait(days: 5)
        try shop.store.refund(number)
        let notification = try #require(shop.happened().last?.notificationV2)
        let receipt = try shop.receipt()
        for document in [
            DeliveredDocument.notificationV2(notification), .appReceipt(receipt),
        ] {
            let record = try await shop.afresh([document])
            let standing = try await record.journal.reader.standing(
                of: Record.lineage(number),
                at: shop.store.now
            )
            #expect(standing?.state == .revoked)
        }
        try await shop.hear(.appReceipt(receipt))
        #expect(try await shop.entitlements().isEmpty)
    }

    @Test("A refund told by notification and found again in the history is one refund")
    func refundInHistory() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        try await shop.notify()
        shop.wait(days: 5)
        try shop.store.refund(number)
        try await shop.notify()
        let told = try await shop.told()
        for _ in 0..<2 {
            let history = try shop.store.transactionHistory(
                of: shop.account,
                in: Record.bundleId
            )
            for found in history.transactions {
                try await shop.hear(.transaction(found.transaction))
            }
        }
        #expect(try await shop.standing(of: number)?.state == .revoked)
        #expect(try await shop.told() == told)
        // And where the notification was lost, the history alone revokes.
        let history = try shop.store.transactionHistory(of: shop.account, in: Record.bundleId)
        let record = try await shop.afresh(
            history.transactions.map { .transaction($0.transaction) }
        )
        let standing = try await record.journal.reader.standing(
            of: Record.lineage(number),
            at: shop.store.now
        )
        #expect(standing?.state == .revoked)
    }

    @Test("A refund that is taken back restores, and one of a past period leaves the present one")
    func reversedAndPast() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.wait(days: 40)
        try await shop.notify()
        try shop.store.refund(number)
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .active)
        let present = try #require(shop.store.lineage(of: number)?.newest.number)
        shop.wait(days: 1)
        try shop.store.refund(present)
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .revoked)
        // No receipt and no copy of what was said before lifts it.
        var receipt = try shop.receipt()
        for index in receipt.receipt.inApp.indices {
            receipt.receipt.inApp[index].cancellationDate = nil
        }
        receipt.receipt.creationDate = shop.store.now.advanced(by: .seconds(60))
        try await shop.hear(.appReceipt(receipt))
        #expect(try await shop.standing(of: number)?.state == .revoked)
        try shop.store.reverseRefund(present)
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .active)
        let told = try await shop.told()
        #expect(told.filter { $0.hasPrefix("access.") } == ["access.revoked", "access.restored"])
    }
}
