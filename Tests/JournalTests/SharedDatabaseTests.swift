import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport
import Testing

/// A database that others use too, or that may not be written.
@Suite("A database of several processes", .serialized)
struct SharedDatabaseTests {
    private static func options(patience: Duration) -> SQLiteEngine.Options {
        var options = SQLiteEngine.Options()
        options.patience = patience
        return options
    }

    @Test("While one process writes it, others read it, and a second writer is refused")
    func secondWriter() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let first = try WritingProcess([
            "database": path, "documents": try JournalSample.write(to: folder), "count": "10",
            "stays": "",
        ])
        first.wait(forLines: 12)
        #expect(first.kept.count == 10)
        let options = Self.options(patience: .milliseconds(50))
        do throws(StorageError) {
            await (try SQLiteEngine(path: path, options: options)).close()
            Issue.record("two processes write it")
        } catch {
            #expect(error.code == StorageError.busy && error.isWorthRepeating)
            #expect(error.reason.contains("number \(first.number)"))
        }
        let reading = try await SQLiteEngine(path: path, .reading)
        let journal = try #require(try await OpenJournal(existingIn: reading))
        #expect(
            try await journal.reader.head().position.rawValue == first.kept.map(\.position).max()
        )
        #expect(try await JournalCheck(journal).findings.isEmpty)
        #expect(
            await JournalSample.code { try await journal.writer.tellTime() }
                == StorageError.readOnly
        )
        await reading.close()
        first.waitUntilExit()
        await (try SQLiteEngine(path: path, options: options)).close()
    }

    @Test("Who has patience waits until the first writer ends, even by a kill")
    func patience() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let first = try WritingProcess(["database": path, "stays": ""])
        first.wait(forLines: 2)
        async let second = SQLiteEngine(path: path, options: Self.options(patience: .seconds(60)))
        try await Task.sleep(for: .milliseconds(100))
        first.kill()
        await (try await second).close()
    }

    @Test(
        "Where another program locks it for longer than the patience, that is told, and it is read",
        .enabled(if: OutsideProgram.python != nil)
    )
    func locked() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(2)
        let options = Self.options(patience: .milliseconds(50))
        try await JournalSample.withJournal(in: path, options: options) { journal in
            _ = try await journal.writer.learn(learnings[0])
            let lock = try ForeignLock(on: path)
            let code = await JournalSample.code { try await journal.writer.learn(learnings[1]) }
            #expect(code == StorageError.busy)
            #expect(try await journal.reader.head().position == Position(rawValue: 2))
            lock.release()
            #expect(
                try await journal.writer.learn(learnings[1]).position == Position(rawValue: 3)
            )
        }
    }

    /// Another program that has a transaction open.
    private final class ForeignLock {
        private static let script = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1], isolation_level=None)
            d.execute('BEGIN IMMEDIATE')
            print('locked', flush=True)
            sys.stdin.read()
            """
        private let process = Process()
        private let leash = Pipe()

        init(on path: String) throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: try #require(OutsideProgram.python).path)
            process.arguments = ["-c", Self.script, path]
            process.standardInput = leash
            process.standardOutput = output
            try process.run()
            // It says so as soon as it is locked, and nothing else.
            #expect(!output.fileHandleForReading.availableData.isEmpty)
        }

        func release() {
            try? leash.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test("A file or a folder that may only be read is told to be so, and nothing else happens")
    func readOnly() async throws {
        let folder = try Folder()
        let home = folder.path("home")
        let path = home + "/journal.db"
        try folder.write("home/empty", "")
        let learnings = try await JournalSample.learnings(5)
        try await JournalSample.withJournal(in: path) { journal in
            for learning in learnings { _ = try await journal.writer.learn(learning) }
        }
        let documents = try JournalSample.write(to: folder)
        func allow(_ folder: Int16, _ file: Int16, _ lock: Int16 = 0o666) throws {
            let modes = [home: folder, path: file, path + "-writer": lock]
            for (path, mode) in modes {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
        }
        func said() throws -> [Substring] {
            var arguments = ["database": path, "documents": documents, "count": "6"]
            // The superuser may do everything.
            if geteuid() == 0 { arguments["user"] = "65534" }
            let process = try WritingProcess(arguments)
            process.waitUntilExit()
            return Array(process.lines.dropFirst())
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for (folder, file, lock): (Int16, Int16, Int16) in [
            (0o777, 0o444, 0o666), (0o555, 0o666, 0o444), (0o555, 0o444, 0o444),
        ] {
            try allow(folder, file, lock)
            let lines = try said()
            #expect(lines.count == 1 && lines[0].hasPrefix("refused storage.read_only"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
        try allow(0o777, 0o666)
        let kept = try said().count { $0.hasPrefix("kept") }
        #expect(kept == 6)
        try await JournalSample.expectWhole(
            path,
            holding: learnings.enumerated().map { ($1, Position(rawValue: UInt64($0) + 2)) }
        )
    }
}
