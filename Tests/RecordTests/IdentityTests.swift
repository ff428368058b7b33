import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Journal
import Ledger
import RecordTestSupport
import Testing

@Suite("What is one purchase, from documents to answers")
struct IdentityTests {
    @Test("An Apple account on the devices of several customers has each purchase once")
    func oneAccountOnManyDevices() async throws {
        var shop = try await Shop()
        let subscription = try shop.buy("silver.month")
        let pro = try shop.buy("pro")
        try shop.buy("coins", quantity: 2)
        let tablets = (0..<3).map { _ in shop.store.addDevice(of: shop.account) }
        for tablet in tablets { try shop.store.restore(Record.bundleId, on: tablet) }
        for device in [shop.phone] + tablets + tablets {
            try await shop.hear(.appReceipt(shop.receipt(on: device)))
        }
        #expect(try await shop.record.lineages().count == 3)
        #expect(try await shop.entitlements() == ["pro", "silver.month"])
        #expect(try await shop.credits() == 200)
        for number in [subscription, pro] {
            let purchases = try await shop.purchases(of: number)
            #expect(purchases.count == 1)
            // As it was bought, and as it was restored on each tablet.
            #expect(purchases[0].registers.transactions.count == 4)
            #expect(purchases[0].purchaseDate == Record.instant("2026-01-01T10:00:00Z"))
        }
        #expect(
            try await shop.told().sorted() == [
                "purchase.made", "purchase.made", "subscription.started",
            ]
        )
    }

    @Test("Receipts of different Apple accounts, mixed, share nothing")
    func manyAccounts() async throws {
        var shop = try await Shop()
        var numbers: [TransactionNumber] = []
        var receipts: [StoreReceipt] = []
        for device in [shop.phone]
            + (0..<4).map({ _ in
                shop.store.addDevice(of: shop.store.openAccount())
            })
        {
            numbers.append(try shop.buy("silver.month", on: device))
            try shop.buy("pro", on: device)
            receipts.append(try shop.receipt(on: device))
        }
        for receipt in receipts + receipts.reversed() { try await shop.hear(.appReceipt(receipt)) }
        #expect(try await shop.record.lineages().count == 10)
        _ = shop.happened()
        try shop.store.refund(numbers[2])
        try await shop.notify()
        for number in numbers {
            let isRefunded = number == numbers[2]
            #expect(
                try await shop.standing(of: number)?.state == (isRefunded ? .revoked : .active)
            )
            #expect(try await shop.purchases(of: number).count == 1)
        }
    }

    @Test("A restored period has new ids, the same line item, and is told of once")
    func restoredPeriods() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.wait(days: 40)
        try await shop.notify()
        let told = try await shop.told()
        let before = try await shop.standing(of: number)
        try shop.store.restore(Record.bundleId, on: shop.phone)
        let receipt = try shop.receipt()
        try await shop.hear(.appReceipt(receipt))
        let purchases = try await shop.purchases(of: number)
        #expect(purchases.count == 2)
        for purchase in purchases { #expect(purchase.registers.transactions.count == 2) }
        #expect(try await shop.told() == told)
        #expect(PlainStanding(try await shop.standing(of: number)) == PlainStanding(before))
        // By its new number, too.
        for element in receipt.receipt.inApp {
            #expect(
                try await shop.record.journal.reader.lineages(of: element.transactionId)
                    == [Record.lineage(number)]
            )
        }
    }

    @Test(
        "A line item that is 0 or missing is the one that another document shows, in receipts and signed data",
        arguments: ["0", nil] as [String?]
    )
    func lineItems(_ missing: String?) async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.wait(days: 40)
        var documents: [DeliveredDocument] = []
        for happening in shop.happened() {
            guard var transaction = happening.purchase?.transaction else { continue }
            documents.append(.transaction(transaction))
            transaction.webOrderLineItemId = missing
            documents.append(.transaction(transaction))
        }
        var receipt = try shop.receipt()
        documents.append(.appReceipt(receipt))
        for index in receipt.receipt.inApp.indices {
            receipt.receipt.inApp[index].webOrderLineItemId = "0"
        }
        documents.append(.appReceipt(receipt))
        for order in [documents, documents.reversed()] {
            let record = try await shop.afresh(order)
            let known = try #require(
                try await record.journal.reader.lineage(Record.lineage(number))
            ).told.lineage
            #expect(known.purchases.count == 2)
            let standing = try await record.journal.reader.standing(
                of: Record.lineage(number),
                at: shop.store.now
            )
            #expect(standing?.expiresDate == Record.instant("2026-03-01T10:00:00Z"))
        }
        // Alone, each of them names its period by its begin.
        let alone = try await shop.afresh([.appReceipt(receipt)])
        let row = try await alone.journal.reader.lineage(Record.lineage(number))
        #expect(row?.told.lineage.purchases.count == 2)
    }

    @Test("A receipt of 2011 without line items tells of the periods that a later one numbers")
    func receiptsOf2011() async throws {
        var shop = try await Shop(at: "2011-06-01T10:00:00Z")
        let first = try shop.buy("silver.month")
        shop.wait(days: 40)
        let second = try #require(shop.store.lineage(of: first)?.newest.number)
        var old: [[UInt8]] = []
        for number in [first, second] {
            let issuer = TransactionReceiptIssuer(authority: try Record.authority.get())
            var receipt = try shop.store.transactionReceipt(of: number, on: shop.phone).receipt
            receipt.purchaseInfo.removeAll {
                $0.key == "web-order-line-item-id" || $0.key.hasSuffix("date-ms")
            }
            old.append(try issuer.issue(receipt))
        }
        try shop.store.turnRenewalOff(first)
        // Long after, the customer still has them in the receipt of a newer app.
        shop.store.advance(to: Record.instant("2019-01-01T00:00:00Z"))
        let later = try DeliveredDocument.appReceipt(shop.receipt())
            .signed(by: Record.authority.get())
        for order in [old + [later], [later] + old] {
            let record = try await shop.afresh(order)
            #expect(try await record.lineages() == [Record.lineage(first)])
            let row = try await record.journal.reader.lineage(Record.lineage(first))
            let purchases = row?.told.lineage.purchases ?? []
            #expect(purchases.count == 2)
            #expect(purchases.allSatisfy { if case .period = $0.id { true } else { false } })
        }
        let alone = try await shop.afresh(old)
        let row = try await alone.journal.reader.lineage(Record.lineage(first))
        #expect(
            row?.told.lineage.purchases.map(\.id) == [
                .undocumentedPeriod(begin: Record.instant("2011-06-01T10:00:00Z")),
                .undocumentedPeriod(begin: Record.instant("2011-07-01T10:00:00Z")),
            ]
        )
    }
}
