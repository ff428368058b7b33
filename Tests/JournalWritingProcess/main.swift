import AppStoreSimulator
import CSQLiteFaults
import CounterfoilBasics
import Foundation
import Journal
import JournalSQLite
import RecordTestSupport

// A process that writes a journal until it is done or killed, and says what is kept.
//
// Its arguments are `name=value`:
// - `database`: the file;
// - `documents`: a folder with `anchors.pem` and the documents to learn, by their names;
// - `first`, `count`: which of them, and how many;
// - `user`: the number of the user to become before anything is opened;
// - `patience`: how many milliseconds to wait for another process;
// - `well`: how many operations of the disk go well before one kills it;
// - `stays`: whether it stays, with the journal open, until its standard input ends.
//
// It prints `ready` when it has proved the documents, `open` when the journal is, a line
// `kept DOCUMENT POSITION` for what is durable, and `refused CODE REASON` for what is not.

let options = Dictionary(
    uniqueKeysWithValues: CommandLine.arguments.dropFirst().map { argument in
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
)

func number(_ name: String) -> Int? { options[name].flatMap { Int($0) } }

/// Written at once: a process that is killed flushes nothing.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

func documents() throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = options["documents"] else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0 != "anchors.pem" }.sorted()
    return try names.dropFirst(number("first") ?? 0).prefix(number("count") ?? .max).map { name in
        (name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))))
    }
}

do {
    let anchors = try options["documents"].map {
        try String(contentsOfFile: $0 + "/anchors.pem", encoding: .utf8)
    }
    let now = Record.instant("2030-01-01T00:00:00Z")
    let prover = try await Record.begin(at: now, anchors: anchors)
    let learnings = try documents().map { ($0.name, try prover.learnings($0.bytes)) }
    say("ready")
    if let user = number("user") { guard setuid(uid_t(user)) == 0 else { exit(1) } }
    var engineOptions = SQLiteEngine.Options()
    engineOptions.patience = .milliseconds(number("patience") ?? 5_000)
    if let well = number("well") {
        engineOptions.fileSystem = String(cString: counterfoil_faults_register())
        counterfoil_faults_arm(
            Int32(COUNTERFOIL_WRITE | COUNTERFOIL_SYNC | COUNTERFOIL_TRUNCATE | COUNTERFOIL_DELETE),
            Int32(COUNTERFOIL_KILLS),
            well,
            1
        )
    }
    let engine = try await SQLiteEngine(
        path: options["database"] ?? "",
        options: engineOptions
    )
    let record = try await Record.begin(at: now, in: engine, anchors: anchors)
    say("open")
    await withTaskGroup(of: Void.self) { group in
        for (name, learnings) in learnings {
            group.addTask {
                do {
                    for learning in learnings {
                        let committed = try await record.journal.writer.learn(learning)
                        say("kept \(name) \(committed.position)")
                    }
                } catch {
                    say("refused \(error)")
                }
            }
        }
    }
    if options["stays"] != nil { while readLine() != nil {} }
    await engine.close()
} catch {
    say("refused \(error)")
}
