package import AppStoreVerification
package import CounterfoilBasics
package import Ledger

/// Reads a journal: how things stand and stood, what was told, and why.
package struct JournalReader: Sendable {
    private let engine: any StorageEngine

    init(engine: any StorageEngine) { self.engine = engine }

    // MARK: - How things stand

    /// How a lineage stands now; nil where nothing is known, and before its begin.
    ///
    /// - Throws: ``StorageError``.
    package func standing(
        of lineage: LineageID,
        at now: Instant
    ) async throws(StorageError) -> Standing? {
        try await engine.read { rows throws(StorageError) in
            guard let row = try rows.lineage(lineage) else { return nil }
            let book = try RulesBook(of: lineage.scope, in: rows)
            let rules = book.rules(at: book.latest, of: lineage.scope)
            let told = book.rules(at: row.rulesAt, of: lineage.scope)
            guard told.v1Trust == rules.v1Trust else {
                // Nobody has looked at it since other statements began to count.
                return try rows.standing(of: lineage, at: now, knownAt: nil, under: rules)
            }
            return row.told.lineage.standing(at: now, under: rules)
        }
    }

    /// How a lineage stood, or will stand, at an instant by what was known after an entry; nil where
    /// nothing was known, and before its begin.
    ///
    /// - Parameters:
    ///   - lineage: The lineage.
    ///   - asOf: The instant asked about, and the entry after which.
    /// - Returns: The answer, under the rules that were in force then.
    /// - Throws: ``StorageError``.
    package func standing(
        of lineage: LineageID,
        asOf: AsOf
    ) async throws(StorageError) -> Standing? {
        try await engine.read { rows throws(StorageError) in
            let rules = try RulesBook(of: lineage.scope, in: rows)
                .rules(at: asOf.knownAt, of: lineage.scope)
            return try rows.standing(
                of: lineage,
                at: asOf.effectiveAt,
                knownAt: asOf.knownAt,
                under: rules
            )
        }
    }

    /// A lineage as it stood at an instant by what was known after an entry; empty where nothing was.
    ///
    /// - Throws: ``StorageError``.
    package func lineage(
        _ lineage: LineageID,
        asOf: AsOf
    ) async throws(StorageError) -> Lineage {
        try await engine.read { rows throws(StorageError) in
            Lineage(
                lineage,
                statements: try rows.statements(of: lineage, upTo: asOf.knownAt),
                effectiveAt: asOf.effectiveAt,
                under: try RulesBook(of: lineage.scope, in: rows)
                    .rules(at: asOf.knownAt, of: lineage.scope)
            )
        }
    }

    /// The lineage as it stands; nil where nothing is known.
    ///
    /// - Throws: ``StorageError``.
    package func lineage(_ lineage: LineageID) async throws(StorageError) -> LineageRow? {
        try await engine.read { rows throws(StorageError) in try rows.lineage(lineage) }
    }

    /// The rules of an app in one environment, of all times.
    ///
    /// - Throws: ``StorageError``.
    package func rules(of scope: Scope) async throws(StorageError) -> RulesBook {
        try await engine.read { rows throws(StorageError) in try RulesBook(of: scope, in: rows) }
    }

    /// Every lineage that a number or a reference has to do with, by the order of their keys.
    ///
    /// - Throws: ``StorageError``.
    package func lineages(of id: String) async throws(StorageError) -> [LineageID] {
        try await engine.read { rows throws(StorageError) in
            let prefix = RowKey.aliases(of: id).bytes
            var lineages: [LineageID] = []
            for row in try rows.rows(.aliases, StorageRange(beginningWith: prefix)) {
                guard let lineage = LineageID(key: row.key, from: prefix.count) else {
                    throw .damagedRow(.aliases, of: id)
                }
                lineages.append(lineage)
            }
            return lineages
        }
    }

    /// All lineages of an app in one environment, by the order of their keys.
    ///
    /// - Throws: ``StorageError``.
    package func lineages(of scope: Scope) async throws(StorageError) -> [LineageID] {
        try await engine.read { rows throws(StorageError) in
            let prefix = RowKey.lineages(of: scope).bytes
            var lineages: [LineageID] = []
            for page in StoragePages(.lineages, beginningWith: prefix, in: rows) {
                for row in try page.get() {
                    guard let lineage = LineageID(key: row.key) else {
                        throw .damagedRow(.lineages, of: scope.bundleId)
                    }
                    lineages.append(lineage)
                }
            }
            return lineages
        }
    }

    // MARK: - What was told

    /// Where the journal ends.
    ///
    /// - Throws: ``StorageError``.
    package func head() async throws(StorageError) -> JournalHead {
        try await engine.read { rows throws(StorageError) in try JournalHead(in: rows) }
    }

    /// The last entry that was recorded by an instant; the beginning where none was.
    ///
    /// - Throws: ``StorageError``.
    package func position(at instant: Instant) async throws(StorageError) -> Position {
        try await engine.read { rows throws(StorageError) in
            // The entries' instants never run backwards.
            var range = 0..<(try JournalHead(in: rows).position.rawValue)
            while !range.isEmpty {
                let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
                let entry = try rows.entry(Position(rawValue: middle + 1))
                if entry.recordedAt <= instant {
                    range = middle + 1..<range.upperBound
                } else {
                    range = range.lowerBound..<middle
                }
            }
            return Position(rawValue: range.lowerBound)
        }
    }

    /// Events after an entry, in their order, and how far they reach.
    ///
    /// - Parameters:
    ///   - position: The entry after which to begin.
    ///   - limit: How many entries are looked at, at most.
    /// - Returns: All events of the entries that were looked at, and the last of those.
    /// - Throws: ``StorageError``.
    package func events(
        after position: Position,
        limit: Int
    ) async throws(StorageError) -> (events: [Event], upTo: Position) {
        try await engine.read { rows throws(StorageError) in
            let head = try JournalHead(in: rows).position
            let (sum, isMore) = position.rawValue.addingReportingOverflow(UInt64(max(0, limit)))
            let upTo = isMore ? head : min(head, Position(rawValue: sum))
            guard position < upTo else { return ([], position) }
            return (try rows.events(after: position, upTo: upTo), upTo)
        }
    }

    /// A notification in the inbox; nil where it was never posted.
    ///
    /// - Throws: ``StorageError``.
    package func inbox(_ scope: Scope, _ key: String) async throws(StorageError) -> InboxRow? {
        try await engine.read { rows throws(StorageError) in
            guard let row = try rows.value(.inbox, RowKey.inbox(scope, key).bytes) else {
                return nil
            }
            guard let inbox = InboxRow(key, row: row) else { throw .damagedRow(.inbox, of: key) }
            return inbox
        }
    }

    /// Notifications in the quarantine, by app and kind, each in the order in which it was posted.
    ///
    /// - Parameters:
    ///   - id: The one after which to go on; nil to begin.
    ///   - limit: How many at most.
    /// - Returns: The notifications.
    /// - Throws: ``StorageError``.
    package func quarantine(
        after id: QuarantinedBody.ID? = nil,
        limit: Int
    ) async throws(StorageError) -> [QuarantinedBody] {
        try await engine.read { rows throws(StorageError) in
            let from = id.map { RowKey.quarantine($0).bytes + [0] }
            var bodies: [QuarantinedBody] = []
            for row in try rows.rows(.quarantine, StorageRange(from: from, limit: limit)) {
                guard let id = QuarantinedBody.ID(key: row.key),
                    let body = QuarantinedBody(id, row: row.value)
                else { throw .damagedRow(.quarantine, of: "a notification") }
                bodies.append(body)
            }
            return bodies
        }
    }

    /// The exact bytes of a document; nil where it was never learned from, and where they were let
    /// go.
    ///
    /// - Throws: ``StorageError``.
    package func bytes(of digest: SHA256Digest) async throws(StorageError) -> [UInt8]? {
        try await engine.read { rows throws(StorageError) in
            guard let kept = try rows.evidence(digest) else { return nil }
            return try rows.document(kept.evidence)
        }
    }

    /// What a lineage went through; nil where nothing is known.
    ///
    /// - Throws: ``StorageError``.
    package func story(of lineage: LineageID) async throws(StorageError) -> LineageStory? {
        try await engine.read { rows throws(StorageError) in
            try LineageStory(of: lineage, in: rows)
        }
    }
}

/// The two times of an answer.
package struct AsOf: Hashable, Sendable {
    /// The instant asked about.
    package let effectiveAt: Instant
    /// The entry after which.
    package let knownAt: Position

    package init(effectiveAt: Instant, knownAt: Position) {
        self.effectiveAt = effectiveAt
        self.knownAt = knownAt
    }
}

extension StorageReader {
    /// How a lineage stood, by joining what was said anew.
    fileprivate func standing(
        of lineage: LineageID,
        at instant: Instant,
        knownAt position: Position?,
        under rules: Rules
    ) throws(StorageError) -> Standing? {
        Lineage(
            lineage,
            statements: try statements(of: lineage, upTo: position),
            effectiveAt: instant,
            under: rules
        )
        .standing(at: instant, under: rules)
    }

    /// An entry, which must be there.
    func entry(_ position: Position) throws(StorageError) -> Entry {
        guard let row = try value(.journal, RowKey.entry(position).bytes),
            let entry = Entry(position, row: row)
        else { throw .damagedRow(.journal, of: "entry \(position)") }
        return entry
    }

    /// The events of some entries.
    func events(
        after first: Position,
        upTo last: Position
    ) throws(StorageError) -> [Event] {
        let range = StorageRange(
            from: RowKey.entry(first.next).bytes,
            upTo: RowKey.entry(last.next).bytes
        )
        var events: [Event] = []
        for row in try rows(.events, range) {
            guard let id = EventID(key: row.key), let event = Event(id, row: row.value) else {
                throw .damagedRow(.events, of: "an event after entry \(first)")
            }
            events.append(event)
        }
        return events
    }
}
