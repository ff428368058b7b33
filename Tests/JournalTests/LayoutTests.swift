import CSQLiteFaults
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import JournalSQLite
import Ledger
import RecordTestSupport
import Testing

extension StorageFaultTests {
    /// Options for a database that has two more steps than there are.
    private static var later: SQLiteEngine.Options {
        var options = FaultyDisk.options
        options.layout = Layout(
            steps: Layout.current.steps + [
                "CREATE TABLE later (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL); "
                    + "INSERT INTO later SELECT k, v FROM journal;",
                "ALTER TABLE later RENAME TO latest;",
            ]
        )
        return options
    }

    @Test("Wherever bringing a database to a newer layout is interrupted, it goes on from there")
    func interruptedMigration() async throws {
        let folder = try Folder()
        let original = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(8)
        try await JournalSample.withJournal(in: original) { journal in
            for learning in learnings { _ = try await journal.writer.learn(learning) }
        }
        let first = Layout.current.steps.count
        var found: Set<Int> = []
        for well in 0... {
            let path = folder.path("journal-\(well).db")
            try FileManager.default.copyItem(atPath: original, toPath: path)
            FaultyDisk.fail(.changes, after: well, times: .max)
            let code = await JournalSample.code {
                try await SQLiteEngine(path: path, options: Self.later)
            }
            FaultyDisk.heal()
            guard let code else { break }
            #expect(code == StorageError.inputOutput)
            found.insert(try Self.layout(of: path))
            let engine = try await SQLiteEngine(path: path, options: Self.later)
            #expect(try Self.layout(of: path) == first + 2)
            let journal = try #require(try await OpenJournal(existingIn: engine))
            for learning in learnings {
                #expect(try await journal.writer.learn(learning).wasKnown)
            }
            #expect(try await JournalCheck(journal).findings.isEmpty)
            await engine.close()
            // What knows fewer layouts leaves it alone.
            #expect(
                await JournalSample.code { try await SQLiteEngine(path: path) }
                    == StorageError.tooNew
            )
        }
        #expect(found.isSuperset(of: [first, first + 1]))
    }

    /// The number of the layout that a database was left with.
    private static func layout(of path: String) throws -> Int {
        let python = try #require(OutsideProgram.python)
        let script = """
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version').fetchone()[0])
            """
        let outcome = try python.run(["-c", script, path])
        return try #require(Int(outcome.text.filter(\.isNumber)))
    }
}

@Suite("Layouts of a database")
struct LayoutTests {
    @Test("An older layout is brought to the newest by opening it for writing, and by nothing else")
    func older() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        var options = SQLiteEngine.Options()
        options.layout = Layout(steps: [Layout.current.steps[0]])
        await (try SQLiteEngine(path: path, options: options)).close()
        let reading = await JournalSample.code { try await SQLiteEngine(path: path, .reading) }
        #expect(reading == StorageError.readOnly)
        await (try SQLiteEngine(path: path)).close()
        await (try SQLiteEngine(path: path, .reading)).close()
    }

    @Test("A file that is empty, or not there, is not read as a journal, nor made one by reading")
    func nothing() async throws {
        let folder = try Folder()
        let empty = try folder.write("empty.db", "")
        let absent = folder.path("absent.db")
        #expect(
            await JournalSample.code { try await SQLiteEngine(path: empty, .reading) }
                == StorageError.damaged
        )
        #expect(
            await JournalSample.code { try await SQLiteEngine(path: absent, .reading) }
                == StorageError.cannotOpen
        )
        #expect(try folder.text("empty.db").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: absent))
    }

    @Test(
        "A database of each older layout answers as it did when it was written",
        arguments: KeptDatabase.layouts
    )
    func keptDatabases(layout: Int) async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let kept = KeptDatabase(layout: layout)
        try kept.restore(to: path)
        let engine = try await SQLiteEngine(path: path)
        let journal = try #require(try await OpenJournal(existingIn: engine))
        #expect(try await JournalCheck(journal).findings.isEmpty)
        #expect(try await KeptDatabase.answers(of: journal) == kept.answers())
        // And it goes on.
        let learning = try #require(try await JournalSample.learnings(1).first)
        let head = try await journal.reader.head().position
        #expect(try await journal.writer.learn(learning).position == head.next)
        await engine.close()
    }

    @Test("A database of the newest layout is kept, which each change of what is in rows must read")
    func newestIsKept() async throws {
        if KeptDatabase.isToBeWritten { try await KeptDatabase.write() }
        #expect(KeptDatabase.layouts.last == Layout.current.steps.count)
    }
}
