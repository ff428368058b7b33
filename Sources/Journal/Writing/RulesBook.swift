package import AppStoreVerification
package import CounterfoilBasics
package import Ledger

/// The rules of one app in one environment, of all times.
package struct RulesBook: Hashable, Sendable {
    /// Rules from one entry on.
    package struct Revision: Hashable, Sendable {
        /// The entry.
        package let position: Position
        /// When it was recorded.
        package let recordedAt: Instant
        /// The rules.
        package let rules: Rules
    }

    /// The revisions, in their order.
    package private(set) var revisions: [Revision]

    /// Reads the rules of an app.
    ///
    /// - Throws: ``StorageError``.
    init(of scope: Scope, in rows: any StorageReader) throws(StorageError) {
        var revisions: [Revision] = []
        for row in try rows.rows(.rules, StorageRange(beginningWith: RowKey.rules(scope).bytes)) {
            guard let position = Position(key: row.key.suffix(8)),
                let revision = Revision(position, row: row.value)
            else { throw .damagedRow(.rules, of: scope.bundleId) }
            revisions.append(revision)
        }
        self.revisions = revisions
    }

    mutating func add(_ revision: Revision) { revisions.append(revision) }

    /// The rules in force after an entry; before the first revision those that give nothing.
    package func rules(at position: Position, of scope: Scope) -> Rules {
        revisions.last { $0.position <= position }?.rules ?? Rules(environment: scope.environment)
    }

    /// The book as it was after an entry.
    func known(at position: Position) -> RulesBook {
        var book = self
        book.revisions.removeAll { $0.position > position }
        return book
    }

    /// The revisions after an entry.
    func revisions(after position: Position) -> ArraySlice<Revision> {
        let first = revisions.firstIndex { $0.position > position } ?? revisions.endIndex
        return revisions[first...]
    }

    /// The last entry with a revision.
    package var latest: Position { revisions.last?.position ?? .beginning }
}

extension RulesBook.Revision {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(recordedAt)
        row.write(rules.bytes)
        return row.bytes
    }

    init?(_ position: Position, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        self.position = position
        recordedAt = row.instant()
        // Whoever asked for the row says that it is damaged, and which one it is.
        guard let rules = try? Rules(bytes: row.someBytes()), row.isComplete else { return nil }
        self.rules = rules
    }
}

extension Position {
    /// Reads a position at the end of a key.
    init?(key: some Collection<UInt8>) {
        guard key.count == 8 else { return nil }
        self.init(rawValue: key.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension StorageError {
    /// A row that holds other bytes than were ever written there.
    static func damagedRow(_ table: StorageTable, of what: String) -> StorageError {
        StorageError(
            damaged,
            "the row of \(what) in the table \(table.rawValue) holds other bytes than are written "
                + "there"
        )
    }
}
