public import AppStoreModel
public import CounterfoilBasics

/// Lives customers of an app at random: they buy, cancel, change plans, fail to pay, ask for refunds
/// and share with their families, while time passes.
///
///     var lives = try LifeGenerator(seed: 7, app: app)
///     for _ in 0..<1000 {
///         let step = lives.step()
///         …
///     }
///
/// The seed decides everything, so a failure is lived again by the same number of steps from the
/// same seed. Whatever is tried that the store refuses is tried in vain, as in life.
public struct LifeGenerator: Sendable {
    /// How likely each deed is, beside the others.
    public struct Weights: Hashable, Sendable {
        /// By deed; what has no weight never happens, and a weight over a million is a million.
        public var values: [Deed: Int]

        /// Makes weights.
        public init(_ values: [Deed: Int]) { self.values = values }

        /// Every deed, the usual ones more often.
        public static let usual = Weights([
            .wait: 40, .waitLong: 8, .buy: 16, .turnOff: 5, .turnOn: 4, .undoPlanChange: 2,
            .failPayment: 4, .mendPayment: 6, .refund: 3, .reverseRefund: 2, .requestRefund: 1,
            .declineRefund: 1, .changePrice: 1, .acceptPrice: 2, .extend: 1, .restore: 2,
            .finish: 3, .join: 1, .leave: 1, .newDevice: 1, .withdraw: 1, .end: 1, .rescind: 1,
            .redeem: 4,
        ])
    }

    /// What can be done in a step.
    public enum Deed: String, Hashable, Sendable, CaseIterable {
        /// Up to a day passes, in the pace of the store.
        case wait
        /// Up to forty days pass, likewise.
        case waitLong
        /// Some customer buys some product.
        case buy
        /// Some customer redeems some offer.
        case redeem
        /// Renewal is turned off.
        case turnOff
        /// Renewal is turned on.
        case turnOn
        /// A change of plan is taken back.
        case undoPlanChange
        /// Payments of some customer begin to fail.
        case failPayment
        /// They work again.
        case mendPayment
        /// Something is refunded.
        case refund
        /// A refund is taken back.
        case reverseRefund
        /// A refund is asked for.
        case requestRefund
        /// A refund is declined.
        case declineRefund
        /// The price of a subscription changes.
        case changePrice
        /// A customer agrees to a higher price.
        case acceptPrice
        /// A subscription is extended.
        case extend
        /// Purchases are restored on a device.
        case restore
        /// A purchase is finished.
        case finish
        /// A customer joins a family.
        case join
        /// A customer leaves the family.
        case leave
        /// A customer gets another device.
        case newDevice
        /// A product is withdrawn from sale, or put on sale again.
        case withdraw
        /// The store ends a subscription for a reason of its own.
        case end
        /// The consent to a child's use of the app is withdrawn.
        case rescind
    }

    /// What a step did.
    public struct Step: Sendable {
        /// Counts the steps, from 1.
        public let number: Int
        /// What was tried.
        public let deed: Deed
        /// Whether the store refused it.
        public let wasRefused: Bool
        /// What happened, also by itself while time passed.
        public let happenings: [Happening]
    }

    /// The store that they live in.
    public private(set) var store: LocalAppStore
    /// The customers.
    public private(set) var accounts: [AppleAccount.ID] = []
    /// Their devices.
    public private(set) var devices: [Device.ID] = []
    /// The app.
    public let bundleId: String

    private var random: SeededRandom
    private let deeds: [(deed: Deed, upTo: Int)]
    private var stepCount = 0

    /// Opens a store with an app and some customers.
    ///
    /// - Parameters:
    ///   - seed: Decides everything.
    ///   - app: What can be bought.
    ///   - customers: How many there are.
    ///   - environment: Production or the sandbox.
    ///   - start: When it begins.
    ///   - weights: How likely each deed is.
    /// - Throws: `store.invalid_catalogue`.
    public init(
        seed: UInt64,
        app: StoreApp,
        customers: Int = 3,
        environment: StoreEnvironment = .production,
        start: Instant = Instant(secondsSince1970: 1_767_225_600),
        weights: Weights = .usual
    ) throws(StoreError) {
        random = SeededRandom(seed: seed)
        bundleId = app.bundleId
        store = LocalAppStore(environment: environment, at: start, seed: random.next())
        try store.add(app)
        let storefronts = [Storefront.usa, .germany, .japan]
        for index in 0..<max(1, customers) {
            let account = store.openAccount(in: storefronts[index % storefronts.count])
            accounts.append(account)
            devices.append(store.addDevice(of: account))
        }
        var total = 0
        deeds = Deed.allCases.compactMap { deed in
            guard let weight = weights.values[deed], weight > 0 else { return nil }
            total += min(weight, 1_000_000)
            return (deed, total)
        }
    }

    /// Lives one step.
    public mutating func step() -> Step {
        stepCount += 1
        let pick = Int.random(in: 0..<max(1, deeds.last?.upTo ?? 1), using: &random)
        let deed = deeds.first { pick < $0.upTo }?.deed ?? .wait
        var wasRefused = false
        do {
            try perform(deed)
        } catch {
            wasRefused = true
        }
        return Step(
            number: stepCount,
            deed: deed,
            wasRefused: wasRefused,
            happenings: store.takeHappenings()
        )
    }

    /// The app's receipt on a device; nil where the app is not on it.
    public mutating func receipt(on device: Device.ID) -> StoreReceipt? {
        guard store[device].apps[bundleId] != nil else { return nil }
        do {
            return try store.receipt(of: bundleId, on: device)
        } catch {
            return nil
        }
    }
}

extension LifeGenerator {
    /// The iOS 6-style receipt of a transaction on a device; nil where the device has none.
    func transactionReceipt(
        of transactionId: String,
        on device: Device.ID
    ) -> TransactionReceipt? {
        guard let number = Int64(transactionId).map(TransactionNumber.init) else { return nil }
        do {
            return try store.transactionReceipt(of: number, on: device).receipt
        } catch {
            return nil
        }
    }
}

// MARK: - Deeds

extension LifeGenerator {
    private mutating func perform(_ deed: Deed) throws(StoreError) {
        switch deed {
        case .wait: wait(upTo: 1)
        case .waitLong: wait(upTo: 40)
        case .buy: try buy()
        case .redeem: try redeem()
        case .turnOff: try store.turnRenewalOff(someNumber())
        case .turnOn: try store.turnRenewalOn(someNumber())
        case .undoPlanChange: try store.undoPlanChange(someNumber())
        case .failPayment: try store.setPayment(.fails, of: some(accounts))
        case .mendPayment: try store.setPayment(.works, of: some(accounts))
        case .refund: try refund()
        case .reverseRefund: try store.reverseRefund(someNumber())
        case .requestRefund: try store.requestRefund(someNumber())
        case .declineRefund: try store.declineRefund(someNumber())
        case .changePrice: try changePrice()
        case .acceptPrice: try store.acceptPriceIncrease(someNumber())
        case .extend:
            try store.extend(someNumber(), days: Int.random(in: 1...90, using: &random))
        case .restore: try store.restore(bundleId, on: some(devices))
        case .finish: try store.finish(someNumber())
        case .join: try join()
        case .leave: try store.leaveFamily(some(accounts))
        case .newDevice: try devices.append(store.addDevice(of: some(accounts)))
        case .withdraw: try withdraw()
        case .end: try store.end(someNumber())
        case .rescind: try store.rescindConsent(to: bundleId, for: some(accounts))
        }
    }

    private mutating func refund() throws(StoreError) {
        let part =
            Bool.random(using: &random)
            ? nil : Millipercent(rawValue: Int64.random(in: 1...100_000, using: &random))
        try store.refund(
            someNumber(),
            Bool.random(using: &random) ? .other : .appIssue,
            percentage: part
        )
    }

    /// Up to so many days of the store's pace.
    private mutating func wait(upTo days: Int) {
        let most = store.pace.days(days).milliseconds
        store.advance(by: .milliseconds(Int64.random(in: 1...max(1, most), using: &random)))
    }

    private mutating func buy() throws(StoreError) {
        let product = try some(products)
        let isConsumable = product.kind == .consumable
        try store.buy(
            product.id,
            of: bundleId,
            on: some(devices),
            quantity: isConsumable ? Int64.random(in: 1...10, using: &random) : 1,
            appAccountToken: Int.random(in: 0..<4, using: &random) == 0 ? token() : nil
        )
    }

    private mutating func redeem() throws(StoreError) {
        let product = try some(products.filter { !$0.namedOffers.isEmpty })
        let offer = try some(product.namedOffers).id
        try store.buy(product.id, of: bundleId, on: some(devices), offer: offer)
    }

    private mutating func changePrice() throws(StoreError) {
        let product = try some(products.filter { $0.plan != nil })
        let percent = Int64.random(in: 80...160, using: &random)
        try store.setPrice(product.prices.scaled(by: percent), of: product.id, in: bundleId)
    }

    private mutating func join() throws(StoreError) {
        let account = try some(accounts)
        if store.families.isEmpty {
            try store.formFamily([account])
        } else {
            try store.join(store.families[0].id, account)
        }
    }

    private mutating func withdraw() throws(StoreError) {
        let id = try some(products).id
        try store.change(bundleId) { $0[id]?.isForSale.toggle() }
    }

    /// The products in an order that does not depend on how a dictionary keeps them.
    private var products: [Product] {
        (store.apps[bundleId]?.products.values.sorted { $0.id < $1.id }) ?? []
    }

    private mutating func some<Element>(_ elements: [Element]) throws(StoreError) -> Element {
        guard let element = elements.randomElement(using: &random) else {
            throw .notPossible("there is nothing to choose from")
        }
        return element
    }

    /// The number of some transaction, rather of a recent one.
    private mutating func someNumber() throws(StoreError) -> TransactionNumber {
        let lineage = try some(store.lineages)
        let isNewest = Int.random(in: 0..<3, using: &random) > 0
        return isNewest ? lineage.newest.number : try some(lineage.purchases).number
    }

    private mutating func token() -> String {
        UUIDText.lowercase((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
}

extension PriceList {
    /// Every price so many hundredths as high, as long as the base price stays within what lives can
    /// pay: from a tenth of a unit to five hundred.
    fileprivate func scaled(by percent: Int64) -> PriceList {
        let old = max(1, base.milliunits.rawValue)
        let new = min(500_000, max(100, old * percent / 100))
        func scaled(_ price: Price) -> Price {
            Price(min(Price.most, price.milliunits.rawValue * new / old), price.currency)
        }
        return PriceList(
            Price(new, base.currency),
            byStorefront: byStorefront.mapValues(scaled)
        )
    }
}
