import AppStoreModel
import CounterfoilBasics

@testable import AppStoreSimulator

/// A customer with one device in a store with one app, as most stories need.
struct Life {
    var store: LocalAppStore
    let account: AppleAccount.ID
    let device: Device.ID

    static let bundleId = "com.example.app"
    static let group = SubscriptionGroup("20000001")
    static let start = instant("2026-01-31T10:00:00Z")

    static func instant(_ text: String) -> Instant { AppStoreDate.parse(text)! }

    /// A life that begins on the last day of a January, so that months end early.
    init(
        environment: StoreEnvironment = .production,
        pace: Pace? = nil,
        rules: StoreRules = StoreRules(),
        at start: Instant = Self.start,
        seed: UInt64 = 1,
        _ change: (inout StoreApp) -> Void = { _ in }
    ) {
        store = LocalAppStore(
            environment: environment,
            at: start,
            pace: pace,
            rules: rules,
            seed: seed
        )
        var app = Self.app
        change(&app)
        try! store.add(app)
        account = store.openAccount()
        device = store.addDevice(of: account)
    }

    /// Sells one product of each kind, and subscriptions of three levels in one group.
    static var app: StoreApp {
        func plan(_ level: Int, _ period: CalendarPeriod, _ offers: [Offer] = []) -> Product.Kind {
            .autoRenewable(
                Product.Plan(group: group, level: level, period: period, offers: offers)
            )
        }
        return StoreApp(
            bundleId: bundleId,
            appAppleId: 1_234_567_890,
            products: [
                Product("gold.month", plan(1, .month), Price(9_990, "USD")),
                Product("silver.month", plan(2, .month), Price(4_990, "USD")),
                Product("silver.year", plan(2, .year), Price(49_990, "USD")),
                Product("silver2.month", plan(2, .month), Price(5_990, "USD")),
                Product("bronze.week", plan(3, .week), Price(990, "USD")),
                Product("coins", .consumable, Price(990, "USD")),
                Product("pro", .nonConsumable, Price(19_990, "USD")),
                Product("season", .nonRenewing, Price(14_990, "USD")),
            ]
        )
    }

    @discardableResult
    mutating func buy(
        _ product: String,
        offer: String? = nil
    ) throws -> TransactionNumber {
        try store.buy(product, of: Self.bundleId, on: device, offer: offer)
    }

    mutating func advance(days: Int) { store.advance(by: .seconds(86_400 * days)) }

    mutating func advance(to text: String) { store.advance(to: Self.instant(text)) }

    /// What happened since it was last asked for: each instant with its event.
    mutating func told() -> [String] {
        store.takeHappenings().map { "\($0.at) \($0.event)" }
    }

    /// What happened since it was last asked for, without the instants.
    mutating func events() -> [Event] { store.takeHappenings().map(\.event) }

    /// The state of the customer's lineages now.
    var states: [Truth.State] { states(at: store.now) }

    func states(at instant: Instant) -> [Truth.State] {
        store.truth(of: account, in: Self.bundleId, at: instant).map(\.state)
    }
}
