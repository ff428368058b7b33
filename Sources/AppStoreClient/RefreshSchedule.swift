import CounterfoilBasics
import CounterfoilCryptography

/// When each certificate is asked about next: pure rules, which do nothing themselves.
///
/// A certificate is asked about as soon as it is met, then halfway to the end of what is known (so
/// that a responder that is down for a while leaves nothing undecided), and after a failure at
/// growing distances. Seeded randomness keeps servers that were started together apart.
struct RefreshSchedule: Sendable {
    /// What one certificate waits for.
    private struct Entry {
        var due: Instant
        var failures = 0
        var isAsked = false
    }

    /// The shortest time between two requests about one certificate.
    static let shortest = Duration.seconds(60)
    /// The longest time for which an answer is not asked for again, whatever it says.
    static let longest = Duration.seconds(12 * 3600)
    /// The distance after a first failure, which doubles with each further one.
    static let firstRetry = Duration.seconds(5)
    /// What that distance does not grow beyond.
    static let longestRetry = Duration.seconds(600)

    private var entries: [SHA256Digest: Entry] = [:]
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The questions that are due, which count as being asked until they succeed or fail; what is
    /// known of certificates that nobody asks about any more is forgotten.
    mutating func begin(_ questions: [OCSPQuestion], now: Instant) -> [OCSPQuestion] {
        let asked = questions.filter { !$0.certificate.validity.hasEnded(at: now) }
        var kept: [SHA256Digest: Entry] = [:]
        var due: [OCSPQuestion] = []
        for question in asked {
            let fingerprint = question.certificate.fingerprint
            var entry = entries[fingerprint] ?? Entry(due: now)
            if entry.due <= now, !entry.isAsked {
                entry.isAsked = true
                due.append(question)
            }
            kept[fingerprint] = entry
        }
        entries = kept
        return due
    }

    /// Notes an answer that counts until an instant.
    mutating func succeed(_ question: OCSPQuestion, until: Instant, now: Instant) {
        let half = until.duration(since: now) / 2
        let distance = min(max(half, Self.shortest), Self.longest)
        entries[question.certificate.fingerprint] = Entry(
            due: now.advanced(by: jittered(distance))
        )
    }

    /// Notes that there was no answer, or none that counts.
    mutating func fail(_ question: OCSPQuestion, now: Instant) {
        let fingerprint = question.certificate.fingerprint
        let failures = (entries[fingerprint]?.failures ?? 0) + 1
        let doubled = Self.firstRetry * (1 << min(failures - 1, 10))
        let distance = min(doubled, Self.longestRetry)
        entries[fingerprint] = Entry(
            due: now.advanced(by: jittered(distance)),
            failures: failures
        )
    }

    /// Between four fifths of a duration and all of it.
    private mutating func jittered(_ duration: Duration) -> Duration {
        let milliseconds = duration.milliseconds
        return .milliseconds(Int64.random(in: milliseconds * 4 / 5...milliseconds, using: &random))
    }
}
