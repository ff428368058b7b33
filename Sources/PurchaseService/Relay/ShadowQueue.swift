import Synchronization

/// Questions that nobody waits for, in a line that is bounded in number and in bytes.
///
/// Whoever submits one never waits: where there is no room it is dropped.
package final class ShadowQueue: Sendable {
    /// A question, and our answer that was given already.
    package struct Job: Sendable {
        /// The question.
        package let question: RelayQuestion
        /// The body of our answer.
        package let ours: [UInt8]
        /// What joins it to the log line of the request.
        package let requestId: String

        /// Makes a job.
        package init(_ question: RelayQuestion, answered ours: [UInt8], requestId: String) {
            self.question = question
            self.ours = ours
            self.requestId = requestId
        }

        fileprivate var bytes: Int { question.bytes + ours.count }
    }

    private struct Line: Sendable {
        var count = 0
        var bytes = 0
    }

    /// The most bytes of receipts and answers that wait, unless one has more.
    private static let mostBytes = 64 << 20

    private let mostJobs: Int
    private let line = Mutex(Line())
    private let jobs: AsyncStream<Job>
    private let entrance: AsyncStream<Job>.Continuation

    /// Makes a queue in which some questions may wait.
    package init(waiting: Int) {
        mostJobs = waiting
        (jobs, entrance) = AsyncStream.makeStream()
    }

    /// How many questions wait.
    package var waiting: Int { line.withLock { $0.count } }

    /// Adds a question; false where there is no room for it.
    package func submit(_ job: Job) -> Bool {
        let hasRoom = line.withLock { line in
            let fits = line.count == 0 || job.bytes <= Self.mostBytes - line.bytes
            guard line.count < mostJobs, fits else { return false }
            line.count += 1
            line.bytes += job.bytes
            return true
        }
        if hasRoom { entrance.yield(job) }
        return hasRoom
    }

    /// Works through the questions, some at a time, until the task is cancelled; at most once.
    package func run(parallel: Int, _ work: @escaping @Sendable (Job) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            var arrivals = jobs.makeAsyncIterator()
            while true {
                // A question leaves the line only when it can be asked.
                if running == parallel {
                    await group.next()
                    running -= 1
                }
                guard let job = await arrivals.next() else { return }
                line.withLock { line in
                    line.count -= 1
                    line.bytes -= job.bytes
                }
                group.addTask { await work(job) }
                running += 1
            }
        }
    }
}
