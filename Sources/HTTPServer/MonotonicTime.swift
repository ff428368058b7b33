import CounterfoilBasics
import Glibc
import HTTP

/// A reading of the system's coarse monotonic clock, in nanoseconds.
///
/// Deadlines are tens of milliseconds at least, so the clock of a few milliseconds' resolution,
/// which costs a tenth of the fine one, is the right one for every request.
struct MonotonicTime: Comparable, Sendable {
    let nanoseconds: Int64

    static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicTime(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        )
    }

    /// Later than any reading.
    static let never = MonotonicTime(nanoseconds: .max)

    static func < (earlier: MonotonicTime, later: MonotonicTime) -> Bool {
        earlier.nanoseconds < later.nanoseconds
    }

    /// The time that many milliseconds later, saturating.
    func advanced(byMilliseconds milliseconds: Int64) -> MonotonicTime {
        let (distance, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carried) = nanoseconds.addingReportingOverflow(distance)
        return overflow || carried ? .never : MonotonicTime(nanoseconds: sum)
    }
}

/// The limits as a connection needs them at every request.
struct Deadlines: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    let handler: Int64
    let write: Int64

    init(_ limits: HTTPLimits) {
        head = limits.headDeadline.milliseconds
        body = limits.bodyDeadline.milliseconds
        idle = limits.idleDeadline.milliseconds
        handler = limits.handlerDeadline.milliseconds
        write = limits.writeDeadline.milliseconds
    }

    /// How often deadlines are looked at: a quarter of the shortest, 5 to 250 ms.
    var tickMilliseconds: Int32 {
        let shortest = min(head, body, idle, handler, write)
        return Int32(max(5, min(250, shortest / 4)))
    }
}
