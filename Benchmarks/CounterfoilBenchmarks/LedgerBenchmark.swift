import AppStoreModel
import Benchmarking
import CounterfoilBasics
import Journal
import JournalSQLite
import Ledger

/// What keeping a ledger costs: durable entries beside bare insertion of the same rows, bytes of a
/// notification, answers beside few and many purchases, and the longest lineage.
struct LedgerBenchmark {
    private let world: SampleLedger
    private let folder: String

    /// Makes an authority and what it signs, which takes some seconds.
    init(folder: String) throws {
        world = try SampleLedger()
        self.folder = folder
    }

    /// Measures everything.
    ///
    /// - Parameters:
    ///   - folder: Where databases are made; whoever calls removes it.
    ///   - notifications: How many are learned.
    ///   - purchases: Beside how many purchases answers are measured.
    /// - Throws: what the journal throws, which is a defect or a full disk.
    static func run(folder: String, notifications: Int, purchases: [Int]) async throws {
        let benchmark = try LedgerBenchmark(folder: folder)
        try await benchmark.runEntries(notifications: notifications)
        try await benchmark.runBytes(notifications: notifications)
        try await benchmark.runAnswers(purchases: purchases)
        try await benchmark.runLongest()
    }

    // MARK: - Durable entries

    /// Learns notifications in batches of some sizes, each size beside bare insertion of the rows
    /// that it comes to, in turns: once prepared before, and once with packing and all.
    func runEntries(notifications: Int) async throws {
        let learnings = try await world.notifications(notifications)
        print("durable entries | batch | bare /s | written /s | of bare | packed too /s | of bare")
        for batch in [1, 10, 100, 1_000] {
            let count = min(learnings.count, batch == 1 ? 2_000 : batch == 10 ? 10_000 : .max)
            let some = Array(learnings.prefix(count))
            let rows = try await recordedRows(of: some, "\(folder)/rows-\(batch).db")
            var turns: [Turn] = []
            for turn in 0..<5 {
                let path = "\(folder)/\(batch)-\(turn)"
                let prepared = try some.map { try PreparedLearning($0) }
                turns.append(
                    Turn(
                        bare: Double(count) / (try await insert(rows, batch: batch, path)),
                        written: Double(count)
                            / (try await learn(prepared, batch: batch, "\(path)-w") {
                                _ = try await $0.learn($1)
                            }),
                        packed: Double(count)
                            / (try await learn(some, batch: batch, "\(path)-p") {
                                _ = try await $0.learn($1)
                            })
                    )
                )
            }
            let bare = turns.map(\.bare).median
            print(
                "  | \(batch) | \(Int(bare)) | \(Int(turns.map(\.written).median)) | "
                    + "\(turns.map { $0.written / $0.bare }.median.rounded(to: 2)) | "
                    + "\(Int(turns.map(\.packed).median)) | "
                    + "\(turns.map { $0.packed / $0.bare }.median.rounded(to: 2))"
            )
        }
    }

    /// Entries per second of one turn.
    private struct Turn {
        let bare: Double
        let written: Double
        let packed: Double
    }

    private func learn<Item: Sendable>(
        _ items: [Item],
        batch: Int,
        _ path: String,
        _ learn: @escaping @Sendable (JournalWriter, Item) async throws -> Void
    ) async throws -> Double {
        let engine = try await SQLiteEngine(path: "\(path).db")
        let writer = try await world.journal(in: engine).writer
        let watch = Stopwatch()
        for start in stride(from: 0, to: items.count, by: batch) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for item in items[start..<min(start + batch, items.count)] {
                    group.addTask { try await learn(writer, item) }
                }
                try await group.waitForAll()
            }
        }
        let seconds = watch.elapsed.seconds
        await engine.close()
        return seconds
    }

    private func recordedRows(
        of learnings: [Learning],
        _ path: String
    ) async throws -> [[RecordedRow]] {
        let engine = RecordingEngine(beside: try await SQLiteEngine(path: path))
        let journal = try await world.journal(in: engine)
        var rows: [[RecordedRow]] = []
        _ = await engine.take()
        for learning in learnings {
            _ = try await journal.writer.learn(learning)
            rows.append(await engine.take())
        }
        await engine.close()
        return rows
    }

    private func insert(
        _ rows: [[RecordedRow]],
        batch: Int,
        _ path: String
    ) async throws -> Double {
        // The layout is the same; then nothing of ours is in the way.
        await (try SQLiteEngine(path: "\(path)-b.db")).close()
        let bare = try BareSQLite("\(path)-b.db")
        let watch = Stopwatch()
        for start in stride(from: 0, to: rows.count, by: batch) {
            bare.insert(rows[start..<min(start + batch, rows.count)])
        }
        return watch.elapsed.seconds
    }

    // MARK: - Bytes

    /// Learns notifications, and divides what the file is longer by afterwards.
    func runBytes(notifications: Int) async throws {
        let learnings = try await world.notifications(notifications)
        let path = "\(folder)/bytes.db"
        let engine = try await SQLiteEngine(path: path)
        let journal = try await world.journal(in: engine)
        let half = learnings.count / 2
        var sizes: [Int] = []
        for part in [learnings[..<half], learnings[half...]] {
            for learning in part { _ = try await journal.writer.learn(learning) }
            sizes.append(try BareSQLite(path).bytesOfFile())
        }
        await engine.close()
        let each = Double(sizes[1] - sizes[0]) / Double(learnings.count - half)
        print("bytes on disk a notification | \(each.rounded(to: 0))")
    }

    // MARK: - Answers

    /// Asks how lineages stand beside more and more purchases, and how long one in a hundred takes.
    func runAnswers(purchases counts: [Int]) async throws {
        print("answers | purchases | /s | p99 µs | cost beside the fewest")
        let path = "\(folder)/answers.db"
        let engine = try await SQLiteEngine(path: path)
        let journal = try await world.journal(in: engine)
        var stored = 0
        var lineages: [LineageID] = []
        var first: Double?
        for count in counts {
            while stored < count {
                let learning = try await world.receipt(
                    from: stored,
                    purchases: min(6_000, count - stored)
                )
                _ = try await journal.writer.learn(learning)
                stored += min(6_000, count - stored)
                lineages += Set(learning.statements.map(\.lineage))
            }
            let outcome = try await ask(journal, lineages.shuffled())
            first = first ?? outcome.mean
            print(
                "  | \(stored) | \(Int(1e6 / outcome.mean)) | \(outcome.p99.rounded(to: 1)) | "
                    + "\((outcome.mean / (first ?? 1)).rounded(to: 2))"
            )
        }
        await engine.close()
    }

    private func ask(
        _ journal: OpenJournal,
        _ lineages: [LineageID]
    ) async throws -> (mean: Double, p99: Double) {
        let asked = 20_000
        var times: [Double] = []
        times.reserveCapacity(asked)
        for number in 0..<asked {
            let lineage = lineages[number % lineages.count]
            let watch = Stopwatch()
            _ = try await journal.reader.standing(of: lineage, at: SampleLedger.end)
            times.append(watch.elapsed.seconds * 1e6)
        }
        times.sort()
        return (times.reduce(0, +) / Double(asked), times[asked * 99 / 100])
    }

    // MARK: - The longest lineage

    /// What one more statement and one more answer cost in a lineage of ten years of weeks.
    func runLongest() async throws {
        let statements = try await world.weeks(520)
        var lineage = Ledger.Lineage(statements[0].lineage)
        for statement in statements { lineage.join(statement) }
        let whole = lineage
        let rules = Rules(environment: .production)
        let last = statements[statements.count - 1]
        let turns = try Turns([
            .init("join") {
                var lineage = whole
                lineage.join(last)
            },
            .init("standing") { _ = whole.standing(at: SampleLedger.end, under: rules) },
            .init("all") {
                var lineage = Ledger.Lineage(last.lineage)
                for statement in statements { lineage.join(statement) }
            },
        ])
        print(
            "520 periods | join \(turns["join"].rounded(to: 1)) µs | standing "
                + "\(turns["standing"].rounded(to: 1)) µs | all joined anew "
                + "\(turns["all"].rounded(to: 0)) µs"
        )
    }
}

extension [Double] {
    fileprivate var median: Double { sorted()[count / 2] }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
