import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where "now" comes from; a parameter everywhere, so that tests and the local App Store can
/// supply their own.
public protocol WallClock: Sendable {
    /// The present instant.
    var now: Instant { get }
}

/// The machine's real-time clock.
public struct SystemClock: WallClock {
    /// Makes the machine's clock.
    public init() {}

    /// The present instant, in whole milliseconds rounded down.
    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
            millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        )
    }
}

/// A clock that moves only when told to, and only forward.
public final class VirtualClock: WallClock {
    private let current: Mutex<Instant>

    /// Makes a clock that stands at an instant.
    public init(at start: Instant) { current = Mutex(start) }

    /// The instant at which the clock stands.
    public var now: Instant { current.withLock { $0 } }

    /// Moves the clock forward to an instant; an earlier one leaves it where it is.
    public func advance(to instant: Instant) {
        current.withLock { $0 = max($0, instant) }
    }
}

/// A reading of the monotonic clock, for measuring how long something took.
package struct Stopwatch: Sendable {
    private let start: ContinuousClock.Instant

    /// Starts measuring.
    package init() { start = ContinuousClock().now }

    /// The time since the start; not affected by changes of the wall clock.
    package var elapsed: Duration { ContinuousClock().now - start }
}

/// The passing of time for whoever waits for it; a parameter, so that tests need not wait.
package protocol Pacing: Sendable {
    /// The time since a fixed point, which no change of the wall clock moves.
    var elapsed: Duration { get }

    /// Waits.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(_ duration: Duration) async throws(CancellationError)
}

/// Time as it passes.
package struct RealPace: Pacing {
    private let watch = Stopwatch()

    package init() {}

    package var elapsed: Duration { watch.elapsed }

    package func wait(_ duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw CancellationError()
        }
    }
}

/// The processor time of the calling thread, for measuring work beside which others work, too.
package struct ThreadStopwatch: Sendable {
    private let start: Double

    /// Starts measuring; the end must be taken on the same thread.
    package init() { start = Self.microseconds }

    /// The processor time since the start.
    package var elapsedMicroseconds: Double { Self.microseconds - start }

    private static var microseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
