import CounterfoilBasics
package import Ledger

/// A lineage as it stands, what was told of it, and under which rules: made anew from its steps.
package struct LineageRow: Hashable, Sendable {
    /// The lineage, and what was told of it.
    package var told: ToldLineage
    /// The entry with the rules under which it was told last.
    package var rulesAt: Position
    /// The last entry that concerned it.
    package var position: Position
}

extension LineageRow {
    private static let version: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(unsigned: rulesAt.rawValue)
        row.write(unsigned: position.rawValue)
        told.write(to: &row)
        return row.bytes
    }

    init?(_ lineage: LineageID, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        rulesAt = Position(rawValue: row.unsigned())
        position = Position(rawValue: row.unsigned())
        guard let told = ToldLineage(lineage, from: &row), row.isComplete else { return nil }
        self.told = told
    }

    /// The rules' entry of a row, without reading the rest; nil for other bytes.
    static func rulesAt(row bytes: [UInt8]) -> Position? {
        var row = RowReader(Array(bytes.prefix(11)))
        guard row.byte() == Self.version else { return nil }
        let position = Position(rawValue: row.unsigned())
        return row.isSound ? position : nil
    }
}
