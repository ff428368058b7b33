package import CounterfoilBasics
import CounterfoilCryptography

/// Keeps what is known about certificates fresh, beside whatever uses it.
///
/// Once told to run it asks about each certificate that its desk knows, before what is known of it
/// ends: at most one request about a certificate at a time, and all that are due at once.
package actor OCSPRefresher<Desk: RevocationDesk> {
    private let desk: Desk
    private let fetcher: OCSPFetcher
    private let clock: any WallClock
    private let observer: @Sendable (OCSPOutcome) -> Void
    private var schedule: RefreshSchedule

    /// Makes a refresher that is still to be run.
    ///
    /// - Parameters:
    ///   - desk: Where questions come from and answers go.
    ///   - fetcher: Asks.
    ///   - clock: Where "now" comes from.
    ///   - seed: Decides how far servers that were started together drift apart.
    ///   - observer: Called with what came of each question.
    package init(
        _ desk: Desk,
        fetcher: OCSPFetcher,
        clock: any WallClock,
        seed: UInt64,
        observer: @escaping @Sendable (OCSPOutcome) -> Void = { _ in }
    ) {
        self.desk = desk
        self.fetcher = fetcher
        self.clock = clock
        self.observer = observer
        schedule = RefreshSchedule(seed: seed)
    }

    /// Refreshes until its task is cancelled, looking for what is due at every tick.
    ///
    /// - Parameter tick: How long a certificate that was just met waits to be noticed.
    package func run(every tick: Duration = .milliseconds(200)) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for question in begin() { group.addTask { await self.ask(question) } }
                do {
                    try await Task.sleep(for: tick)
                } catch {
                    return
                }
            }
        }
    }

    /// Asks about everything that is due, and returns when each question has come to something.
    package func refresh() async {
        await withDiscardingTaskGroup { group in
            for question in begin() { group.addTask { await self.ask(question) } }
        }
    }

    private func begin() -> [OCSPQuestion] {
        schedule.begin(desk.questions(), now: clock.now)
    }

    private func ask(_ question: OCSPQuestion) async {
        let response: [UInt8]
        do {
            response = try await fetcher.response(to: question)
        } catch {
            // What was given up because everything ends is no failure of anybody's.
            guard !Task.isCancelled else { return }
            return fail(question, error)
        }
        do throws(Desk.Failure) {
            let now = clock.now
            let until = try desk.take(response, answering: question, now: now)
            schedule.succeed(question, until: until, now: now)
            observer(OCSPOutcome(question, nil))
        } catch {
            fail(question, error)
        }
    }

    private func fail(_ question: OCSPQuestion, _ error: some CodedError) {
        schedule.fail(question, now: clock.now)
        observer(OCSPOutcome(question, error))
    }
}

/// What came of asking about a certificate.
package struct OCSPOutcome: Sendable {
    /// Whose certificate it is, and its number.
    package let certificate: String
    /// SHA-256 over the whole certificate.
    package let fingerprint: SHA256Digest
    /// Why there is no answer that counts; nil where there is one.
    package let error: (any CodedError)?

    init(_ question: OCSPQuestion, _ error: (any CodedError)?) {
        certificate = question.certificate.description
        fingerprint = question.certificate.fingerprint
        self.error = error
    }
}
