public import AppStoreModel
public import CounterfoilBasics

/// A local App Store: what apps sell, who buys it, and what becomes of it, on a clock of its own.
///
///     var store = LocalAppStore(environment: .production, at: start, seed: 1)
///     try store.add(app)
///     let account = store.openAccount()
///     let phone = store.addDevice(of: account)
///     try store.buy("com.example.pro.month", of: app.bundleId, on: phone)
///     store.advance(by: .seconds(90 * 86_400))
///     for happening in store.takeHappenings() { … }   // subscribed, renewed, renewed
///
/// It is a value: a copy goes its own way. Time passes only when it is told to, and everything that
/// becomes due meanwhile happens in its order. The same seed and the same calls give the same store,
/// down to every number.
///
/// It keeps its own books and judges nothing by what it issues, so a verifier or a ledger can be
/// compared with it.
public struct LocalAppStore: Sendable {
    /// Production or the sandbox.
    public let environment: StoreEnvironment
    /// How long periods take.
    public let pace: Pace
    /// What it does where Apple's documentation leaves it open.
    public let rules: StoreRules
    /// The present.
    public private(set) var now: Instant
    /// The apps on sale, by bundle identifier.
    public internal(set) var apps: [String: StoreApp] = [:]
    /// Everything that was bought.
    public internal(set) var lineages: [Lineage] = []
    /// What happened and was not taken yet.
    public private(set) var happenings: [Happening] = []

    var accounts: [AppleAccount] = []
    var devices: [Device] = []
    var families: [Family] = []
    var numbers: NumberSource
    /// Where each transaction's lineage is, by every number that it was given.
    private(set) var places: [TransactionNumber: Int] = [:]
    /// The lineages of an account's, by account.
    private(set) var lineagesOfAccounts: [[Int]] = []
    /// Counts what is booked, so that it is known whether a document would say anything new.
    var bookVersion = 0
    private var agenda = Agenda()
    private var happeningCount = 0

    /// Opens a store in which nobody has bought anything.
    ///
    /// - Parameters:
    ///   - environment: Production or the sandbox.
    ///   - start: The instant at which its clock begins, in the years 1 to 9999.
    ///   - pace: How long periods take; as they say in production, and a month in five minutes in
    ///     the sandbox, when nil.
    ///   - rules: What it does where Apple's documentation leaves it open.
    ///   - seed: Decides the numbers that it gives.
    public init(
        environment: StoreEnvironment = .production,
        at start: Instant,
        pace: Pace? = nil,
        rules: StoreRules = StoreRules(),
        seed: UInt64 = 0
    ) {
        self.environment = environment
        self.pace = pace ?? (environment == .production ? .real : .monthInFiveMinutes)
        self.rules = rules
        now = start.bounded
        numbers = NumberSource(seed: seed, environment: environment)
    }

    /// Puts an app on sale, or replaces what was known of it.
    ///
    /// - Throws: `store.invalid_catalogue` where a product cannot be sold as it is described.
    public mutating func add(_ app: StoreApp) throws(StoreError) {
        for (id, product) in app.products {
            guard id == product.id else {
                throw .invalid(product, "the place of \(id.prefix(256).debugDescription)")
            }
            try product.validate()
        }
        apps[app.bundleId] = app
    }

    /// Gives what happened since it was last asked for, in its order, and forgets it.
    public mutating func takeHappenings() -> [Happening] {
        defer { happenings = [] }
        return happenings
    }
}

// MARK: - Time

extension LocalAppStore {
    /// The date of what is booked now: Apple's purchases, ends and refunds have whole seconds.
    var bookingDate: Instant { now.wholeSecond }

    /// Lets time pass; a negative time none, and none beyond the year 9999, however long it is.
    public mutating func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Lets time pass up to an instant; one in the past changes nothing.
    ///
    /// Everything due by then happens, each at its own instant and in its order.
    public mutating func advance(to instant: Instant) {
        let instant = instant.bounded
        while let due = agenda.first, due.at <= instant {
            agenda.removeFirst()
            guard lineages[due.lineage].revision == due.revision else { continue }
            now = max(now, due.at)
            settle(due.lineage)
        }
        now = max(now, instant)
    }

    /// When the next thing becomes due by itself; nil when nothing will.
    public mutating func nextDue() -> Instant? {
        while let due = agenda.first {
            if lineages[due.lineage].revision == due.revision { return due.at }
            agenda.removeFirst()
        }
        return nil
    }

    /// Puts down when a lineage must be looked at next; what was put down before counts no more.
    mutating func schedule(_ index: Int) {
        bookVersion += 1
        lineages[index].revision += 1
        guard let instant = nextDue(of: lineages[index]) else { return }
        agenda.add(index, revision: lineages[index].revision, at: instant)
    }
}

// MARK: - Books

extension LocalAppStore {
    /// The lineage of a transaction, by any number that it was given.
    public func lineage(of number: TransactionNumber) -> Lineage? {
        places[number].map { lineages[$0] }
    }

    /// The lineages of an account in an app, in the order in which they began.
    public func lineages(of account: AppleAccount.ID, in bundleId: String) -> [Lineage] {
        lineagesOfAccounts[account.index].map { lineages[$0] }.filter { $0.bundleId == bundleId }
    }

    /// Adds a lineage with its first purchase.
    mutating func open(_ lineage: Lineage) -> Int {
        let index = lineages.count
        lineages.append(lineage)
        places[lineage.original] = index
        lineagesOfAccounts[lineage.account.index].append(index)
        return index
    }

    /// Adds a purchase to a lineage.
    mutating func append(_ purchase: Purchase, to index: Int) {
        lineages[index].purchases.append(purchase)
        places[purchase.number] = index
    }

    /// Remembers another number of a lineage's.
    mutating func register(_ number: TransactionNumber, of index: Int) { places[number] = index }

    /// Makes room for an account's lineages.
    mutating func registerAccount() { lineagesOfAccounts.append([]) }

    func index(of number: TransactionNumber) throws(StoreError) -> Int {
        guard let index = places[number] else {
            throw StoreError(
                StoreError.unknownTransaction,
                "the store has no transaction \(number)"
            )
        }
        return index
    }

    func app(_ bundleId: String) throws(StoreError) -> StoreApp {
        guard let app = apps[bundleId] else {
            throw StoreError(
                StoreError.unknownApp,
                "the store has no app \(bundleId.prefix(256).debugDescription); expected one of "
                    + apps.keys.sorted().prefix(8).joined(separator: ", ")
            )
        }
        return app
    }

    func product(
        _ productId: String,
        of bundleId: String
    ) throws(StoreError) -> Product {
        let app = try app(bundleId)
        guard let product = app[productId] else {
            throw StoreError(
                StoreError.unknownProduct,
                "the app \(bundleId) has no product \(productId.prefix(256).debugDescription); "
                    + "expected one of "
                    + app.products.keys.sorted().prefix(8).joined(separator: ", ")
            )
        }
        return product
    }
}

// MARK: - Telling

extension LocalAppStore {
    /// The date of the next document that tells of a lineage: the present, or a millisecond after
    /// the one before, so that of two documents it can always be said which is later.
    mutating func signingDate(of index: Int) -> Instant {
        let last = lineages[index].lastSigned
        let date = max(now, last.advanced(by: .milliseconds(1)))
        lineages[index].lastSigned = date
        return date
    }

    /// A purchase as the books have it now.
    ///
    /// - Parameters:
    ///   - index: The lineage.
    ///   - purchase: Which of its purchases; the newest when nil.
    /// - Returns: Everything that documents dated at ``PurchaseRecord/signedDate`` can tell of it.
    mutating func record(_ index: Int, purchase: Int? = nil) -> PurchaseRecord {
        let date = signingDate(of: index)
        let lineage = lineages[index]
        return PurchaseRecord(
            lineage: lineage,
            index: purchase ?? lineage.purchases.count - 1,
            account: accounts[lineage.account.index],
            // A lineage is of an app that the store has, and none is ever taken out.
            app: apps[lineage.bundleId] ?? StoreApp(bundleId: lineage.bundleId, appAppleId: 0),
            environment: environment,
            at: now,
            signedDate: date
        )
    }

    /// Puts down that something happened to a purchase.
    mutating func tell(_ event: Event, _ index: Int, purchase: Int? = nil) {
        tell(event, .purchase(record(index, purchase: purchase)))
    }

    /// Puts down that something happened.
    mutating func tell(_ event: Event, _ subject: Happening.Subject) {
        bookVersion += 1
        let notificationsV1 = notificationsV1(of: event, subject)
        happenings.append(
            Happening(
                number: happeningCount,
                at: now,
                event: event,
                subject: subject,
                notificationsV1: notificationsV1,
                notificationUUID: numbers.uuid()
            )
        )
        happeningCount += 1
    }
}

extension Instant {
    /// The nearest instant in the years 1 to 9999, beyond which no document has dates.
    fileprivate var bounded: Instant {
        let first = CivilTime(year: 1, month: 1, day: 1).instant
        let last = CivilTime(year: 9999, month: 12, day: 31).instant
        return min(max(self, first), last)
    }
}
