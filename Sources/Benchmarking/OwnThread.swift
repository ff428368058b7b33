#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Work that blocks for long, and therefore has a thread of its own: in Swift's pool it would take
/// the place of tasks that it waits for.
enum OwnThread {
    /// Does work on a new thread, and waits for it without holding one.
    static func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(LoadError) -> Success
    ) async -> Result<Success, LoadError> {
        await withCheckedContinuation { continuation in
            let job = Job { continuation.resume(returning: Result(catching: work)) }
            var thread = pthread_t()
            let context = Unmanaged.passRetained(job)
            let started = pthread_create(
                &thread,
                nil,
                { context in
                    if let context {
                        Unmanaged<Job>.fromOpaque(context).takeRetainedValue().work()
                    }
                    return nil
                },
                context.toOpaque()
            )
            guard started == 0 else {
                context.release()
                let error = LoadError("the system gives no thread")
                return continuation.resume(returning: .failure(error))
            }
            pthread_detach(thread)
        }
    }

    private final class Job: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}
