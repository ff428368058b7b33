import AppStoreVerification
package import CounterfoilBasics

/// What a notification is called in the inbox: every telling of one notification has the same.
package struct InboxNote: Hashable, Sendable {
    /// Its number; of version 1, which has none, the digest of its bytes.
    package let key: String
    /// The version of its form: 1 or 2.
    package let version: Int64
    /// What it tells of, in Apple's words; nil where it does not say.
    package let type: String?
    /// More of that.
    package let subtype: String?

    package init(key: String, version: Int64, type: String?, subtype: String?) {
        self.key = key
        self.version = version
        self.type = type
        self.subtype = subtype
    }
}

/// One notification, however often it was posted.
package struct InboxRow: Hashable, Sendable {
    /// What it is called.
    package let note: InboxNote
    /// When it was posted first.
    package let firstPostedAt: Instant
    /// When it was posted last.
    package internal(set) var lastPostedAt: Instant
    /// The entry that it was learned with first.
    package let position: Position
    /// How often it was posted.
    package internal(set) var count: Int64
    /// How many of those were signed anew.
    package internal(set) var documents: Int64
}

extension InboxRow {
    private static let rowVersion: UInt8 = 1

    var row: [UInt8] {
        var row = RowWriter()
        row.write(byte: Self.rowVersion)
        row.write(note.version)
        row.write(optional: note.type) { $0.write($1) }
        row.write(optional: note.subtype) { $0.write($1) }
        row.write(firstPostedAt)
        row.write(lastPostedAt)
        row.write(unsigned: position.rawValue)
        row.write(count)
        row.write(documents)
        return row.bytes
    }

    init?(_ key: String, row bytes: [UInt8]) {
        var row = RowReader(bytes)
        guard row.byte() == Self.rowVersion else { return nil }
        let version = row.number()
        let type = row.optional { $0.text() }
        note = InboxNote(
            key: key,
            version: version,
            type: type,
            subtype: row.optional { $0.text() }
        )
        firstPostedAt = row.instant()
        lastPostedAt = row.instant()
        position = Position(rawValue: row.unsigned())
        count = row.number()
        documents = row.number()
        guard row.isComplete else { return nil }
    }
}

extension Posting {
    /// Notes that a notification was posted: first, again, or signed anew.
    func note(
        _ note: InboxNote,
        of scope: Scope,
        at position: Position,
        isNewDocument: Bool,
        postedAt now: Instant
    ) throws(StorageError) {
        let key = RowKey.inbox(scope, note.key).bytes
        guard let known = try rows.value(.inbox, key) else {
            let row = InboxRow(
                note: note,
                firstPostedAt: now,
                lastPostedAt: now,
                position: position,
                count: 1,
                documents: 1
            )
            return try rows.put(.inbox, key, row.row)
        }
        guard var row = InboxRow(note.key, row: known) else {
            throw .damagedRow(.inbox, of: note.key)
        }
        row.lastPostedAt = max(row.lastPostedAt, now)
        row.count += 1
        if isNewDocument { row.documents += 1 }
        try rows.put(.inbox, key, row.row)
    }
}
