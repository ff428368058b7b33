import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport
import Testing

/// Documents to learn, and journals to learn them into.
enum JournalSample {
    /// After all documents of the sample.
    static let now = Record.instant("2030-01-01T00:00:00Z")

    /// What arrived in a life, each document once.
    static let documents = Result {
        var known: Set<[UInt8]> = []
        return try Lives(seed: 11, steps: 400, faults: .none).arrivals.map(\.bytes)
            .filter { known.insert($0).inserted }
    }

    /// What the first documents teach.
    static func learnings(_ count: Int) async throws -> [Learning] {
        let prover = try await Record.begin(at: now)
        return try documents.get().prefix(count).flatMap { try prover.learnings($0) }
    }

    /// Writes the documents, and whom to trust for them, for another process.
    static func write(to folder: Folder) throws -> String {
        try folder.write("documents/anchors.pem", Record.authority.get().anchorsPEM)
        for (number, document) in try documents.get().enumerated() {
            let name = String(10_000 + number)
            try folder.write("documents/\(name)", document)
        }
        return folder.path("documents")
    }

    /// Opens a journal in a database, lends it, and closes it.
    static func withJournal<Result>(
        in path: String,
        options: SQLiteEngine.Options = SQLiteEngine.Options(),
        _ body: (OpenJournal) async throws -> Result
    ) async throws -> Result {
        let engine = try await SQLiteEngine(path: path, options: options)
        do {
            let result = try await body(try await Record.begin(at: now, in: engine).journal)
            await engine.close()
            return result
        } catch {
            await engine.close()
            throw error
        }
    }

    /// The code that something is refused by; nil where it is not.
    static func code<Result>(of body: () async throws -> Result) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? any CodedError)?.code
        }
    }

    /// Opens a journal again, expects it to be whole and to hold what was told to be kept, and that
    /// it goes on.
    static func expectWhole(
        _ path: String,
        holding kept: [(learning: Learning, position: Position)],
        _ comment: @autoclosure () -> Comment = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withJournal(in: path) { journal in
            let check = try await JournalCheck(journal)
            #expect(check.findings.isEmpty, comment(), sourceLocation: sourceLocation)
            for (learning, position) in kept {
                let again = try await journal.writer.learn(learning)
                let isThere = again.wasKnown && again.position == position
                #expect(isThere, comment(), sourceLocation: sourceLocation)
            }
        }
    }
}
