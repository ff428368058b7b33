package import CounterfoilBasics

/// The last entry of a journal.
package struct JournalHead: Hashable, Sendable {
    /// Its place.
    package let position: Position
    /// When it was recorded.
    package let recordedAt: Instant

    static let key = RowKey.name("head").bytes
    private static let version: UInt8 = 1

    init(position: Position, recordedAt: Instant) {
        self.position = position
        self.recordedAt = recordedAt
    }

    /// Reads where a journal ends.
    ///
    /// - Throws: ``StorageError``.
    init(in rows: any StorageReader) throws(StorageError) {
        guard let row = try rows.value(.properties, Self.key) else {
            self.init(position: .beginning, recordedAt: Instant(millisecondsSince1970: .min))
            return
        }
        guard let head = JournalHead(row: row) else {
            throw .damagedRow(.properties, of: "the journal's end")
        }
        self = head
    }

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.version)
        row.write(unsigned: position.rawValue)
        row.write(recordedAt)
        return row.bytes
    }

    private init?(row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.version else { return nil }
        self.init(position: Position(rawValue: row.unsigned()), recordedAt: row.instant())
        guard row.isComplete else { return nil }
    }
}
