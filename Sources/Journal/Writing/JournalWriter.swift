package import AppStoreVerification
import CounterfoilBasics
package import Ledger

/// The one writer of a journal: what waits together is committed together.
///
/// What it gives back as ``Committed`` is durable. Each request is kept whole or not at all; one
/// that cannot be kept takes no other with it.
package actor JournalWriter {
    private let engine: any StorageEngine
    private let clock: any WallClock
    private let limits: Limits
    private var waiting: [Request] = []
    private var isCommitting = false

    /// How much may wait, and how much is committed at once.
    package struct Limits: Hashable, Sendable {
        /// How many requests may wait.
        package var waiting = 4_096
        /// How many requests are committed at once.
        package var batch = 512
        /// How many lineages are looked at with one entry of the clock.
        package var lineagesOfClock = 256

        package init() {}
    }

    init(engine: any StorageEngine, clock: any WallClock, limits: Limits) {
        self.engine = engine
        self.clock = clock
        self.limits = limits
    }

    /// Learns what came in, durably; what was known already is not learned again.
    ///
    /// - Throws: ``StorageError``: nothing of it is kept then. `storage.busy` where too much waits.
    package nonisolated func learn(_ learning: Learning) async throws(StorageError) -> Committed {
        try await learn(PreparedLearning(learning))
    }

    /// As above, of what was prepared before.
    ///
    /// - Throws: ``StorageError``.
    package nonisolated func learn(
        _ prepared: PreparedLearning
    ) async throws(StorageError) -> Committed {
        try await submit { posting, now throws(StorageError) in
            try posting.learn(prepared, at: now)
        }
    }

    /// Takes over an app's rules; nil where they are the ones in force.
    ///
    /// What they make different is told when a lineage is looked at next, at the latest by
    /// ``sweep()``.
    ///
    /// - Throws: ``StorageError``.
    package nonisolated func revise(
        _ rules: Rules,
        of scope: Scope
    ) async throws(StorageError) -> Committed? {
        try await submit { posting, now throws(StorageError) in
            try posting.revise(rules, of: scope, at: now)
        }
    }

    /// Tells what the clock did to lineages that changed by themselves by now.
    ///
    /// - Returns: The entry; nil where nothing was due. There may be more.
    /// - Throws: ``StorageError``.
    package nonisolated func tellTime() async throws(StorageError) -> Committed? {
        let limit = limits.lineagesOfClock
        return try await submit { posting, now throws(StorageError) in
            let due = max(posting.head.recordedAt, now).advanced(by: .milliseconds(1))
            let range = StorageRange(upTo: RowKey.agenda(before: due).bytes, limit: limit)
            var lineages: [LineageID] = []
            for row in try posting.rows.rows(.agenda, range) {
                guard let lineage = LineageID(key: row.key, from: 8) else {
                    throw .damagedRow(.agenda, of: "a lineage")
                }
                lineages.append(lineage)
            }
            return try posting.look(at: lineages, now: now)
        }
    }

    /// Looks at some lineages that nobody looked at since the rules of their app changed.
    ///
    /// How far it came is kept, so one that is stopped goes on where it was.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: ``StorageError``.
    package nonisolated func sweep() async throws(StorageError) -> Bool {
        let limit = limits.lineagesOfClock
        return try await submit { posting, now throws(StorageError) in
            try posting.sweep(limit: limit, at: now)
        }
    }

    /// Lets go of the bytes of all documents that came with the entries up to one; their records and
    /// what they said stay for ever.
    ///
    /// - Returns: How many documents' bytes went.
    /// - Throws: ``StorageError``.
    package nonisolated func prune(upTo position: Position) async throws(StorageError) -> Int {
        let limit = limits.batch
        var removed = 0
        var isMore = true
        while isMore {
            let some = try await submit { posting, _ throws(StorageError) in
                let (removed, isMore) = try posting.prune(upTo: position, limit: limit)
                return Pruned(removed: removed, isMore: isMore)
            }
            removed += some.removed
            isMore = some.isMore
        }
        return removed
    }

    /// Keeps a notification that could not be taken in yet, or a sample of one that was refused.
    ///
    /// - Throws: ``StorageError``.
    package nonisolated func quarantine(_ body: QuarantinedBody) async throws(StorageError) {
        try await submit { posting, _ throws(StorageError) in try posting.quarantine(body) }
    }

    /// Takes a notification out of the quarantine.
    ///
    /// - Throws: ``StorageError``.
    package nonisolated func release(_ id: QuarantinedBody.ID) async throws(StorageError) {
        try await submit { posting, _ throws(StorageError) in try posting.release(id) }
    }

    private struct Pruned: Sendable {
        let removed: Int
        let isMore: Bool
    }

    // MARK: - Committing together

    /// What one caller wants, and where the answer goes.
    private struct Request {
        let run: @Sendable (inout Posting, Instant) throws(StorageError) -> any Sendable
        let answer: CheckedContinuation<Result<any Sendable, StorageError>, Never>
    }

    private nonisolated func submit<Answer: Sendable>(
        _ run: @escaping @Sendable (inout Posting, Instant) throws(StorageError) -> Answer
    ) async throws(StorageError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            let request = Request(run: run, answer: continuation)
            Task { await self.take(request) }
        }
        guard let answer = try result.get() as? Answer else {
            preconditionFailure("a request is answered with what it gave")
        }
        return answer
    }

    private func take(_ request: Request) async {
        guard waiting.count < limits.waiting else {
            request.answer.resume(
                returning: .failure(
                    StorageError(
                        StorageError.busy,
                        "\(waiting.count) requests wait for the journal; at most "
                            + "\(limits.waiting) may"
                    )
                )
            )
            return
        }
        waiting.append(request)
        guard !isCommitting else { return }
        isCommitting = true
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(limits.batch))
            waiting.removeFirst(batch.count)
            await commit(batch)
        }
        isCommitting = false
    }

    private func commit(_ batch: [Request]) async {
        do throws(StorageError) {
            let answers = try await run(batch)
            for (request, answer) in zip(batch, answers) {
                request.answer.resume(returning: .success(answer))
            }
        } catch {
            guard batch.count > 1, !error.concernsAll else {
                for request in batch { request.answer.resume(returning: .failure(error)) }
                return
            }
            // Nothing was kept; one of them may be at fault, and the others are not to suffer.
            for request in batch { await commit([request]) }
        }
    }

    private func run(_ batch: [Request]) async throws(StorageError) -> [any Sendable] {
        let clock = clock
        return try await engine.write { rows throws(StorageError) in
            var posting = try Posting(rows)
            var answers: [any Sendable] = []
            for request in batch { answers.append(try request.run(&posting, clock.now)) }
            try posting.finish()
            return answers
        }
    }
}

extension StorageError {
    /// Whether it is about the storage as a whole, and not about what was to be kept.
    fileprivate var concernsAll: Bool { code != Self.tooLarge && code != Self.damaged }
}
