import CounterfoilBasics
import Ledger

/// Makes everything anew that follows from the book: the lineages as they stand, by which numbers
/// they are found, and when they change by themselves.
package struct JournalReplay: Sendable {
    /// How many lineages were made anew.
    package private(set) var lineages = 0
    /// How many rows were wrong, missing or left over.
    package private(set) var mended = 0

    private static let lineagesAtOnce = 256

    /// Makes everything anew, some lineages at a time; one that is stopped in between does no harm.
    ///
    /// Events are never told again: where lineages come to other ones, the check says so.
    ///
    /// - Throws: ``StorageError``; `storage.damaged` where the book itself is damaged.
    package init(_ journal: OpenJournal) async throws(StorageError) {
        try await Self.requireWholeBook(of: journal)
        var counted = Counted()
        var next: [UInt8]? = []
        while let from = next {
            let (some, rest) = try await journal.engine.write { rows throws(StorageError) in
                try Self.mend(from: from, in: rows)
            }
            counted.add(some)
            next = rest
        }
        lineages = counted.lineages
        mended = counted.mended
        let expected = counted
        mended += try await journal.engine.write { rows throws(StorageError) in
            // Where as many rows are there as were made, none is left over.
            try Self.removeLeftOvers(.lineages, besides: expected.lineages, in: rows)
                + Self.removeLeftOvers(.aliases, besides: expected.numbers, in: rows)
                + Self.removeLeftOvers(.agenda, besides: expected.planned, in: rows)
        }
    }

    /// Refuses a book that is damaged itself: what followed from it would hide that.
    private static func requireWholeBook(of journal: OpenJournal) async throws(StorageError) {
        let book: Set<StorageTable> = [.journal, .evidence, .statements, .claims, .rules]
        let damage = try await JournalCheck(journal).findings.first { book.contains($0.table) }
        guard let damage else { return }
        throw StorageError(
            StorageError.damaged,
            "the book itself is damaged, so nothing is made anew from it: in the table "
                + "\(damage.table.rawValue), \(damage.text)"
        )
    }

    /// What was made anew.
    private struct Counted: Sendable {
        var lineages = 0
        var numbers = 0
        var planned = 0
        var mended = 0

        mutating func add(_ other: Counted) {
            lineages += other.lineages
            numbers += other.numbers
            planned += other.planned
            mended += other.mended
        }
    }

    /// Makes some lineages anew, from a key on.
    private static func mend(
        from: [UInt8],
        in rows: any StorageWriter
    ) throws(StorageError) -> (Counted, next: [UInt8]?) {
        var counted = Counted()
        var key = from
        while counted.lineages < lineagesAtOnce {
            let step = try rows.rows(.statements, StorageRange(from: key, limit: 1)).first
            guard let step else { return (counted, nil) }
            let lineageKey = Array(step.key.dropLast(8))
            guard let lineage = LineageID(key: lineageKey) else {
                throw .damagedRow(.statements, of: "a lineage")
            }
            guard let replay = try LineageReplay(of: lineage, in: rows) else {
                throw StorageError(
                    StorageError.damaged,
                    "lineage \(lineage.originalTransactionId) tells other events when made anew"
                )
            }
            counted.mended += try put(replay, lineage, in: rows)
            counted.lineages += 1
            counted.numbers += replay.numbers.count
            counted.planned += replay.row.told.agenda == nil ? 0 : 1
            // After every step of this lineage.
            key = RowKey.step(lineage, Position(rawValue: .max)).bytes + [0]
        }
        return (counted, key)
    }

    private static func put(
        _ replay: LineageReplay,
        _ lineage: LineageID,
        in rows: any StorageWriter
    ) throws(StorageError) -> Int {
        var wanted: [(StorageTable, [UInt8], [UInt8])] = [
            (.lineages, RowKey.lineage(lineage).bytes, replay.row.row)
        ]
        for number in replay.numbers {
            wanted.append((.aliases, RowKey.alias(number, lineage).bytes, []))
        }
        if let agenda = replay.row.told.agenda {
            wanted.append((.agenda, RowKey.agenda(agenda, lineage).bytes, []))
        }
        var mended = 0
        for (table, key, value) in wanted where try rows.value(table, key) != value {
            try rows.put(table, key, value)
            mended += 1
        }
        return mended
    }

    /// Takes out what no lineage made anew has, where there are more rows than were made.
    private static func removeLeftOvers(
        _ table: StorageTable,
        besides expected: Int,
        in rows: any StorageWriter
    ) throws(StorageError) -> Int {
        var found = 0
        for page in StoragePages(table, in: rows) { found += try page.get().count }
        guard found > expected else { return 0 }
        var removed = 0
        for page in StoragePages(table, in: rows) {
            for row in try page.get() where try isLeftOver(row, of: table, in: rows) {
                try rows.remove(table, row.key)
                removed += 1
            }
        }
        return removed
    }

    private static func isLeftOver(
        _ row: StorageRow,
        of table: StorageTable,
        in rows: any StorageReader
    ) throws(StorageError) -> Bool {
        guard let lineage = lineage(in: row.key, of: table) else { return true }
        guard let replay = try LineageReplay(of: lineage, in: rows) else { return true }
        switch table {
        case .agenda:
            return replay.row.told.agenda.map { RowKey.agenda($0, lineage).bytes } != row.key
        case .aliases:
            return !replay.numbers.contains { RowKey.alias($0, lineage).bytes == row.key }
        default: return false
        }
    }

    private static func lineage(in key: [UInt8], of table: StorageTable) -> LineageID? {
        switch table {
        case .agenda: LineageID(key: key, from: 8)
        case .aliases: LineageID(keyAfterText: key)
        default: LineageID(key: key)
        }
    }
}
