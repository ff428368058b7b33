import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport
import Testing

/// A small disk of the system's; its files are gone with it.
final class SmallDisk {
    private static let mount = OutsideProgram(path: "/usr/bin/mount")
    private static let unmount = OutsideProgram(path: "/usr/bin/umount")
    private let folder: Folder

    /// Whether this user may make one.
    static let isPermitted = (try? SmallDisk(kibibytes: 64)) != nil

    init(kibibytes: Int) throws {
        folder = try Folder()
        let options = ["-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", folder.path]
        guard try Self.mount.run(options).succeeded else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit { _ = try? Self.unmount.run([folder.path]) }

    func path(_ name: String) -> String { folder.path(name) }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Takes all room that is left.
    func fill() throws {
        let ballast = try folder.handle("ballast")
        // In ever smaller pieces, so that not even a page is left.
        for size in [65_536, 4_096, 1] {
            while (try? ballast.write(contentsOf: Data(count: size))) != nil {}
        }
        try ballast.close()
    }

    func makeRoom() throws { try FileManager.default.removeItem(atPath: path("ballast")) }
}

extension StorageFaultTests {
    @Test(
        "On a disk that fills up, what does not fit is told, and learned once there is room",
        .enabled(if: SmallDisk.isPermitted, "this user may not mount a disk")
    )
    func smallDisk() async throws {
        let disk = try SmallDisk(kibibytes: 8_192)
        let path = disk.path("journal.db")
        let learnings = try await JournalSample.learnings(120)
        let kept = try await JournalSample.withJournal(in: path) { journal in
            var kept = try await Self.learnAll(learnings[..<10], journal)
            try disk.fill()
            kept += try await Self.learnUntilFull(learnings[10...], journal)
            try disk.makeRoom()
            return try await kept + Self.learnAll(learnings[kept.count...], journal)
        }
        #expect(kept.count == learnings.count)
        try await JournalSample.expectWhole(path, holding: kept)
        // Opening it needs room too.
        try disk.fill()
        #expect(
            await JournalSample.code { try await SQLiteEngine(path: path) } == StorageError.full
        )
        try disk.makeRoom()
        try await JournalSample.expectWhole(path, holding: kept)
    }

    @Test("Where no file can grow it is the same")
    func nothingGrows() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(60)
        let kept = try await JournalSample.withJournal(in: path, options: FaultyDisk.options) {
            journal in
            FaultyDisk.fail(.grow, .isFull, after: 400, times: .max)
            let kept = try await Self.learnUntilFull(learnings[...], journal)
            FaultyDisk.heal()
            return try await kept + Self.learnAll(learnings[kept.count...], journal)
        }
        try await JournalSample.expectWhole(path, holding: kept)
    }

    @Test("A copy that finds no room is told, and nothing is left of it")
    func copyWithoutRoom() async throws {
        let folder = try Folder()
        let engine = try await SQLiteEngine(
            path: folder.path("journal.db"),
            options: FaultyDisk.options
        )
        FaultyDisk.fail(.grow, .isFull, after: 4, times: .max)
        let code = await JournalSample.code { try await engine.backUp(to: folder.path("copy.db")) }
        FaultyDisk.heal()
        #expect(code == StorageError.full)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix("copy.db") })
        try await engine.backUp(to: folder.path("copy.db"))
        await engine.close()
    }

    private typealias Kept = [(learning: Learning, position: Position)]

    /// Learns until it is told that there is no room, which it is then told again, and the journal
    /// can be read all the while.
    private static func learnUntilFull(
        _ learnings: ArraySlice<Learning>,
        _ journal: OpenJournal
    ) async throws -> Kept {
        var kept: Kept = []
        var head = try await journal.reader.head().position
        for learning in learnings {
            do throws(StorageError) {
                head = try await journal.writer.learn(learning).position
                kept.append((learning, head))
            } catch {
                #expect(error.code == StorageError.full && error.isWorthRepeating, "\(error)")
                let stayed = try await journal.reader.head().position
                #expect(stayed == head)
                let again = await JournalSample.code { try await journal.writer.learn(learning) }
                #expect(again == StorageError.full)
                return kept
            }
        }
        Issue.record("there was room for everything")
        return kept
    }

    private static func learnAll(
        _ learnings: some Sequence<Learning>,
        _ journal: OpenJournal
    ) async throws -> Kept {
        var kept: Kept = []
        for learning in learnings {
            kept.append((learning, try await journal.writer.learn(learning).position))
        }
        return kept
    }
}
