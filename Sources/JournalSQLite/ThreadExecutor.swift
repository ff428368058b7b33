import CounterfoilBasics
import Glibc
import Synchronization

/// Runs the work of one actor on a thread of its own: what waits for the disk must not hold a
/// thread of Swift's pool.
///
/// The thread ends with the executor, which lives as long as its actor.
final class ThreadExecutor: SerialExecutor {
    private let queue: JobQueue

    /// Starts the thread.
    init() throws(ThreadRefusal) {
        let queue = JobQueue()
        self.queue = queue
        try OwnThread.start { queue.run() }
    }

    deinit { queue.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A job holds its actor, and so this executor, until it ran.
        let executor = unsafe asUnownedSerialExecutor()
        queue.add { unsafe job.runSynchronously(on: executor) }
    }
}

/// The jobs that wait for the thread.
private final class JobQueue: Sendable {
    private struct Waiting {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let waiting = Mutex(Waiting())
    private let bell = Bell()

    func add(_ job: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.jobs.append(job) }
        bell.ring()
    }

    func stop() {
        waiting.withLock { $0.isStopped = true }
        bell.ring()
    }

    func run() {
        while true {
            let taken = waiting.withLock { waiting in
                defer { waiting.jobs = [] }
                return waiting
            }
            for job in taken.jobs { job() }
            if taken.jobs.isEmpty {
                if taken.isStopped { return }
                bell.wait()
            }
        }
    }
}

/// Wakes a thread that waits; what was rung before it waits counts.
@safe
private final class Bell: @unchecked Sendable {  // POSIX lets any thread post and wait.
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func ring() { unsafe sem_post(semaphore) }

    func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}
