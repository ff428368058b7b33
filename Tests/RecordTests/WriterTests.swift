import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Journal
import Ledger
import PurchaseService
import RecordTestSupport
import Synchronization
import Testing

@Suite("The one writer")
struct WriterTests {
    private static func lives() throws -> Lives { try Lives(seed: 5, steps: 30, faults: .none) }

    @Test("What many write at once is kept in a gapless sequence, each once")
    func together() async throws {
        let lives = try Self.lives()
        let record = try await Record.begin(at: lives.end)
        let learnings = try lives.arrivals.flatMap { try record.learnings($0.bytes) }
        let writer = record.journal.writer
        let committed = try await withThrowingTaskGroup(of: Committed.self) { group in
            for learning in learnings + learnings {
                group.addTask { try await writer.learn(learning) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let fresh = committed.filter { !$0.wasKnown }.map(\.position.rawValue).sorted()
        // The first entry is that of the rules.
        #expect(fresh == Array(2...UInt64(learnings.count + 1)))
        #expect(Set(committed.map(\.position)).count == learnings.count)
        #expect(try await JournalCheck(record.journal).findings.isEmpty)
    }

    @Test("A request that cannot be kept takes no other with it")
    func alone() async throws {
        let lives = try Self.lives()
        let engine = PickyEngine()
        let record = try await Record.begin(at: lives.end, in: engine)
        let learnings = try lives.arrivals.flatMap { try record.learnings($0.bytes) }
        let bad = learnings[3].document.evidence.digest
        engine.refuse(bad)
        let writer = record.journal.writer
        let failed = await withTaskGroup(of: Int?.self) { group in
            for (index, learning) in learnings.enumerated() {
                group.addTask {
                    do throws(StorageError) {
                        _ = try await writer.learn(learning)
                        return nil
                    } catch {
                        return error.code == StorageError.tooLarge ? index : -1
                    }
                }
            }
            return await group.reduce(into: [Int]()) { failed, index in
                if let index { failed.append(index) }
            }
        }
        #expect(failed == [3])
        let check = try await JournalCheck(record.journal)
        #expect(check.findings.isEmpty && check.entries == UInt64(learnings.count))
    }

    @Test("Past what may wait, requests are refused at once, and none is half kept")
    func overloaded() async throws {
        let lives = try Self.lives()
        var limits = JournalWriter.Limits()
        limits.waiting = 4
        limits.batch = 2
        let record = try await Record.begin(at: lives.end, limits: limits)
        let learnings = try lives.arrivals.flatMap { try record.learnings($0.bytes) }
        let writer = record.journal.writer
        let (kept, refused) = await withTaskGroup(of: Bool?.self) { group in
            for learning in learnings {
                group.addTask {
                    do throws(StorageError) {
                        _ = try await writer.learn(learning)
                        return true
                    } catch {
                        return error.code == StorageError.busy && error.isWorthRepeating
                            ? false : nil
                    }
                }
            }
            return await group.reduce(into: (0, 0)) { counts, outcome in
                if outcome == true { counts.0 += 1 } else if outcome == false { counts.1 += 1 }
            }
        }
        #expect(kept + refused == learnings.count)
        let check = try await JournalCheck(record.journal)
        #expect(check.findings.isEmpty && check.entries == UInt64(kept + 1))
    }

    @Test("When the wall clock steps back, the last instant is repeated")
    func clockStepsBack() async throws {
        let lives = try Self.lives()
        let engine = MemoryEngine()
        let late = try await Record.begin(at: lives.end, in: engine)
        let learnings = try lives.arrivals.flatMap { try late.learnings($0.bytes) }
        try await late.learn(Array(learnings.prefix(4)))
        let early = try await Record.begin(at: lives.start, in: engine)
        try await early.learn(learnings)
        let reader = early.journal.reader
        #expect(try await reader.head().recordedAt == lives.end)
        #expect(try await JournalCheck(early.journal).findings.isEmpty)
        // An instant stands for the last entry recorded by then.
        let head = try await reader.head().position
        #expect(try await reader.position(at: lives.end) == head)
        let before = lives.end.advanced(by: .milliseconds(-1))
        #expect(try await reader.position(at: before) == .beginning)
    }

    @Test("Bytes that are let go leave their records and every answer")
    func pruned() async throws {
        let lives = try Self.lives()
        let record = try await Record.begin(at: lives.end)
        let learnings = try lives.arrivals.flatMap { try record.learnings($0.bytes) }
        try await record.learn(learnings)
        let state = try await record.state()
        let digest = learnings[0].document.evidence.digest
        let reader = record.journal.reader
        #expect(try await reader.bytes(of: digest) == learnings[0].document.bytes)
        let nested = try #require(learnings.compactMap(\.nested.first).first)
        #expect(try await reader.bytes(of: nested.evidence.digest) == nested.bytes)
        let half = Position(rawValue: UInt64(learnings.count / 2))
        let removed = try await record.journal.writer.prune(upTo: half)
        #expect(removed > 0)
        let again = try await record.journal.writer.prune(upTo: half)
        #expect(again == 0)
        #expect(try await reader.bytes(of: digest) == nil)
        let check = try await JournalCheck(record.journal)
        #expect(check.findings.isEmpty && check.pruned >= removed)
        #expect(try await record.state() == state)
        // A document that comes again is still known.
        let known = try await record.journal.writer.learn(learnings[0])
        #expect(known.wasKnown)
    }

    @Test("The check finds entries with numbers that none has, and documents without a record")
    func damagedBook() async throws {
        let lives = try Self.lives()
        let record = try await Record.begin(at: lives.end)
        let learnings = try lives.arrivals.flatMap { try record.learnings($0.bytes) }
        try await record.learn(learnings)
        let last = RowKey.entry(Position(rawValue: UInt64(learnings.count))).bytes
        for rawValue in [0, UInt64.max] {
            let wrong = RowKey.entry(Position(rawValue: rawValue)).bytes
            try await record.journal.engine.write { rows throws(StorageError) in
                let row = try rows.value(.journal, last)
                try rows.put(.journal, wrong, row ?? [])
            }
            let check = try await JournalCheck(record.journal)
            #expect(check.findings.map(\.table) == [.journal])
            try await record.journal.engine.write { rows throws(StorageError) in
                try rows.remove(.journal, wrong)
            }
        }
        #expect(try await JournalCheck(record.journal).findings.isEmpty)
        let document = learnings[0].document.evidence.digest
        try await record.journal.engine.write { rows throws(StorageError) in
            try rows.remove(.evidence, document.bytes)
        }
        let check = try await JournalCheck(record.journal)
        #expect(check.findings.map(\.table).contains(.evidence))
        #expect(check.findings.first?.text.contains("\(document)") == true)
    }

    @Test(
        "Nothing is made anew from a book that is damaged itself",
        arguments: [
            StorageTable.statements, .rules, .claims,
        ]
    )
    func noReplayOfDamage(table: StorageTable) async throws {
        let lives = try Self.lives()
        let record = try await Record.begin(at: lives.end)
        try await record.learn(lives.arrivals.flatMap { try record.learnings($0.bytes) })
        let state = try await record.state()
        try await record.journal.engine.write { rows throws(StorageError) in
            for row in try rows.rows(table, StorageRange()) { try rows.remove(table, row.key) }
        }
        await #expect(throws: StorageError.self) { try await JournalReplay(record.journal) }
        #expect(try await record.state() == state)
        #expect(try await !JournalCheck(record.journal).findings.isEmpty)
    }

    @Test(
        "A real transaction of an app that is not configured is not recorded beside a rehearsal",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func onlyConfigured() async throws {
        let record = try await Record.begin(at: Record.instant("2026-03-01T10:00:00Z"))
        for name in Corpus.names(in: "transactions", ending: ".jws") where name.contains("/apple-")
        {
            let bytes = try Corpus.bytes(name)
            let refusal = try #require(throws: IntakeRefusal.self) {
                try record.learnings(bytes)
            }
            #expect(refusal.code == "app.not_configured", "\(name)")
        }
    }

    @Test("The worker tells what the clock does without being asked")
    func worker() async throws {
        let lives = try Self.lives()
        let record = try await Record.begin(at: lives.start)
        for arrival in lives.arrivals {
            record.clock.advance(to: arrival.at)
            try await record.learn(record.learnings(arrival.bytes))
        }
        record.clock.advance(to: lives.end.advanced(by: .seconds(400 * 86_400)))
        let worker = ClockWorker(record.journal, interval: .milliseconds(5)) { error in
            Issue.record("\(error)")
        }
        let running = Task { await worker.run() }
        for _ in 0..<400 {
            try await Task.sleep(for: .milliseconds(10))
            let isOver = try await record.state().values.allSatisfy { $0.nextChangeAt == nil }
            if isOver { break }
        }
        running.cancel()
        await running.value
        let now = record.clock.now
        for (lineage, state) in try await record.state() {
            let standing = try await record.journal.reader.standing(of: lineage, at: now)
            #expect(standing?.answer == state.answer)
        }
        #expect(try await JournalCheck(record.journal).findings.isEmpty)
    }
}

/// Keeps rows in memory, and refuses one document.
private final class PickyEngine: StorageEngine {
    private let engine = MemoryEngine()
    private let refused = Mutex<[UInt8]>([])

    func refuse(_ digest: SHA256Digest) { refused.withLock { $0 = digest.bytes } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReader) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result { try await engine.read(body) }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let refused = refused.withLock { $0 }
        return try await engine.write { writer throws(StorageError) in
            try body(PickyWriter(writer: writer, refused: refused))
        }
    }

    func statistics() async throws(StorageError) -> StorageStatistics {
        try await engine.statistics()
    }

    func close() async { await engine.close() }

    private struct PickyWriter: StorageWriter {
        let writer: any StorageWriter
        let refused: [UInt8]

        func value(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
            try writer.value(table, key)
        }

        func rows(
            _ table: StorageTable,
            _ range: StorageRange
        ) throws(StorageError) -> [StorageRow] { try writer.rows(table, range) }

        func put(
            _ table: StorageTable,
            _ key: [UInt8],
            _ value: [UInt8]
        ) throws(StorageError) {
            guard key != refused else {
                throw StorageError(StorageError.tooLarge, "this engine does not like it")
            }
            try writer.put(table, key, value)
        }

        func remove(_ table: StorageTable, _ key: [UInt8]) throws(StorageError) {
            try writer.remove(table, key)
        }
    }
}
