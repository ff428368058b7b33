import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import Testing

@Suite("SQLite")
struct SQLiteTests {
    private static func error(opening path: String) async -> ErrorCode? {
        do {
            await (try SQLiteEngine(path: path)).close()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A database and the files beside it are for their owner alone")
    func ownersOnly() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(path: folder.path + "/journal.db")
        try await engine.write { (writer) throws(StorageError) in
            try writer.put(.persons, [1], [2])
        }
        for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(folder.path)/\(name)"
            )
            #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(name)")
        }
        await engine.close()
    }

    @Test("What was written is there when it is opened again")
    func reopened() async throws {
        let folder = try Folder()
        let path = folder.path + "/journal.db"
        let first = try await SQLiteEngine(path: path)
        try await first.write { (writer) throws(StorageError) in
            try writer.put(.journal, [1], [2])
        }
        await first.close()
        let second = try await SQLiteEngine(path: path)
        let found = try await second.read { (reader) throws(StorageError) in
            try reader.value(.journal, [1])
        }
        #expect(found == [2])
        await second.close()
    }

    @Test(
        "A file that is no database of ours, damaged, or where none can be, is refused by its code"
    )
    func refused() async throws {
        let folder = try Folder()
        let text = try folder.write("text.db", Array(repeating: 0x41, count: 8192))
        #expect(await Self.error(opening: text) == StorageError.damaged)
        #expect(
            await Self.error(opening: folder.path + "/none/journal.db") == StorageError.cannotOpen
        )
        let path = folder.path + "/journal.db"
        #expect(await Self.error(opening: path) == nil)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The layout's number in the header (SQLite, "Database File Format", offset 60).
        bytes[63] = 200
        let newer = try folder.write("newer.db", Array(bytes))
        #expect(await Self.error(opening: newer) == StorageError.tooNew)
        // The application's number (offset 68).
        bytes[63] = 1
        bytes[68] = 1
        let foreign = try folder.write("foreign.db", Array(bytes))
        #expect(await Self.error(opening: foreign) == StorageError.damaged)
    }

    @Test("A database of another program is refused and left as it is")
    func foreign() async throws {
        let folder = try Folder()
        let path = folder.path + "/other.db"
        let made = Process()
        made.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        made.arguments = [
            "python3", "-c",
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('CREATE TABLE t (a)');"
                + " d.commit()", path,
        ]
        try made.run()
        made.waitUntilExit()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(await Self.error(opening: path) == StorageError.damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("Opening and closing many leaves no thread behind")
    func threads() async throws {
        let folder = try Folder()
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        }
        func use(_ number: Int) async throws {
            let engine = try await SQLiteEngine(path: folder.path + "/\(number).db")
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.journal, [1], [1])
            }
            await engine.close()
        }
        try await use(0)
        let before = try count()
        for number in 1...20 { try await use(number) }
        // A thread ends a moment after its last job.
        for _ in 0..<200 where try count() > before + 4 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try count() <= before + 4)
    }

    @Test("The sizes of the files and the pages that are free again are told")
    func files() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let engine = try await SQLiteEngine(path: path)
        try await engine.write { (writer) throws(StorageError) in
            for number in UInt8(0)..<100 {
                try writer.put(.claims, [number], Array(repeating: number, count: 4_000))
            }
        }
        let full = try #require(try await engine.statistics().files)
        #expect(full.logBytes > 400_000 && full.freePages == 0)
        try await engine.write { (writer) throws(StorageError) in
            for number in UInt8(0)..<100 { try writer.remove(.claims, [number]) }
        }
        await engine.close()
        let again = try await SQLiteEngine(path: path)
        let empty = try #require(try await again.statistics().files)
        #expect(empty.freePages >= 100 && empty.mainBytes == empty.pages * empty.pageBytes)
        await again.close()
    }

    @Test("Somebody who reads for long keeps out no other reader, and no writer")
    func longReader() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(path: folder.path("journal.db"))
        let begun = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        async let long = engine.read { (reader) throws(StorageError) in
            let before = try reader.rows(.journal, StorageRange())
            begun.signal()
            end.wait()
            return (before, try reader.rows(.journal, StorageRange()))
        }
        await Self.wait(for: begun)
        try await engine.write { (writer) throws(StorageError) in
            try writer.put(.journal, [1], [2])
        }
        // More often than there are connections.
        for _ in 0..<20 {
            let found = try await engine.read { (reader) throws(StorageError) in
                try reader.value(.journal, [1])
            }
            #expect(found == [2])
        }
        end.signal()
        let (before, after) = try await long
        #expect(before.isEmpty && after.isEmpty)
        await engine.close()
    }

    @Test("Who waits for a connection to read gets one, or is told that all are closed")
    func queue() async throws {
        let folder = try Folder()
        var options = SQLiteEngine.Options()
        options.readers = 2
        let engine = try await SQLiteEngine(path: folder.path("journal.db"), options: options)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await engine.read { (reader) throws(StorageError) in
                        usleep(1_000)
                        return try reader.rows(.journal, StorageRange()).count
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 50)
        await engine.close()
        let code = await JournalSample.code {
            try await engine.read { (reader) throws(StorageError) in
                try reader.value(.journal, [])
            }
        }
        #expect(code == StorageError.closed)
    }

    /// Waits on a thread that no task needs.
    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("A reader sees the rows as they were at one moment, and waits for no writer")
    func snapshot() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(path: folder.path + "/journal.db")
        try await engine.write { (writer) throws(StorageError) in
            try writer.put(.journal, [1], [1])
        }
        let engineForReading = engine
        async let counts = engineForReading.read { (reader) throws(StorageError) in
            var counts: [Int] = []
            for _ in 0..<50 { counts.append(try reader.rows(.journal, StorageRange()).count) }
            return counts
        }
        for number in UInt8(2)...20 {
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.journal, [number], [number])
            }
        }
        #expect(try await Set(counts).count == 1)
        await engine.close()
    }
}
