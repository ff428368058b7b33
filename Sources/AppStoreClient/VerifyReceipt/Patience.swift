import AppStoreModel
import CounterfoilBasics

/// How long and how often somebody is asked: pure rules, which wait for nothing themselves.
package struct Patience: Hashable, Sendable {
    /// How long one call may take.
    package var callDeadline: Duration = .seconds(5)
    /// How long all calls together may take, with the pauses between them.
    package var deadline: Duration = .seconds(10)
    /// How often an address is asked at the most.
    package var attempts = 3
    /// The pause before the second attempt, which doubles with each further one.
    package var firstPause: Duration = .milliseconds(250)

    package init() {}

    /// Whether an answer may be another one in a moment.
    ///
    /// 21002 is what Apple also says when something of its own is broken, so that is asked again,
    /// once.
    func isWorthRepeating(_ reply: VerifyReceiptReply, after attempt: Int) -> Bool {
        if reply.status == .malformed { return attempt == 1 }
        return reply.status.isPassing && reply.isRetryable ?? true
    }

    /// The pause after an attempt: between four fifths of its length and all of it, so that those
    /// who failed together do not come again together.
    func pause(after attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = (firstPause * (1 << min(attempt - 1, 10))).milliseconds
        return .milliseconds(Int64.random(in: longest * 4 / 5...longest, using: &random))
    }
}
