import AppStoreSimulator
import CSQLiteFaults
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import Ledger
import RecordTestSupport
import Testing

/// A small database of a layout, kept as SQL in `Tests/Databases`, and what it answered.
///
/// Its documents were signed by a local App Store whose keys nobody has any more.
struct KeptDatabase {
    let layout: Int

    private static let folder = BuiltProgram.package.appendingPathComponent("Tests/Databases")

    /// The layouts of which there is one.
    static let layouts =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .compactMap { name in
            name.wholeMatch(of: #/layout-([0-9]+)\.sql/#).flatMap { Int($0.1) }
        }
        .sorted()

    private func text(_ suffix: String) throws -> String {
        let url = Self.folder.appendingPathComponent("layout-\(layout).\(suffix)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    func restore(to path: String) throws {
        let sql = try text("sql")
        try #require(counterfoil_run_sql(path, nil, sql) == 0)
    }

    /// What it answered, a line each.
    func answers() throws -> [String] {
        try text("answers").split(separator: "\n").map(String.init)
    }

    /// How each lineage stands at the end by what was known after each entry that changed this, and
    /// everything that was told.
    static func answers(of journal: OpenJournal) async throws -> [String] {
        let reader = journal.reader
        let head = try await reader.head()
        var answers = ["\(head.position) entries, the last at \(head.recordedAt)"]
        for lineage in try await reader.lineages(of: Record.scope) {
            let name = lineage.originalTransactionId
            var last = ""
            for number in 1...head.position.rawValue {
                let position = Position(rawValue: number)
                let asOf = AsOf(effectiveAt: head.recordedAt, knownAt: position)
                guard let standing = try await reader.standing(of: lineage, asOf: asOf) else {
                    continue
                }
                let until = standing.expiresDate.map { " until \($0)" } ?? ""
                let product = standing.productId ?? "?"
                let answer = "\(product) \(standing.state.rawValue)\(until)"
                if answer != last { answers.append("\(name) after \(position): \(answer)") }
                last = answer
            }
        }
        for event in try await reader.events(after: .beginning, limit: .max).events {
            answers.append(
                "\(event.id.position)-\(event.id.index) \(event.type) as of \(event.occurredAt)"
            )
        }
        return answers
    }

    // MARK: - Writing one

    /// Whether one of the newest layout shall be written where there is none.
    static let isToBeWritten =
        ProcessInfo.processInfo.environment["COUNTERFOIL_WRITE_DATABASES"]?.isEmpty == false

    static func write() async throws {
        let layout = Layout.current.steps.count
        guard !layouts.contains(layout) else { return }
        let scratch = try Folder()
        let path = scratch.path("journal.db")
        let lives = try Lives(seed: 20 + UInt64(layout), steps: 40, faults: .none)
        let engine = try await SQLiteEngine(path: path)
        let record = try await Record.begin(at: lives.start, in: engine)
        for arrival in lives.arrivals {
            try await record.advance(to: arrival.at)
            try await record.learn(record.learnings(arrival.bytes))
        }
        try await record.advance(to: lives.end)
        let answers = try await answers(of: record.journal)
        await engine.close()
        let dump = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            print('\\n'.join(d.iterdump()))
            for name in 'application_id', 'user_version':
                print(f'PRAGMA {name} = {d.execute("PRAGMA " + name).fetchone()[0]};')
            """
        let sql = try #require(OutsideProgram.python).run(["-c", dump, path]).output
        let name = folder.appendingPathComponent("layout-\(layout)")
        try Data(sql).write(to: name.appendingPathExtension("sql"))
        try Data((answers.joined(separator: "\n") + "\n").utf8)
            .write(to: name.appendingPathExtension("answers"))
    }
}
