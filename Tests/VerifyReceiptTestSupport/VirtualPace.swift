import CounterfoilBasics
import Synchronization

/// Time that passes only by waiting, and at once.
package final class VirtualPace: Pacing {
    private let time = Mutex(Duration.zero)
    private let pauses = Mutex<[Duration]>([])

    package init() {}

    package var elapsed: Duration { time.withLock { $0 } }

    /// How long was waited, each time.
    package var waits: [Duration] { pauses.withLock { $0 } }

    /// Lets time pass in which nobody waits, as when an answer takes its time.
    package func pass(_ duration: Duration) { time.withLock { $0 += duration } }

    package func wait(_ duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        pauses.withLock { $0.append(duration) }
        pass(duration)
    }
}
