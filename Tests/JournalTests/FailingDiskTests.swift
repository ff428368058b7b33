import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport
import Testing

extension StorageFaultTests {
    /// A kind of failure, and the codes that it is told by.
    struct Fault: CustomTestStringConvertible {
        let operations: FaultyDisk.Operations
        let failure: FaultyDisk.Failure
        let code: ErrorCode
        let testDescription: String
    }

    static let faults = [
        Fault(
            operations: .sync,
            failure: .fails,
            code: StorageError.inputOutput,
            testDescription: "a sync fails"
        ),
        Fault(
            operations: .write,
            failure: .fails,
            code: StorageError.inputOutput,
            testDescription: "a write fails"
        ),
        Fault(
            operations: .write,
            failure: .fallsShort,
            code: StorageError.inputOutput,
            testDescription: "a write falls short"
        ),
        Fault(
            operations: .write,
            failure: .isFull,
            code: StorageError.full,
            testDescription: "the disk is full"
        ),
    ]

    @Test(
        "Whichever sync or write of a commit fails, it is told, nothing is kept, and the same succeeds afterwards",
        arguments: faults
    )
    func everyOperation(fault: Fault) async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(60)
        var kept: [(learning: Learning, position: Position)] = []
        var refusals = 0
        try await JournalSample.withJournal(in: path, options: FaultyDisk.options) { journal in
            var well = 0
            for learning in learnings {
                let head = try await journal.reader.head()
                FaultyDisk.fail(fault.operations, fault.failure, after: well)
                do throws(StorageError) {
                    let committed = try await journal.writer.learn(learning)
                    // The whole commit has fewer operations than that.
                    if FaultyDisk.failed == 0 { well = -1 }
                    kept.append((learning, committed.position))
                } catch {
                    refusals += 1
                    #expect(error.code == fault.code, "\(error)")
                    #expect(FaultyDisk.failed == 1)
                    #expect(try await journal.reader.head() == head)
                }
                FaultyDisk.heal()
                let committed = try await journal.writer.learn(learning)
                kept.append((learning, committed.position))
                well += 1
            }
        }
        #expect(refusals > 1)
        #expect(kept.map(\.position.rawValue).max() == UInt64(learnings.count + 1))
        try await JournalSample.expectWhole(path, holding: kept)
    }

    @Test("However often a disk fails, what was told to be kept is there, and the rest is told")
    func campaign() async throws {
        for seed in 1...UInt64(Soak.size(3, soak: 100)) {
            var random = SeededRandom(seed: seed)
            let folder = try Folder()
            let path = folder.path("journal.db")
            let learnings = try await JournalSample.learnings(Soak.size(120, soak: 400))
            var kept: [(learning: Learning, position: Position)] = []
            try await JournalSample.withJournal(in: path, options: FaultyDisk.options) { journal in
                for (number, learning) in learnings.enumerated() {
                    FaultyDisk.fail(
                        .changes,
                        FaultyDisk.Failure.allCases.randomElement(using: &random) ?? .fails,
                        after: Int.random(in: 0..<60, using: &random),
                        times: Int.random(in: 1...20, using: &random)
                    )
                    if number % 16 == 15 { FaultyDisk.carryOver(path) }
                    guard let committed = try? await journal.writer.learn(learning) else {
                        continue
                    }
                    kept.append((learning, committed.position))
                }
                // The log stays beside the database when it cannot be carried over at the end.
                FaultyDisk.fail(.changes, after: 3, times: .max)
            }
            FaultyDisk.heal()
            #expect(kept.count > learnings.count / 4)
            try await JournalSample.expectWhole(path, holding: kept, "seed \(seed)")
        }
    }

    @Test("A database that cannot be read is told to be so, and is read again afterwards")
    func reading() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(20)
        try await JournalSample.withJournal(in: path) { journal in
            for learning in learnings { _ = try await journal.writer.learn(learning) }
        }
        let engine = try await SQLiteEngine(path: path, .reading, options: FaultyDisk.options)
        FaultyDisk.fail(.read, times: .max)
        let code = await JournalSample.code {
            try await engine.read { (rows) throws(StorageError) in
                try rows.rows(.evidenceBytes, StorageRange())
            }
        }
        #expect(code == StorageError.inputOutput)
        FaultyDisk.heal()
        let found = try await engine.read { (rows) throws(StorageError) in
            try rows.rows(.evidenceBytes, StorageRange()).count
        }
        #expect(found >= learnings.count)
        await engine.close()
    }
}
