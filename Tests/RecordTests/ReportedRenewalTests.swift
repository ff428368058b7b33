import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Journal
import Ledger
import RecordTestSupport
import Testing

/// Renewals at which other servers locked payers out, or let others stay.
@Suite("Renewals that change plans, fail, cost more or are never told of")
struct ReportedRenewalTests {
    @Test("A lower plan waits for the next period, a higher one begins at once")
    func plans() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.wait(days: 2)
        try shop.buy("bronze.week")
        try await shop.notify()
        let planned = try #require(try await shop.standing(of: number))
        #expect(planned.productId == "silver.month" && planned.plannedProductId == "bronze.week")
        shop.wait(days: 2)
        try shop.buy("gold.month")
        try await shop.notify()
        let upgraded = try #require(try await shop.standing(of: number))
        #expect(upgraded.productId == "gold.month" && upgraded.state == .active)
        #expect(upgraded.plannedProductId == nil)
        // What it replaced ended then, and does not come back when the new one is over.
        let purchases = try await shop.purchases(of: number)
        #expect(purchases.map(\.registers.isUpgraded.value).contains(true) || purchases.count == 2)
        #expect(try await shop.entitlements() == ["gold.month"])
        try shop.store.turnRenewalOff(number)
        try await shop.notify()
        shop.wait(days: 60)
        #expect(try await shop.standing(of: number)?.state == .expired)
    }

    @Test("Access is kept through grace, not through retry, and comes back when a charge succeeds")
    func grace() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        shop.store.setPayment(.fails, of: shop.account)
        shop.wait(days: 35)
        try await shop.notify()
        let grace = try #require(try await shop.standing(of: number))
        #expect(grace.state == .grace && grace.isEntitled)
        #expect(grace.nextChangeAt == Record.instant("2026-02-17T10:00:00Z"))
        // Nobody tells of its end; the clock does.
        shop.wait(days: 15)
        _ = shop.happened()
        #expect(try await shop.standing(of: number)?.state == .billingRetry)
        shop.store.setPayment(.works, of: shop.account)
        try await shop.notify()
        let recovered = try #require(try await shop.standing(of: number))
        #expect(recovered.state == .active)
        #expect(recovered.purchase != grace.purchase)
        // As it was then, it stays for ever.
        #expect(
            try await shop.standing(of: number, at: Record.instant("2026-02-05T00:00:00Z"))?.state
                == .grace
        )
    }

    @Test("Where the app has no grace period, a failed charge ends access at once")
    func retry() async throws {
        var app = Lives.app
        app.gracePeriod = nil
        var shop = try await Shop(leeway: .seconds(86_400), app: app)
        let number = try shop.buy("silver.month")
        shop.store.setPayment(.fails, of: shop.account)
        shop.wait(days: 32)
        try await shop.notify()
        let standing = try #require(try await shop.standing(of: number))
        #expect(standing.state == .billingRetry && !standing.isEntitled)
        // After sixty days the store gives up, and says so.
        shop.wait(days: 61)
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .expired)
    }

    @Test("When nobody tells of the end the clock does, and keeps access only where renewal is on")
    func endsNobodyToldOf() async throws {
        let leeway = Duration.seconds(86_400)
        for isOn in [true, false] {
            var shop = try await Shop(leeway: leeway)
            let number = try shop.buy("silver.month")
            if !isOn { try shop.store.turnRenewalOff(number) }
            try await shop.notify()
            let end = Record.instant("2026-02-01T10:00:00Z")
            func state(_ after: Duration) async throws -> Standing.State? {
                try await shop.standing(of: number, at: end.advanced(by: after))?.state
            }
            #expect(try await state(.milliseconds(-1)) == .active)
            #expect(try await state(.zero) == (isOn ? .awaitingRenewal : .expired))
            #expect(
                try await state(leeway - .milliseconds(1)) == (isOn ? .awaitingRenewal : .expired)
            )
            #expect(try await state(leeway) == .expired)
        }
    }

    @Test("A receipt alone says nothing of renewal, so nothing is inferred from it")
    func unknownRenewal() async throws {
        var shop = try await Shop(leeway: .seconds(86_400))
        let number = try shop.buy("silver.month")
        try await shop.hear(.appReceipt(shop.receipt()))
        let end = Record.instant("2026-02-01T10:00:00Z")
        #expect(try await shop.standing(of: number, at: end)?.state == .expired)
    }

    @Test("A higher price that waits for consent changes nothing before the end")
    func priceIncrease() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        try await shop.notify()
        shop.wait(days: 2)
        let told = try await shop.told()
        try shop.store.setPrice(
            PriceList(Price(19_990, "USD")),
            of: "silver.month",
            in: Record.bundleId
        )
        try await shop.notify()
        let asked = try #require(try await shop.standing(of: number))
        #expect(asked.state == .active)
        #expect(asked.nextChangeAt == Record.instant("2026-02-01T10:00:00Z"))
        let row = try await shop.record.journal.reader.lineage(Record.lineage(number))
        #expect(row?.told.lineage.priceConsent.value?.status == .noAnswer)
        #expect(
            try await shop.told() == told + ["occurrence.price_increase"]
        )
        shop.wait(days: 40)
        try await shop.notify()
        #expect(try await shop.standing(of: number)?.state == .expired)
    }

    @Test("A moved end counts, and the summary of many says nothing of one")
    func extensions() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        try await shop.notify()
        shop.wait(days: 2)
        try shop.store.extendAll(
            "silver.month",
            of: Record.bundleId,
            days: 10,
            requestIdentifier: "1"
        )
        try await shop.notify()
        let standing = try #require(try await shop.standing(of: number))
        #expect(standing.expiresDate == Record.instant("2026-02-11T10:00:00Z"))
        #expect(
            try await shop.told().suffix(2).sorted() == [
                "occurrence.extension_finished", "subscription.end_moved",
            ]
        )
        #expect(try await shop.record.lineages().count == 1)
    }

    @Test("Of two plans of one second the second counts, whichever of them a receipt tells of")
    func plansOfOneSecond() async throws {
        var shop = try await Shop()
        let number = try shop.buy("silver.month")
        let upgraded = try shop.buy("gold.month")
        var transactions = shop.happened().compactMap(\.purchase?.transaction)
        #expect(transactions.map(\.productId) == ["silver.month", "gold.month"])
        for (index, milliseconds) in [300, 800].enumerated() {
            let begin = shop.store.now.advanced(by: .milliseconds(milliseconds))
            transactions[index].purchaseDate = begin
        }
        let receipts = try [number, upgraded].map {
            try shop.store.transactionReceipt(of: $0, on: shop.phone).receipt
        }
        for receipt in receipts {
            let record = try await shop.afresh(
                transactions.map { .transaction($0) } + [.transactionReceipt(receipt)]
            )
            let standing = try await record.journal.reader.standing(
                of: Record.lineage(number),
                at: shop.store.now.advanced(by: .seconds(60))
            )
            #expect(standing?.productId == "gold.month")
        }
    }
}
