package import CounterfoilBasics
package import Ledger

/// Everything about one lineage, for a person who wants to understand an answer.
package struct LineageStory: Sendable {
    /// How it stands, register by register.
    package let row: LineageRow
    /// What it went through, in its order.
    package let chapters: [Chapter]

    /// What one entry brought.
    package struct Chapter: Sendable {
        /// The entry.
        package let position: Position
        /// When it was recorded.
        package let recordedAt: Instant
        /// The document that came in; nil where the clock was read.
        package let document: KeptEvidence?
        /// What was said; nothing where the clock was read.
        package let statements: [Statement]
        /// The documents that said so: that one, or those inside it.
        package let evidence: [KeptEvidence]
        /// What was told.
        package let events: [Event]
    }

    /// Reads the story of a lineage; nil where nothing is known.
    ///
    /// - Throws: ``StorageError``.
    init?(of lineage: LineageID, in rows: any StorageReader) throws(StorageError) {
        guard let row = try rows.lineage(lineage) else { return nil }
        self.row = row
        var chapters: [Chapter] = []
        for (position, step) in try rows.steps(of: lineage) {
            var evidence: [KeptEvidence] = []
            for digest in Set(step.said.map(\.stamp.digest)).sorted() {
                evidence.append(try Self.evidence(digest, in: rows))
            }
            var document: KeptEvidence?
            if case .learned(let digests) = try rows.entry(position).input,
                let first = digests.first
            {
                document = try Self.evidence(first, in: rows)
            }
            var events: [Event] = []
            for index in step.events {
                let id = EventID(position: position, index: index)
                guard let row = try rows.value(.events, RowKey.event(id).bytes),
                    let event = Event(id, row: row)
                else { throw .damagedRow(.events, of: "event \(id)") }
                events.append(event)
            }
            chapters.append(
                Chapter(
                    position: position,
                    recordedAt: step.recordedAt,
                    document: document,
                    statements: try rows.statements(of: step, lineage),
                    evidence: evidence,
                    events: events
                )
            )
        }
        self.chapters = chapters
    }

    private static func evidence(
        _ digest: SHA256Digest,
        in rows: any StorageReader
    ) throws(StorageError) -> KeptEvidence {
        guard let kept = try rows.evidence(digest) else {
            throw .damagedRow(.evidence, of: digest.description)
        }
        return kept
    }
}
