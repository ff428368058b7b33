import CounterfoilBasics
import CounterfoilCryptography
import Ledger

/// Looks through a whole journal, and makes everything anew that can be: what does not agree with
/// what is stored is a finding.
package struct JournalCheck: Sendable {
    /// What does not agree; the first ones, where there are many.
    package private(set) var findings: [Finding] = []
    /// How many findings there are in all.
    package private(set) var findingCount = 0
    /// How many entries were looked at.
    package private(set) var entries: UInt64 = 0
    /// How many documents.
    package private(set) var documents = 0
    /// How many documents' bytes are no longer kept.
    package private(set) var pruned = 0
    /// How many lineages.
    package private(set) var lineages = 0
    /// How many events.
    package private(set) var events = 0

    /// Something that does not agree.
    package struct Finding: Hashable, Sendable {
        /// Where.
        package let table: StorageTable
        /// What, in one sentence.
        package let text: String
    }

    /// How many of the events are of lineages, and how many were made anew.
    private var changes = 0
    private var changesAnew = 0

    private static let mostFindings = 100

    /// Checks everything.
    ///
    /// - Throws: ``StorageError`` where the storage cannot be read at all.
    package init(_ journal: OpenJournal) async throws(StorageError) {
        self = try await journal.engine.read { rows throws(StorageError) in
            var check = JournalCheck()
            try check.checkEntries(in: rows)
            try check.checkDocuments(in: rows)
            try check.checkLineages(in: rows)
            return check
        }
    }

    private init() {}

    private mutating func find(_ table: StorageTable, _ text: String) {
        findingCount += 1
        if findings.count < Self.mostFindings { findings.append(Finding(table: table, text: text)) }
    }

    // MARK: - The entries

    /// No number is left out, no instant runs backwards, and each has the events that it says.
    private mutating func checkEntries(in rows: any StorageReader) throws(StorageError) {
        let head = try JournalHead(in: rows)
        var recordedAt = Instant(millisecondsSince1970: .min)
        var next = Position.beginning.next
        for page in StoragePages(.journal, in: rows) {
            for row in try page.get() {
                let position = Position(key: row.key)
                // A number that no entry can have would have none beside it either.
                guard let position, position > .beginning, position.rawValue < .max,
                    let entry = Entry(position, row: row.value)
                else {
                    find(.journal, "an entry after \(entries) holds other bytes")
                    continue
                }
                if position != next { find(.journal, "entry \(next) is missing") }
                if entry.recordedAt < recordedAt {
                    find(.journal, "entry \(position) is recorded before the one before it")
                }
                let told = try rows.events(of: position)
                events += told.count
                if told.count != entry.events
                    || told.indices.contains(where: { told[$0].id.index != $0 })
                {
                    find(
                        .events,
                        "entry \(position) told \(entry.events) events, and \(told.count) are there"
                    )
                }
                try checkInput(of: entry, at: position, in: rows)
                changes += told.count(where: \.isChange)
                recordedAt = entry.recordedAt
                next = position.next
                entries += 1
            }
        }
        if next != head.position.next {
            find(
                .journal,
                "the journal ends at \(head.position), and entries \(next) on are missing"
            )
        }
    }

    /// The documents that came in have a record, and rules that changed are kept.
    private mutating func checkInput(
        of entry: Entry,
        at position: Position,
        in rows: any StorageReader
    ) throws(StorageError) {
        switch entry.input {
        case .learned(let digests):
            for digest in digests where try rows.value(.evidence, digest.bytes) == nil {
                find(
                    .evidence,
                    "entry \(position) tells of the document \(digest), which is missing"
                )
            }
        case .clock: break
        case .rules(let scope):
            if try rows.value(.rules, RowKey.rules(scope, position).bytes) == nil {
                find(.rules, "the rules of entry \(position) are missing")
            }
        }
    }

    // MARK: - The documents

    /// What is kept of documents has the digest that it is kept under.
    private mutating func checkDocuments(in rows: any StorageReader) throws(StorageError) {
        for page in StoragePages(.evidence, in: rows) {
            for row in try page.get() {
                guard let digest = SHA256Digest(row.key),
                    let kept = KeptEvidence(digest, row: row.value)
                else {
                    find(.evidence, "a document's record holds other bytes")
                    continue
                }
                documents += 1
                do throws(StorageError) {
                    if try rows.document(kept.evidence) == nil { pruned += 1 }
                } catch {
                    find(.evidenceBytes, error.reason)
                }
            }
        }
        for table in [StorageTable.claims, .sharedBytes] {
            for page in StoragePages(table, in: rows) {
                for row in try page.get()
                where SHA256Digest(of: row.value.span).bytes != row.key {
                    find(table, "the bytes under \(Hexadecimal.encode(row.key)) are others")
                }
            }
        }
    }

    // MARK: - The lineages

    /// Each lineage that is made anew from what it went through comes to the same bytes.
    private mutating func checkLineages(in rows: any StorageReader) throws(StorageError) {
        var planned = 0
        var numbers = 0
        for page in StoragePages(.lineages, in: rows) {
            for row in try page.get() {
                guard let lineage = LineageID(key: row.key) else {
                    find(.lineages, "a lineage's key has another form")
                    continue
                }
                lineages += 1
                do throws(StorageError) {
                    let replay = try LineageReplay(of: lineage, in: rows)
                    guard let replay else {
                        find(
                            .statements,
                            "lineage \(lineage.originalTransactionId) tells other events when made "
                                + "anew"
                        )
                        continue
                    }
                    try check(replay, lineage, beside: row.value, in: rows)
                    numbers += replay.numbers.count
                    changesAnew += replay.events.count
                    if replay.row.told.agenda != nil { planned += 1 }
                } catch {
                    find(.lineages, error.reason)
                }
            }
        }
        try checkCount(.agenda, planned, in: rows)
        try checkCount(.aliases, numbers, in: rows)
        try checkSteps(in: rows)
        // Where one was not made anew, that is a finding already.
        if findingCount == 0, changesAnew != changes {
            find(
                .statements,
                "\(changes) events of lineages are there, and \(changesAnew) when made anew"
            )
        }
    }

    private mutating func check(
        _ replay: LineageReplay,
        _ lineage: LineageID,
        beside row: [UInt8],
        in rows: any StorageReader
    ) throws(StorageError) {
        let name = "lineage \(lineage.originalTransactionId)"
        if replay.row.row != row { find(.lineages, "\(name) comes to other bytes when made anew") }
        for event in replay.events
        where try rows.value(.events, RowKey.event(event.id).bytes) != event.row {
            find(.events, "event \(event.id) of \(name) is another when made anew")
        }
        for number in replay.numbers
        where try rows.value(.aliases, RowKey.alias(number, lineage).bytes) == nil {
            find(.aliases, "\(name) is not found by \(number)")
        }
        if let agenda = replay.row.told.agenda,
            try rows.value(.agenda, RowKey.agenda(agenda, lineage).bytes) == nil
        {
            find(.agenda, "\(name) is not looked at on \(agenda)")
        }
    }

    /// No row is left over that nothing made anew has.
    private mutating func checkCount(
        _ table: StorageTable,
        _ expected: Int,
        in rows: any StorageReader
    ) throws(StorageError) {
        var found = 0
        for page in StoragePages(table, in: rows) { found += try page.get().count }
        if found != expected {
            find(table, "\(found) rows are there, and \(expected) when made anew")
        }
    }

    /// Every step belongs to a lineage that is there.
    private mutating func checkSteps(in rows: any StorageReader) throws(StorageError) {
        var last: [UInt8] = []
        for page in StoragePages(.statements, in: rows) {
            for row in try page.get() {
                let lineage = Array(row.key.dropLast(8))
                guard lineage != last else { continue }
                last = lineage
                if try rows.value(.lineages, lineage) == nil {
                    find(.lineages, "a lineage that documents told of has no row")
                }
            }
        }
    }
}

extension Event {
    fileprivate var isChange: Bool {
        if case .change = content { true } else { false }
    }
}

extension StorageReader {
    fileprivate func events(of position: Position) throws(StorageError) -> [Event] {
        try events(
            after: Position(rawValue: position.rawValue - 1),
            upTo: position
        )
    }
}

/// All rows of a table, some at a time.
struct StoragePages: Sequence {
    private let table: StorageTable
    private let rows: any StorageReader
    private let prefix: [UInt8]

    init(_ table: StorageTable, beginningWith prefix: [UInt8] = [], in rows: any StorageReader) {
        self.table = table
        self.rows = rows
        self.prefix = prefix
    }

    func makeIterator() -> AnyIterator<Result<[StorageRow], StorageError>> {
        var range = StorageRange(beginningWith: prefix, limit: 512)
        var isDone = false
        return AnyIterator {
            guard !isDone else { return nil }
            do throws(StorageError) {
                let page = try rows.rows(table, range)
                guard let last = page.last else { return nil }
                range.from = last.key + [0]
                return .success(page)
            } catch {
                isDone = true
                return .failure(error)
            }
        }
    }
}
