import CounterfoilBasics
import Journal
import Synchronization

/// Connections that read, each lent to one reader at a time; who comes while all are lent waits for
/// the next.
final class ReaderPool: Sendable {
    private let workers: [SQLiteWorker]
    private let state: Mutex<State>

    private struct State {
        var idle: [SQLiteWorker]
        var waiting: [CheckedContinuation<SQLiteWorker, Never>] = []
    }

    init(count: Int) throws(StorageError) {
        var workers: [SQLiteWorker] = []
        for _ in 0..<max(1, count) { workers.append(try SQLiteWorker()) }
        self.workers = workers
        state = Mutex(State(idle: workers))
    }

    func open(_ path: String, _ options: SQLiteEngine.Options) async throws(StorageError) {
        for worker in workers { try await worker.open(path, .reading, options) }
    }

    /// Lends a connection; after ``close()`` it is one that is closed.
    func lend<Result: Sendable>(
        _ body: (SQLiteWorker) async throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let worker = await taken()
        defer { giveBack(worker) }
        return try await body(worker)
    }

    /// Closes all; who reads now reads on, and who waits is refused.
    func close() async {
        for worker in workers { await worker.close() }
    }

    private func taken() async -> SQLiteWorker {
        await withCheckedContinuation { continuation in
            let idle = state.withLock { state in
                if state.idle.isEmpty { state.waiting.append(continuation) }
                return state.idle.popLast()
            }
            if let idle { continuation.resume(returning: idle) }
        }
    }

    private func giveBack(_ worker: SQLiteWorker) {
        let next = state.withLock { state -> CheckedContinuation<SQLiteWorker, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(worker)
            return nil
        }
        next?.resume(returning: worker)
    }
}
