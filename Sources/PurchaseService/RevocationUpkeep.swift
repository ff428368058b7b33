package import AppStoreClient
package import AppStoreVerification
package import CounterfoilBasics

extension RevocationRegister: RevocationDesk {}

/// Keeps what a server's verifiers know about revocation fresh, beside its requests.
package struct RevocationUpkeep: Sendable {
    private let refresher: OCSPRefresher<RevocationRegister>

    /// Prepares the upkeep of a register.
    ///
    /// - Parameters:
    ///   - register: where verifiers look up what is known, and note what they have to know.
    ///   - fetcher: asks responders.
    ///   - clock: where "now" comes from.
    ///   - seed: keeps servers that were started together apart.
    ///   - observer: called with what came of asking about each certificate.
    package init(
        of register: RevocationRegister,
        fetcher: OCSPFetcher,
        clock: any WallClock,
        seed: UInt64,
        observer: @escaping @Sendable (RevocationNews) -> Void
    ) {
        refresher = OCSPRefresher(register, fetcher: fetcher, clock: clock, seed: seed) { outcome in
            observer(RevocationNews(outcome, register))
        }
    }

    /// Asks, again and again, until its task is cancelled.
    package func run() async { await refresher.run() }

    /// Asks about everything that is due, once.
    package func refresh() async { await refresher.refresh() }
}

/// What came of asking about one certificate.
package struct RevocationNews: Sendable {
    /// Whose certificate it is, and its number.
    package let certificate: String
    /// What is known of it now; nil for nothing.
    package let status: RevocationSnapshot.Status?
    /// Why there was no answer that counts; nil where there was one.
    package let error: (any CodedError)?

    fileprivate init(_ outcome: OCSPOutcome, _ register: RevocationRegister) {
        certificate = outcome.certificate
        status = register.snapshot[outcome.fingerprint]
        error = outcome.error
    }
}
