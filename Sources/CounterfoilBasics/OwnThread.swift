#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Work that blocks for long, and therefore has a thread of its own: in Swift's pool it would take
/// the place of tasks that it may itself be waiting for.
package enum OwnThread {
    /// Starts a thread that does some work and ends with it; nobody waits for it.
    ///
    /// What the work holds is let go of on that thread when it is done. The stack is as large as the
    /// system makes it.
    ///
    /// - Parameter work: what it does.
    /// - Throws: ``ThreadRefusal`` when the system gives no thread; nothing is done then.
    package static func start(_ work: @escaping @Sendable () -> Void) throws(ThreadRefusal) {
        let job = Unmanaged.passRetained(Job(work))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread,
            nil,
            { context in
                // Nobody will ask how it ended.
                pthread_detach(pthread_self())
                let context: UnsafeMutableRawPointer? = context
                if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            },
            job.toOpaque()
        )
        guard result == 0 else {
            job.release()
            throw ThreadRefusal(number: result)
        }
    }

    private final class Job: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}

/// That the system gave no thread: there are too many already, or no memory is left.
package struct ThreadRefusal: Error, Hashable, CustomStringConvertible {
    /// The error number of `pthread_create` (POSIX.1): usually `EAGAIN`.
    package let number: Int32

    package var description: String { "the system gives no thread (its error \(number))" }
}
