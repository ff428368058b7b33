import Glibc
import Synchronization

/// Runs the work of one actor on a thread of its own: what waits for the disk must not hold a
/// thread of Swift's pool.
final class ThreadExecutor: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isStopped = false
    }

    private let queue = Mutex(Queue())
    private let bell = Bell()

    /// Starts the thread, which lives until ``stop()``.
    init() {
        let body = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let started = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<ThreadExecutor>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            unsafe body.toOpaque()
        )
        if started == 0 {
            pthread_detach(thread)
        } else {
            // Without a thread the work is done where it is asked for.
            unsafe body.release()
            queue.withLock { $0.isStopped = true }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = queue.withLock { queue in
            guard !queue.isStopped else { return false }
            queue.jobs.append(job)
            return true
        }
        if isTaken {
            bell.ring()
        } else {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Ends the thread once what was asked of it is done.
    func stop() {
        queue.withLock { $0.isStopped = true }
        bell.ring()
    }

    private func run() {
        while true {
            let (jobs, isStopped) = queue.withLock { queue in
                defer { queue.jobs = [] }
                return (queue.jobs, queue.isStopped)
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            if jobs.isEmpty {
                if isStopped { return }
                bell.wait()
            }
        }
    }
}

/// Wakes a thread that waits.
@safe
private final class Bell: @unchecked Sendable {  // A semaphore may be used by any thread.
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
