import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Journal
import Ledger
import PurchaseService

/// What a ledger learns in a benchmark: all of it signed by a local App Store, and proved.
struct SampleLedger: Sendable {
    private let authority: SigningAuthority
    private let apps: ConfiguredApps

    static let bundleId = "com.example.app"
    static let start = CivilTime(year: 2026, month: 1, day: 1).instant
    static let end = CivilTime(year: 2026, month: 12, day: 31).instant
    private static let monthly = "com.example.app.pro.month"

    init() throws {
        authority = try SigningAuthority(profile: AuthorityProfile(now: Self.start, seed: 5))
        let anchors = Array(authority.anchorsPEM.utf8)
        var configuration = Configuration()
        configuration.apps = [
            AppConfiguration(Self.bundleId, .rehearsal(anchors: ["anchors.pem"]))
        ]
        apps = try ConfiguredApps(configuration, now: Self.start) { _ in anchors }
    }

    /// An empty journal, whose clock stands at the end of the year.
    func journal(in engine: any StorageEngine) async throws -> OpenJournal {
        try await OpenJournal(engine, for: .rehearsal, clock: VirtualClock(at: Self.end))
    }

    /// So many notifications of subscriptions that begin and renew month by month.
    func notifications(_ count: Int) async throws -> [Learning] {
        var store = LocalAppStore(at: Self.start, seed: 1)
        let product = Product(
            Self.monthly,
            .autoRenewable(.init(group: SubscriptionGroup("20000001"), period: .month)),
            Price(9_990, "USD")
        )
        try store.add(StoreApp(bundleId: Self.bundleId, appAppleId: 1, products: [product]))
        // Ten months of renewals after the first purchase of each.
        for _ in 0..<(count / 10 + 1) {
            let device = store.addDevice(of: store.openAccount())
            try store.buy(Self.monthly, of: Self.bundleId, on: device)
        }
        let intake = try await intake()
        let issuer = SignedDataIssuer(authority: authority)
        var learnings: [Learning] = []
        while learnings.count < count {
            for happening in store.takeHappenings() where learnings.count < count {
                guard let notification = happening.notificationV2 else { continue }
                let text = try issuer.issue(
                    notification.notification,
                    holding: notification.nested
                )
                learnings += try intake.learnings(
                    from: SignedDataIssuer.body(signedPayload: text)
                )
            }
            store.advance(by: .seconds(86_400))
        }
        return learnings
    }

    /// A receipt that lists so many periods, three of each subscription.
    func receipt(from first: Int, purchases count: Int) async throws -> Learning {
        let periods = (first..<first + count).map { number in
            period(
                number: number,
                of: number - number % 3,
                from: CivilTime(year: 2026, month: 10 + number % 3, day: 1).instant,
                to: CivilTime(
                    year: 2026 + (number % 3) / 2,
                    month: (10 + number % 3) % 12 + 1,
                    day: 1
                )
                .instant
            )
        }
        return try await learn(periods)
    }

    /// What a receipt of one subscription says, renewed week by week.
    func weeks(_ count: Int) async throws -> [Statement] {
        var statements: [Statement] = []
        for week in 0..<count {
            let begin = CivilTime(year: 2016, month: 1, day: 1).instant
                .advanced(by: .seconds(Int64(week) * 7 * 86_400))
            let end = begin.advanced(by: .seconds(7 * 86_400))
            statements += try await learn([period(number: week, of: 0, from: begin, to: end)])
                .statements
        }
        return statements
    }

    private func period(
        number: Int,
        of original: Int,
        from begin: Instant,
        to end: Instant
    ) -> InAppPurchase {
        var purchase = InAppPurchase(
            productId: Self.monthly,
            transactionId: String(700_000_000_000_000 + number)
        )
        purchase.originalTransactionId = String(700_000_000_000_000 + original)
        purchase.webOrderLineItemId = String(800_000_000_000_000 + number)
        purchase.purchaseDate = begin
        purchase.originalPurchaseDate = begin
        purchase.expiresDate = end
        return purchase
    }

    private func learn(_ purchases: [InAppPurchase]) async throws -> Learning {
        var receipt = AppReceipt(
            receiptType: .production,
            bundleId: Self.bundleId,
            creationDate: Self.end
        )
        receipt.inApp = purchases
        let bytes = try AppReceiptIssuer(authority: authority).issue(receipt)
        let learnings = try await intake().learnings(from: bytes)
        return learnings[0]
    }

    private func intake() async throws -> DocumentIntake {
        DocumentIntake(
            apps: apps,
            journal: try await journal(in: MemoryEngine()),
            clock: VirtualClock(at: Self.end)
        )
    }
}
