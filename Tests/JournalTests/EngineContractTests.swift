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

    @Test("What is there stays as it is when it is added again", arguments: EngineKind.allCases)
    func additions(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            let added = try await engine.write { (writer) throws(StorageError) in
                try writer.put(.claims, Self.key("a"), [1])
                return [
                    try writer.putIfAbsent(.claims, Self.key("a"), [2]),
                    try writer.putIfAbsent(.claims, Self.key("b"), [3]),
                    try writer.putIfAbsent(.claims, Self.key("b"), [4]),
                    try writer.putIfAbsent(.journal, Self.key("b"), [5]),
                ]
            }
            #expect(added == [false, true, false, true])
            let found = try await engine.read { (reader) throws(StorageError) in
                try (reader.rows(.claims, StorageRange()) + reader.rows(.journal, StorageRange()))
                    .map(\.value)
            }
            #expect(found == [[1], [3], [5]])
        }
    }

    @Test("Rows and their bytes are counted", arguments: EngineKind.allCases)
    func statistics(kind: EngineKind) async throws {
        try await kind.withEngine { engine in
            try await engine.write { (writer) throws(StorageError) in
                try writer.put(.claims, Self.key("abc"), [1])
                try writer.put(.claims, Self.key("de"), Array(repeating: 7, count: 5_000))
                try writer.put(.lineages, Self.key("f"), [])
            }
            let statistics = try await engine.statistics()
            #expect(Set(statistics.tables.keys) == Set(StorageTable.allCases))
            for (table, size) in statistics.tables {
                let expected: (Int, Int, Int) =
                    switch table {
                    case .claims: (2, 5, 5_001)
                    case .lineages: (1, 1, 0)
                    default: (0, 0, 0)
                    }
                #expect((size.rows, size.keyBytes, size.valueBytes) == expected, "\(table)")
            }
            #expect((statistics.files == nil) == (kind == .memory))
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
