import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport
import Testing

@Suite("Copies of a database", .serialized)
struct BackupTests {
    @Test("While a journal is written, each copy is a whole journal of one moment")
    func whileWriting() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(path: folder.path("journal.db"))
        let journal = try await Record.begin(at: JournalSample.now, in: engine).journal
        let learnings = try await JournalSample.learnings(80)
        async let written: Void = {
            for learning in learnings { _ = try await journal.writer.learn(learning) }
        }()
        var moments: [ClosedRange<UInt64>] = []
        for number in 0..<5 {
            let before = try await journal.reader.head().position.rawValue
            try await engine.backUp(to: folder.path("copy-\(number).db"))
            moments.append(before...(try await journal.reader.head().position.rawValue))
        }
        try await written
        await engine.close()
        for (number, moment) in moments.enumerated() {
            let path = folder.path("copy-\(number).db")
            #expect(try permissions(of: path) == 0o600)
            try await JournalSample.withJournal(in: path) { copy in
                #expect(try await JournalCheck(copy).findings.isEmpty)
                #expect(moment.contains(try await copy.reader.head().position.rawValue))
                // It is a journal like any other, and goes on.
                for learning in learnings { _ = try await copy.writer.learn(learning) }
                #expect(try await copy.reader.head().position.rawValue == 81)
            }
        }
    }

    @Test("A database that another process writes is copied as well")
    func ofAnotherProcess() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let process = try WritingProcess([
            "database": path, "documents": try JournalSample.write(to: folder), "count": "30",
            "stays": "",
        ])
        process.wait(forLines: 12)
        let engine = try await SQLiteEngine(path: path, .reading)
        try await engine.backUp(to: folder.path("copy.db"))
        await engine.close()
        process.wait(forLines: 32)
        process.waitUntilExit()
        #expect(process.kept.count == 30)
        try await JournalSample.withJournal(in: folder.path("copy.db")) { copy in
            let check = try await JournalCheck(copy)
            #expect(check.findings.isEmpty && check.entries > 10)
        }
    }

    @Test("No file is overwritten, and where none can be, that is told; nothing is left behind")
    func refused() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(path: folder.path("journal.db"))
        let other = try folder.write("other", "mine")
        #expect(
            await JournalSample.code { try await engine.backUp(to: other) }
                == StorageError.targetExists
        )
        #expect(try folder.text("other") == "mine")
        let nowhere = folder.path("none/copy.db")
        #expect(
            await JournalSample.code { try await engine.backUp(to: nowhere) }
                == StorageError.cannotOpen
        )
        await engine.close()
        let closed = await JournalSample.code {
            try await engine.backUp(to: folder.path("copy.db"))
        }
        #expect(closed == StorageError.closed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["journal.db", "journal.db-writer", "other"])
    }

    @Test("A damaged database gives no copy")
    func damaged() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(10)
        try await JournalSample.withJournal(in: path) { journal in
            for learning in learnings { _ = try await journal.writer.learn(learning) }
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // The second page is the root of a table.
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        try file.close()
        let engine = try await SQLiteEngine(path: path, .reading)
        let copy = folder.path("copy.db")
        #expect(
            await JournalSample.code { try await engine.backUp(to: copy) } == StorageError.damaged
        )
        #expect(!FileManager.default.fileExists(atPath: copy))
        await engine.close()
        #expect(
            await JournalSample.code { try await SQLiteEngine(path: path) } == StorageError.damaged
        )
    }

    private func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
