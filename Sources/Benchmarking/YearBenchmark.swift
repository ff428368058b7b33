import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import Telemetry

/// What a year of subscriptions costs in the local App Store, every notification signed with the
/// documents in it, beside the signatures alone.
package struct YearBenchmark: Sendable {
    /// What a year came to.
    package struct Outcome: Sendable {
        /// How many subscriptions lived, and how many days each.
        package var subscriptionDays = 0
        /// How many documents were signed.
        package var documents = 0
        /// Their bytes.
        package var bytes = 0
        /// Processor time of all of it, in microseconds.
        package var microseconds = 0.0
        /// How many purchases the books hold after half a year, and at the end.
        package var purchases = (halfway: 0, end: 0)
        /// The memory of the process after half a year, and at the end, in bytes.
        package var residentBytes = (halfway: 0, end: 0)
    }

    private let authority: SigningAuthority

    /// Makes an authority, which takes a second.
    ///
    /// - Throws: `SimulatorError`.
    package init() throws {
        authority = try SigningAuthority(profile: AuthorityProfile(now: Self.start, seed: 5))
    }

    private static let start = CivilTime(year: 2026, month: 1, day: 1).instant
    private static let bundleId = "com.example.app"

    /// Lives a year on as many threads as there are shares of the subscriptions.
    ///
    /// - Parameters:
    ///   - subscriptions: How many there are in all.
    ///   - threads: How many stores live at once, each with its share.
    /// - Returns: What each store came to.
    /// - Throws: what the store and signing throw, which is a defect of this program.
    package func live(subscriptions: Int, threads: Int) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    try live(share: subscriptions / threads, seed: UInt64(thread))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Microseconds of processor time of one signature as the documents have it: SHA-256 and ECDSA
    /// on P-256 over so many bytes.
    ///
    /// - Throws: what signing throws, which is a defect of this program.
    package func signature(bytes: Int, _ effort: Turns.Effort = .usual) throws -> Double {
        let key = try PrivateKey.generate(on: .p256)
        let message = [UInt8](repeating: 0x41, count: bytes)
        let turns = try Turns(
            [Turns.Work("raw") { _ = try key.signPlainECDSA(message.span, .sha256) }],
            effort
        )
        return turns["raw"]
    }

    /// The memory of this process now, in bytes.
    package static var residentBytes: Int { ProcessFigures.residentBytes }

    private func live(share: Int, seed: UInt64) throws -> Outcome {
        let watch = ThreadStopwatch()
        var outcome = Outcome()
        var store = LocalAppStore(at: Self.start, seed: seed)
        try store.add(Self.app)
        let issuer = SignedDataIssuer(authority: authority)
        for customer in 0..<share {
            let account = store.openAccount()
            let device = store.addDevice(of: account)
            let product = customer % 4 == 0 ? "pro.week" : "pro.month"
            let number = try store.buy(product, of: Self.bundleId, on: device)
            if customer % 10 == 0 { try store.turnRenewalOff(number) }
            if customer % 25 == 0 { store.setPayment(.fails, of: account) }
        }
        for day in 0..<365 {
            try Self.sign(store.takeHappenings(), issuer, &outcome)
            store.advance(by: .seconds(86_400))
            guard day == 182 else { continue }
            outcome.purchases.halfway = Self.purchases(in: store)
            outcome.residentBytes.halfway = Self.residentBytes
        }
        try Self.sign(store.takeHappenings(), issuer, &outcome)
        outcome.subscriptionDays = share * 365
        outcome.purchases.end = Self.purchases(in: store)
        outcome.residentBytes.end = Self.residentBytes
        outcome.microseconds = watch.elapsedMicroseconds
        return outcome
    }

    private static func purchases(in store: LocalAppStore) -> Int {
        store.lineages.reduce(0) { $0 + $1.purchases.count }
    }

    private static func sign(
        _ happenings: [Happening],
        _ issuer: SignedDataIssuer,
        _ outcome: inout Outcome
    ) throws {
        for happening in happenings {
            guard let notification = happening.notificationV2 else { continue }
            let text = try issuer.issue(notification.notification, holding: notification.nested)
            let nested = notification.nested
            outcome.documents += 1 + (nested.transaction == nil ? 0 : 1)
            outcome.documents += nested.renewalInfo == nil ? 0 : 1
            outcome.bytes += text.utf8.count
        }
    }

    private static var app: StoreApp {
        let group = SubscriptionGroup("20000001")
        var app = StoreApp(
            bundleId: bundleId,
            appAppleId: 1_234_567_890,
            products: [
                Product(
                    "pro.month",
                    .autoRenewable(Product.Plan(group: group, period: .month)),
                    Price(9_990, "USD")
                ),
                Product(
                    "pro.week",
                    .autoRenewable(Product.Plan(group: group, period: .week)),
                    Price(2_990, "USD")
                ),
            ]
        )
        app.gracePeriod = GracePeriod(.sixteenDays)
        return app
    }
}
