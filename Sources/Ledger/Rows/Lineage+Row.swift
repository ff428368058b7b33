import CounterfoilBasics

// A lineage as a row: what is made anew from its statements, byte for byte, whatever order they came
// in. Each stamp stands in it once, because most registers of a purchase have the same.
extension Lineage {
    /// Adds the row's bytes.
    func write(to row: inout RowWriter) {
        let stamps = StampTable(of: self)
        stamps.write(to: &row)
        stamps.write(choice, to: &row)
        stamps.write(failure, to: &row)
        stamps.write(priceConsent, to: &row)
        row.write(count: purchasesByName.count)
        for (id, registers) in purchasesByName.sorted(by: { $0.key < $1.key }) {
            id.write(to: &row)
            registers.write(to: &row, stamps)
        }
    }

    /// Reads what ``write(to:)`` wrote; nil for other bytes.
    init?(_ id: LineageID, from row: inout RowReader) {
        self.init(id)
        guard let stamps = StampTable(from: &row) else { return nil }
        choice = stamps.register(from: &row)
        failure = stamps.register(from: &row)
        priceConsent = stamps.register(from: &row)
        let count = row.count()
        for _ in 0..<count {
            guard let id = PurchaseID(from: &row) else { return nil }
            join(PurchaseRegisters(from: &row, stamps), of: id)
        }
        guard row.isSound, purchasesByName.count == count else { return nil }
    }
}

/// The stamps of a lineage's registers, each once, in their order.
struct StampTable {
    private let stamps: [Stamp]

    init(of lineage: Lineage) {
        var found = [lineage.choice.stamp, lineage.failure.stamp, lineage.priceConsent.stamp]
            .compactMap(\.self)
        for registers in lineage.purchasesByName.values { found += registers.distinctStamps }
        found.sort()
        var stamps: [Stamp] = []
        for stamp in found where stamp != stamps.last { stamps.append(stamp) }
        self.stamps = stamps
    }

    init?(from row: inout RowReader) {
        let count = row.count()
        var stamps: [Stamp] = []
        stamps.reserveCapacity(count)
        for _ in 0..<count {
            guard let stamp = Stamp(from: &row) else { return nil }
            stamps.append(stamp)
        }
        self.stamps = stamps
    }

    /// Where a stamp stands; they are in their order.
    private func place(of stamp: Stamp) -> Int? {
        var range = stamps.startIndex..<stamps.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stamps[middle] == stamp { return middle }
            if stamps[middle] < stamp {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return nil
    }

    func write(to row: inout RowWriter) {
        row.write(count: stamps.count)
        for stamp in stamps { stamp.write(to: &row) }
    }

    /// Writes a register: 0 where nobody said anything, else the place of its stamp, counted from 1.
    func write<Value: RowValue>(_ register: Register<Value>, to row: inout RowWriter) {
        guard let value = register.value, let stamp = register.stamp,
            let place = place(of: stamp)
        else {
            row.write(count: 0)
            return
        }
        row.write(count: place + 1)
        value.write(to: &row)
    }

    func register<Value: RowValue>(from row: inout RowReader) -> Register<Value> {
        let place = row.unsigned()
        guard place > 0 else { return Register() }
        guard place <= stamps.count, let value = Value(from: &row) else {
            row.refuse()
            return Register()
        }
        return Register(value, stamps[Int(place) - 1])
    }
}

extension PurchaseRegisters {
    /// The stamps of all registers that hold something; most of them have the same.
    fileprivate var distinctStamps: [Stamp] {
        var found: [Stamp] = []
        func add(_ stamp: Stamp?) {
            if let stamp, !found.contains(stamp) { found.append(stamp) }
        }
        add(expiresDate.stamp)
        add(revocation.stamp)
        add(isUpgraded.stamp)
        add(ownership.stamp)
        add(appAccountToken.stamp)
        add(appTransactionId.stamp)
        add(productId.stamp)
        add(type.stamp)
        add(group.stamp)
        add(quantity.stamp)
        add(offer.stamp)
        add(price.stamp)
        add(storefront.stamp)
        return found
    }

    fileprivate func write(to row: inout RowWriter, _ stamps: StampTable) {
        stamps.write(expiresDate, to: &row)
        stamps.write(revocation, to: &row)
        stamps.write(isUpgraded, to: &row)
        stamps.write(ownership, to: &row)
        stamps.write(appAccountToken, to: &row)
        stamps.write(appTransactionId, to: &row)
        stamps.write(productId, to: &row)
        stamps.write(type, to: &row)
        stamps.write(group, to: &row)
        stamps.write(quantity, to: &row)
        stamps.write(offer, to: &row)
        stamps.write(price, to: &row)
        stamps.write(storefront, to: &row)
        row.write(count: transactions.count)
        for (id, dates) in transactions.sorted(by: { $0.key < $1.key }) {
            row.write(id)
            dates.write(to: &row)
        }
    }

    fileprivate init(from row: inout RowReader, _ stamps: StampTable) {
        self.init()
        expiresDate = stamps.register(from: &row)
        revocation = stamps.register(from: &row)
        isUpgraded = stamps.register(from: &row)
        ownership = stamps.register(from: &row)
        appAccountToken = stamps.register(from: &row)
        appTransactionId = stamps.register(from: &row)
        productId = stamps.register(from: &row)
        type = stamps.register(from: &row)
        group = stamps.register(from: &row)
        quantity = stamps.register(from: &row)
        offer = stamps.register(from: &row)
        price = stamps.register(from: &row)
        storefront = stamps.register(from: &row)
        for _ in 0..<row.count() { transactions[row.text()] = TransactionDates(from: &row) }
    }
}

extension PurchaseRegisters.TransactionDates {
    fileprivate func write(to row: inout RowWriter) {
        purchaseDate.write(to: &row)
        originalPurchaseDate.write(to: &row)
        row.write(count: begins.count)
        for begin in begins.sorted() { row.write(begin) }
    }

    fileprivate init(from row: inout RowReader) {
        self.init()
        purchaseDate = Instant?(from: &row) ?? nil
        originalPurchaseDate = Instant?(from: &row) ?? nil
        for _ in 0..<row.count() { begins.insert(row.instant()) }
    }
}
