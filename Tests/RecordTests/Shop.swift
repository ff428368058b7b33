import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Journal
import Ledger
import RecordTestSupport

/// A customer of a local App Store, and a record beside it that hears what the test lets it hear.
struct Shop {
    var store: LocalAppStore
    let account: AppleAccount.ID
    let phone: Device.ID
    let record: Record

    /// Opens a shop in whose record nothing is yet.
    init(
        at start: String = "2026-01-01T10:00:00Z",
        leeway: Duration = .zero,
        app: StoreApp = Lives.app
    ) async throws {
        let start = Record.instant(start)
        store = LocalAppStore(at: start, seed: 3)
        try store.add(app)
        account = store.openAccount()
        phone = store.addDevice(of: account)
        record = try await Record.begin(at: start, rules: Record.rules(leeway: leeway))
    }

    @discardableResult
    mutating func buy(
        _ product: String,
        on device: Device.ID? = nil,
        quantity: Int64 = 1
    ) throws -> TransactionNumber {
        try store.buy(product, of: Record.bundleId, on: device ?? phone, quantity: quantity)
    }

    mutating func wait(days: Int64) { store.advance(by: .seconds(days * 86_400)) }

    // MARK: - What the record hears

    /// Takes what happened since, and tells nobody.
    mutating func happened() -> [Happening] { store.takeHappenings() }

    /// Tells the record, in version 2, what happened since.
    mutating func notify() async throws {
        for happening in store.takeHappenings() {
            guard let notification = happening.notificationV2 else { continue }
            try await hear(.notificationV2(notification))
        }
        try await record.advance(to: store.now)
    }

    func hear(_ document: DeliveredDocument) async throws {
        try await hear(document.signed(by: Record.authority.get()))
    }

    func hear(_ bytes: [UInt8]) async throws {
        // A receipt is dated up to some seconds ahead, where much happened in one.
        try await record.advance(to: store.now)
        try await record.learn(record.learnings(bytes))
    }

    /// A record of its own that hears nothing but some documents, now.
    func afresh(_ documents: [[UInt8]]) async throws -> Record {
        let record = try await Record.begin(at: store.now)
        for document in documents { try await record.learn(record.learnings(document)) }
        return record
    }

    func afresh(_ documents: [DeliveredDocument]) async throws -> Record {
        try await afresh(documents.map { try $0.signed(by: Record.authority.get()) })
    }

    /// The app receipt of a device.
    mutating func receipt(on device: Device.ID? = nil) throws -> StoreReceipt {
        try store.receipt(of: Record.bundleId, on: device ?? phone)
    }

    // MARK: - What the record answers

    /// How a lineage stands, now or at another instant, by what is known now.
    func standing(
        of number: some CustomStringConvertible,
        at instant: Instant? = nil
    ) async throws -> Standing? {
        let head = try await record.journal.reader.head().position
        return try await record.journal.reader.standing(
            of: Record.lineage(number),
            asOf: AsOf(effectiveAt: instant ?? store.now, knownAt: head)
        )
    }

    func purchases(of number: some CustomStringConvertible) async throws -> [Ledger.Purchase] {
        let row = try await record.journal.reader.lineage(Record.lineage(number))
        return row?.told.lineage.purchases ?? []
    }

    /// What all lineages together give.
    func entitlements() async throws -> [String] {
        Ledger.entitlements(of: try await lineages(), at: store.now, under: Record.rules())
            .map(\.name)
    }

    func credits() async throws -> Int64 {
        Ledger.credits(of: try await lineages(), at: store.now, under: Record.rules())
    }

    /// The kinds of everything that was told, in its order.
    func told() async throws -> [String] {
        try await record.events().map { event in
            switch event.content {
            case .change(let change): change.kind.rawValue
            case .occurrence(let occurrence): occurrence.kind.rawValue
            }
        }
    }

    private func lineages() async throws -> [Ledger.Lineage] {
        var lineages: [Ledger.Lineage] = []
        for id in try await record.lineages() {
            if let row = try await record.journal.reader.lineage(id) {
                lineages.append(row.told.lineage)
            }
        }
        return lineages
    }
}
