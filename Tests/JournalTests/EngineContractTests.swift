import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import Testing

/// An engine, and where it keeps its rows.
enum EngineKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    /// Opens an engine without rows, lends it, and closes it.
    func withEngine(_ body: (any StorageEngine) async throws -> Void) async throws {
        switch self {
        case .memory:
            let engine = MemoryEngine()
            try await body(engine)
            await engine.close()
        case .sqlite:
            let folder = try Folder()
            let engine = try await SQLiteEngine(path: folder.path + "/journal.db")
            try await body(engine)
            await engine.close()
        }
    }
}

/// What every engine promises.
@Suite("Engines", .serialized)
struct EngineContractTests {
    private static func key(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("What is written is read, replaced and taken out", arguments: EngineKind.allCases)
    func rows(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.claims, Self.key("a"), [1, 2, 3])
                try writer.put(.claims, Self.key("b"), [])
                try writer.put(.events, Self.key("a"), [9])
            }
            let found = try await engine.read { (reader) throws(StorageError) in
                [
                    try reader.value(.claims, Self.key("a")),
                    try reader.value(.claims, Self.key("b")),
                    try reader.value(.events, Self.key("a")),
                    try reader.value(.events, Self.key("b")), try reader.value(.claims, []),
                ]
            }
            #expect(found == [[1, 2, 3], [], [9], nil, nil])
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.claims, Self.key("a"), [4])
                try writer.remove(.claims, Self.key("b"))
                try writer.remove(.claims, Self.key("none"))
            }
            let rest = try await engine.read { (reader) throws(StorageError) in
                try reader.rows(.claims, StorageRange())
            }
            #expect(rest == [StorageRow(key: Self.key("a"), value: [4])])
        }
    }

    @Test("Ranges are in the order of the keys' bytes", arguments: EngineKind.allCases)
    func ranges(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            let keys: [[UInt8]] = [
                [0], [0, 0], [1], [1, 0xFF], [1, 0xFF, 0xFF], [2], [0xFF], [],
            ]
            try await engine.write { (writer) throws(StorageError) in
                for key in keys.reversed() { try writer.put(.aliases, key, key) }
            }
            func found(_ range: StorageRange) async throws -> [[UInt8]] {
                try await engine.read { (reader) throws(StorageError) in
                    try reader.rows(.aliases, range).map(\.key)
                }
            }
            let sorted: [[UInt8]] = [
                [], [0], [0, 0], [1], [1, 0xFF], [1, 0xFF, 0xFF], [2], [0xFF],
            ]
            #expect(try await found(StorageRange()) == sorted)
            #expect(try await found(StorageRange(isDescending: true)) == sorted.reversed())
            #expect(try await found(StorageRange(from: [1], upTo: [2])) == Array(sorted[3...5]))
            #expect(try await found(StorageRange(from: [1], limit: 2)) == Array(sorted[3...4]))
            #expect(
                try await found(StorageRange(upTo: [2], isDescending: true, limit: 1))
                    == [[1, 0xFF, 0xFF]]
            )
            #expect(
                try await found(StorageRange(beginningWith: [1, 0xFF])) == Array(sorted[4...5])
            )
            #expect(try await found(StorageRange(beginningWith: [0xFF])) == [[0xFF]])
            #expect(try await found(StorageRange(from: [2], upTo: [1])).isEmpty)
        }
    }

    @Test("A body that throws has changed nothing", arguments: EngineKind.allCases)
    func rollback(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.journal, Self.key("0"), [0])
                try writer.put(.claims, Self.key("0"), [0])
            }
            await #expect(throws: StorageError.self) {
                try await engine.write { (writer) throws(StorageError) in
                    try writer.put(.journal, Self.key("1"), [1])
                    try writer.put(.journal, Self.key("1"), [2])
                    try writer.put(.journal, Self.key("0"), [9])
                    try writer.remove(.claims, Self.key("0"))
                    // A writer reads what it wrote.
                    guard try writer.value(.journal, Self.key("1")) == [2],
                        try writer.value(.claims, Self.key("0")) == nil
                    else { return }
                    throw StorageError(StorageError.full, "no room")
                }
            }
            let found = try await engine.read { (reader) throws(StorageError) in
                try reader.rows(.journal, StorageRange()) + reader.rows(.claims, StorageRange())
            }
            #expect(
                found == [
                    StorageRow(key: Self.key("0"), value: [0]),
                    StorageRow(key: Self.key("0"), value: [0]),
                ]
            )
        }
    }

    @Test("Many writers at once write one after the other", arguments: EngineKind.allCases)
    func writers(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            let count = Soak.size(50, soak: 2_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await engine.write { (writer) throws(StorageError) in
                            let last = try writer.value(.properties, Self.key("count")) ?? [0, 0]
                            let number = Int(last[0]) << 8 + Int(last[1]) + 1
                            let next = [UInt8(number >> 8), UInt8(number & 0xFF)]
                            try writer.put(.properties, Self.key("count"), next)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await engine.read { (reader) throws(StorageError) in
                try reader.value(.properties, Self.key("count"))
            }
            #expect(found == [UInt8(count >> 8), UInt8(count & 0xFF)])
        }
    }

    @Test("After it was closed nothing is read or written", arguments: EngineKind.allCases)
    func closed(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            await engine.close()
            await #expect(throws: StorageError.self) {
                try await engine.read { (reader) throws(StorageError) in
                    try reader.value(.journal, [])
                }
            }
            await #expect(throws: StorageError.self) {
                try await engine.write { (writer) throws(StorageError) in
                    try writer.put(.journal, [], [])
                }
            }
        }
    }
}

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
