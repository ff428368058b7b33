import AppStoreModel
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreSimulator

@Suite("Laws of documents in lives at random")
struct DocumentLawsTests {
    private static func lives(_ seed: UInt64) throws -> LifeGenerator {
        var app = LifeGeneratorTests.app
        app.notificationVersions = [.v1, .v2]
        return try LifeGenerator(seed: seed, app: app, customers: 4)
    }

    @Test("Of two documents about a lineage it can be said which is later, whatever their kinds")
    func order() throws {
        var lives = try Self.lives(11)
        var last: [TransactionNumber: Instant] = [:]
        func tell(_ lineages: [Lineage], at date: Instant) {
            for lineage in lineages {
                if let before = last[lineage.original] { #expect(before < date) }
                last[lineage.original] = date
            }
        }
        var given: Set<StoreReceipt> = []
        for number in 1...Soak.size(600, soak: 20_000) {
            for happening in lives.step().happenings {
                guard let purchase = happening.purchase else { continue }
                tell([purchase.lineage], at: purchase.signedDate)
                for notification in happening.notificationsV1 {
                    #expect(notification.customer.signedDate.millisecondsSince1970 % 1000 == 0)
                    tell(notification.customer.lineages, at: notification.customer.signedDate)
                }
            }
            let device = lives.devices[number % lives.devices.count]
            // While nothing happens, a device is given its last receipt again.
            guard let whole = lives.receipt(on: device), given.insert(whole).inserted else {
                continue
            }
            let receipt = whole.receipt
            let listed = Set(receipt.inApp.compactMap(\.originalTransactionId))
            tell(
                lives.store.lineages.filter { listed.contains($0.original.description) },
                at: receipt.creationDate
            )
        }
        #expect(given.count > 100)
    }

    @Test("What verifyReceipt answers tells who may use what, as the books do")
    func truth() throws {
        var lives = try Self.lives(12)
        var compared: [Bool: Int] = [:]
        for _ in 1...Soak.size(600, soak: 20_000) {
            _ = lives.step()
            var store = lives.store
            for account in lives.accounts where store[account].downloads[lives.bundleId] != nil {
                let customer = store.record(of: account, in: LifeGeneratorTests.app)
                let told = Told(customer, at: store.now)
                // Answers have whole seconds, the books have milliseconds.
                for lineage in customer.lineages where lineage.newest.type != .consumable {
                    let around = [-1, 0, 1].compactMap {
                        lineage.truth(at: store.now.advanced(by: .seconds($0)))?.isEntitled
                    }
                    guard around.count == 3, Set(around).count == 1 else { continue }
                    #expect(told.isEntitled(lineage.original) == around[0])
                    compared[around[0], default: 0] += 1
                }
            }
        }
        #expect(compared.count == 2)
    }
}

/// What a backend finds in `latest_receipt_info` and `pending_renewal_info`, by Apple's words alone.
private struct Told {
    let latest: [InAppPurchase]
    let renewals: [PendingRenewalInfo]
    let now: Instant

    init(_ customer: CustomerRecord, at now: Instant) {
        latest = customer.latestTransactions().map(\.purchase)
        renewals = customer.pendingRenewals
        self.now = now
    }

    func isEntitled(_ original: TransactionNumber) -> Bool {
        let id = original.description
        let newest = latest.first {
            $0.originalTransactionId == id && $0.purchaseDate.map { $0 <= now } == true
        }
        guard let newest, newest.cancellationDate == nil else { return false }
        guard let end = newest.expiresDate else { return true }
        if now < end { return true }
        return renewals.contains { renewal in
            renewal.originalTransactionId == id && renewal.isInBillingRetryPeriod == true
                && renewal.gracePeriodExpiresDate.map { now < $0 } == true
        }
    }
}
