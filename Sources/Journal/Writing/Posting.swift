import AppStoreVerification
import CounterfoilBasics
import Ledger

/// The work of one transaction: puts entries into the journal, with everything that follows from
/// them.
///
/// Nothing of it counts before the transaction is committed.
struct Posting {
    let rows: any StorageWriter
    /// The last entry.
    private(set) var head: JournalHead
    /// The last entry before.
    private let start: JournalHead
    private var rulesBooks: [Scope: RulesBook] = [:]

    init(_ rows: any StorageWriter) throws(StorageError) {
        self.rows = rows
        start = try JournalHead(in: rows)
        head = start
    }

    /// Puts what the transaction did at the end of the journal; the last thing that it does.
    ///
    /// Where all was known already nothing is written, so nothing waits for the disk.
    func finish() throws(StorageError) {
        guard head != start else { return }
        try rows.put(.properties, JournalHead.key, head.row)
    }

    // MARK: - The three kinds of entries

    /// Learns what came in; what is known already is not learned again.
    mutating func learn(
        _ prepared: PreparedLearning,
        at now: Instant
    ) throws(StorageError) -> Committed {
        let learning = prepared.learning
        let digest = learning.document.evidence.digest
        if let known = try rows.evidence(digest) {
            if let note = learning.inbox {
                try self.note(
                    note,
                    of: learning.scope,
                    at: known.position,
                    isNewDocument: false,
                    postedAt: now
                )
            }
            return Committed(position: known.position, wasKnown: true)
        }
        var entry = OpenEntry(after: head, at: now)
        let fresh = try keep(prepared, with: entry)
        let cause = Event.Cause.learned(digest)
        for said in prepared.lineages {
            try learn(said, of: fresh, cause, with: &entry)
        }
        if let note = learning.inbox {
            try self.note(
                note,
                of: learning.scope,
                at: entry.position,
                isNewDocument: true,
                postedAt: now
            )
        }
        if let occurrence = learning.occurrence {
            try tell(occurrence, cause, with: &entry)
        }
        try close(entry, as: .learned(learning.documents.map(\.evidence.digest)))
        return Committed(position: entry.position, wasKnown: false)
    }

    /// Looks at lineages again because time passed, or because an app's rules changed.
    mutating func look(
        at lineages: [LineageID],
        now: Instant
    ) throws(StorageError) -> Committed? {
        guard !lineages.isEmpty else { return nil }
        var entry = OpenEntry(after: head, at: now)
        for lineage in lineages {
            try go(through: .clock, of: lineage, said: [], with: &entry)
        }
        try close(entry, as: .clock)
        return Committed(position: entry.position, wasKnown: false)
    }

    /// Takes over an app's rules; nil where they are the ones in force.
    mutating func revise(
        _ rules: Rules,
        of scope: Scope,
        at now: Instant
    ) throws(StorageError) -> Committed? {
        let book = try rulesBook(of: scope)
        guard book.revisions.last?.rules != rules else { return nil }
        let entry = OpenEntry(after: head, at: now)
        let revision = RulesBook.Revision(
            position: entry.position,
            recordedAt: entry.recordedAt,
            rules: rules
        )
        try rows.put(.rules, RowKey.rules(scope, entry.position).bytes, revision.row)
        rulesBooks[scope]?.add(revision)
        try rows.put(.readers, RowKey.sweep(scope).bytes, [])
        try close(entry, as: .rules(scope))
        return Committed(position: entry.position, wasKnown: false)
    }

    /// Looks at some lineages that nobody looked at since the rules of their app changed; false
    /// where there are no more.
    mutating func sweep(limit: Int, at now: Instant) throws(StorageError) -> Bool {
        let pending = StorageRange(beginningWith: RowKey.sweeps.bytes, limit: 1)
        guard let reached = try rows.rows(.readers, pending).first else { return false }
        guard let scope = Scope(sweep: reached.key) else {
            throw .damagedRow(.readers, of: "a sweep")
        }
        var range = StorageRange(beginningWith: RowKey.lineages(of: scope).bytes, limit: limit)
        // The key after one is that key with a zero.
        if !reached.value.isEmpty { range.from = reached.value + [0] }
        let latest = try rulesBook(of: scope).latest
        var behind: [LineageID] = []
        let page = try rows.rows(.lineages, range)
        for row in page {
            guard let lineage = LineageID(key: row.key),
                let rulesAt = LineageRow.rulesAt(row: row.value)
            else { throw .damagedRow(.lineages, of: scope.bundleId) }
            if rulesAt < latest { behind.append(lineage) }
        }
        _ = try look(at: behind, now: now)
        if let last = page.last {
            try rows.put(.readers, reached.key, last.key)
        } else {
            try rows.remove(.readers, reached.key)
        }
        return true
    }

    private mutating func close(
        _ entry: OpenEntry,
        as input: Entry.Input
    ) throws(StorageError) {
        let written = Entry(
            position: entry.position,
            recordedAt: entry.recordedAt,
            input: input,
            lineages: entry.lineages,
            events: entry.events
        )
        try rows.put(.journal, RowKey.entry(entry.position).bytes, written.row)
        head = JournalHead(position: entry.position, recordedAt: entry.recordedAt)
    }

    // MARK: - Documents

    /// Keeps documents, and says which of them were not known.
    private func keep(
        _ prepared: PreparedLearning,
        with entry: OpenEntry
    ) throws(StorageError) -> Set<SHA256Digest> {
        var fresh: Set<SHA256Digest> = []
        for evidence in prepared.learning.documents.map(\.evidence) {
            let kept = KeptEvidence(evidence: evidence, position: entry.position)
            if try rows.putIfAbsent(.evidence, evidence.digest.bytes, kept.row) {
                fresh.insert(evidence.digest)
            }
        }
        for packing in prepared.packed {
            try rows.put(.evidenceBytes, packing.digest.bytes, packing.packed.bytes)
            for (digest, bytes) in packing.shared {
                try rows.putIfAbsent(.sharedBytes, digest.bytes, bytes)
            }
        }
        for (reference, value) in prepared.learning.persons {
            try rows.put(.persons, RowKey.person(reference).bytes, Array(value.utf8))
        }
        return fresh
    }

    // MARK: - Lineages

    private mutating func learn(
        _ said: PreparedLearning.Said,
        of fresh: Set<SHA256Digest>,
        _ cause: Event.Cause,
        with entry: inout OpenEntry
    ) throws(StorageError) {
        var statements: [Statement] = []
        var steps: [LineageStep.SaidOnce] = []
        for (statement, claims) in zip(said.statements, said.claims)
        where fresh.contains(statement.stamp.digest) {
            statements.append(statement)
            steps.append(
                LineageStep.SaidOnce(stamp: statement.stamp, claims: claims.digest)
            )
            try rows.putIfAbsent(.claims, claims.digest.bytes, claims.bytes)
        }
        guard !statements.isEmpty else { return }
        for id in Set(statements.flatMap(\.numbers)) {
            try rows.putIfAbsent(.aliases, RowKey.alias(id, said.lineage).bytes, [])
        }
        try go(
            through: .learned(statements, from: cause),
            of: said.lineage,
            said: steps,
            with: &entry
        )
    }

    private mutating func go(
        through input: LineageLife.Input,
        of lineage: LineageID,
        said: [LineageStep.SaidOnce],
        with entry: inout OpenEntry
    ) throws(StorageError) {
        let key = RowKey.lineage(lineage)
        let before = try rows.lineage(lineage)
        let rulesBook = try rulesBook(of: lineage.scope)
        var life =
            before.map { LineageLife($0, under: rulesBook) }
            ?? LineageLife(lineage, at: entry.recordedAt, under: rulesBook)
        try life.go(
            through: input,
            at: entry.position,
            recordedAt: entry.recordedAt,
            rejoining: { () throws(StorageError) in try rows.statements(of: lineage) }
        )
        let first = entry.events
        for told in life.told {
            let event = Event(
                told,
                id: entry.nextEvent(),
                recordedAt: entry.recordedAt,
                lineage: lineage
            )
            try rows.put(.events, RowKey.event(event.id).bytes, event.row)
        }
        let step = LineageStep(
            recordedAt: entry.recordedAt,
            said: said,
            events: first..<entry.events
        )
        try rows.put(.statements, RowKey.step(lineage, entry.position).bytes, step.row)
        try rows.put(.lineages, key.bytes, life.row.row)
        try plan(lineage, before: before?.told.agenda, after: life.row.told.agenda)
        entry.lineages += 1
    }

    /// Notes when a lineage changes by itself.
    private func plan(
        _ lineage: LineageID,
        before: Instant?,
        after: Instant?
    ) throws(StorageError) {
        guard before != after else { return }
        if let before { try rows.remove(.agenda, RowKey.agenda(before, lineage).bytes) }
        if let after { try rows.put(.agenda, RowKey.agenda(after, lineage).bytes, []) }
    }

    private mutating func rulesBook(of scope: Scope) throws(StorageError) -> RulesBook {
        if let book = rulesBooks[scope] { return book }
        let book = try RulesBook(of: scope, in: rows)
        rulesBooks[scope] = book
        return book
    }

    // MARK: - Occurrences

    /// Tells what happened, once.
    private func tell(
        _ occurrence: Occurrence,
        _ cause: Event.Cause,
        with entry: inout OpenEntry
    ) throws(StorageError) {
        let key = RowKey.occurrence(occurrence.scope, occurrence.key).bytes
        guard try rows.value(.occurrences, key) == nil else { return }
        let event = Event(
            id: entry.nextEvent(),
            recordedAt: entry.recordedAt,
            occurredAt: occurrence.occurredAt,
            scope: occurrence.scope,
            lineage: occurrence.lineage,
            cause: cause,
            content: .occurrence(occurrence)
        )
        try rows.put(.events, RowKey.event(event.id).bytes, event.row)
        try rows.put(.occurrences, key, RowKey.event(event.id).bytes)
    }
}

/// An entry in the making.
private struct OpenEntry {
    let position: Position
    let recordedAt: Instant
    var lineages = 0
    private(set) var events = 0

    /// When the wall clock steps back, the last instant is repeated.
    init(after head: JournalHead, at now: Instant) {
        position = head.position.next
        recordedAt = max(head.recordedAt, now)
    }

    mutating func nextEvent() -> EventID {
        defer { events += 1 }
        return EventID(position: position, index: events)
    }
}

extension ToldLineage {
    /// When the worker of the clock must look at it.
    var agenda: Instant? { nextChangeAt.flatMap { $0 > toldUpTo ? $0 : nil } }
}

extension Statement {
    /// Every number by which somebody may ask for the lineage, and its account's reference.
    var numbers: [String] {
        [lineage.originalTransactionId] + purchases.flatMap(\.numbers)
    }
}

extension PurchaseClaim {
    fileprivate var numbers: [String] {
        var numbers = [transactionId]
        if case .period(let lineItem) = id { numbers.append(lineItem) }
        if case .says(let reference) = appAccountToken { numbers.append(reference.rawValue) }
        if case .says(let download) = appTransactionId { numbers.append(download) }
        return numbers
    }
}
