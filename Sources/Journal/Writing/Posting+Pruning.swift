import CounterfoilBasics

// Bytes of documents may be let go; what they said stays for ever.
extension Posting {
    /// Lets go of the bytes of documents that came with the entries up to one, some entries at a
    /// time.
    ///
    /// - Parameters:
    ///   - position: The last entry whose documents' bytes are let go of.
    ///   - limit: How many entries are looked at.
    /// - Returns: How many documents' bytes went, and whether there are more entries.
    /// - Throws: ``StorageError``.
    func prune(
        upTo position: Position,
        limit: Int
    ) throws(StorageError) -> (removed: Int, isMore: Bool) {
        let reached = try prunedUpTo()
        let last = min(position, head.position)
        guard reached < last else { return (0, false) }
        let range = StorageRange(
            from: RowKey.entry(reached.next).bytes,
            upTo: RowKey.entry(last.next).bytes,
            limit: limit
        )
        var removed = 0
        var latest = reached
        for row in try rows.rows(.journal, range) {
            guard let position = Position(key: row.key), let entry = Entry(position, row: row.value)
            else { throw .damagedRow(.journal, of: "an entry after \(latest)") }
            latest = position
            guard case .learned(let digests) = entry.input else { continue }
            for digest in digests where try rows.value(.evidenceBytes, digest.bytes) != nil {
                try rows.remove(.evidenceBytes, digest.bytes)
                removed += 1
            }
        }
        try rows.put(.properties, Self.prunedKey, RowKey.entry(latest).bytes)
        return (removed, latest < last)
    }

    private static var prunedKey: [UInt8] { RowKey.name("pruned").bytes }

    private func prunedUpTo() throws(StorageError) -> Position {
        guard let row = try rows.value(.properties, Self.prunedKey) else { return .beginning }
        guard let position = Position(key: row) else {
            throw .damagedRow(.properties, of: "how far documents were let go of")
        }
        return position
    }
}
