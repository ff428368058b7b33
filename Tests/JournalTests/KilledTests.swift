import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import RecordTestSupport
import Testing

/// A process that writes a journal is killed; another one opens it.
@Suite("A writer that is killed", .serialized)
struct KilledTests {
    @Test("Killed at any moment, everything that it said to be kept is there, and it goes on")
    func anyMoment() async throws {
        var random = SeededRandom(seed: 5)
        let folder = try Folder()
        let documents = try JournalSample.write(to: folder)
        let proved = try Proved()
        var sum = 0
        for journal in 0..<Soak.size(4, soak: 40) {
            let path = folder.path("journal-\(journal).db")
            for round in 0..<5 {
                let process = try WritingProcess([
                    "database": path, "documents": documents, "count": "30",
                    "first": "\(journal % 4 * 100 + round * 20)",
                ])
                // The first lines are said before the first document is learned.
                process.wait(forLines: 2 + Int.random(in: 0..<28, using: &random))
                usleep(UInt32.random(in: 0..<4_000, using: &random))
                process.kill()
                #expect(process.refusals.isEmpty)
                try await Self.expect(process.kept, proved, in: path, "round \(round)")
                sum += process.kept.count
            }
        }
        #expect(sum > 100)
    }

    @Test("Killed by any write, sync, cut or removal from opening to closing, it is the same")
    func anyOperation() async throws {
        let folder = try Folder()
        let documents = try JournalSample.write(to: folder)
        let proved = try Proved()
        var well = 0
        var isKilled = true
        var seen = 0
        while isKilled {
            let path = folder.path("journal-\(well).db")
            let process = try WritingProcess([
                "database": path, "documents": documents, "count": "6", "well": "\(well)",
            ])
            isKilled = process.waitUntilExit()
            #expect(process.refusals.isEmpty)
            try await Self.expect(process.kept, proved, in: path, "operation \(well)")
            seen = well
            well += Soak.size(9, soak: 1)
        }
        #expect(seen > 50)
    }

    /// What documents teach, each proved once.
    private final class Proved {
        private let documents: [[UInt8]]
        private var learnings: [String: Learning] = [:]

        init() throws { documents = try JournalSample.documents.get() }

        func learning(_ name: String) async throws -> Learning {
            if let known = learnings[name] { return known }
            let number = try #require(Int(name)) - 10_000
            let prover = try await Record.begin(at: JournalSample.now)
            let learning = try #require(try prover.learnings(documents[number]).first)
            learnings[name] = learning
            return learning
        }
    }

    /// Expects a journal to be whole, and each document where it was said to be.
    private static func expect(
        _ kept: [WritingProcess.Kept],
        _ proved: Proved,
        in path: String,
        _ comment: Comment
    ) async throws {
        var learned: [(learning: Learning, position: Position)] = []
        for one in kept {
            let position = Position(rawValue: one.position)
            learned.append((try await proved.learning(one.document), position))
        }
        try await JournalSample.expectWhole(path, holding: learned, comment)
    }
}
