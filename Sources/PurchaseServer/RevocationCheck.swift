import AppStoreClient
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import HTTP
import PurchaseService
import Telemetry

/// A server's asking whether certificates were revoked, where that is configured.
struct RevocationCheck: Sendable {
    /// Where the server's verifiers look it up.
    let register: RevocationRegister

    private let hosts: HostRules
    private let proxy: HTTPURL?
    private let clock: any WallClock
    private let log: Log
    private let metrics: ServerMetrics

    /// Nil where nobody is to be asked.
    init?(
        _ configuration: Configuration,
        _ clock: any WallClock,
        _ log: Log,
        _ metrics: ServerMetrics,
        _ register: RevocationRegister
    ) throws(ConfigurationError) {
        self.register = register
        proxy = try configuration.proxyAddress
        guard configuration.revocation.check == .on else { return nil }
        hosts = configuration.revocation.hosts
        self.clock = clock
        self.log = log
        self.metrics = metrics
    }

    /// What keeps the register fresh, with a client of its own.
    func upkeep(
        _ makeClient: Server.ClientMaker
    ) throws(HTTPServingError) -> RevocationUpkeep {
        let client: any HTTPCalling
        do {
            client = try makeClient(proxy)
        } catch {
            throw HTTPServingError(HTTPServingError.engineFailed, error.reason)
        }
        return RevocationUpkeep(
            of: register,
            fetcher: OCSPFetcher(client, hosts: hosts),
            clock: clock,
            seed: .random(in: 0...UInt64.max),
            observer: report
        )
    }

    @Sendable private func report(_ news: RevocationNews) {
        metrics.count(news)
        let certificate = LogValue.string(news.certificate)
        if let error = news.error {
            log.warning(
                "revocation.unanswered",
                [
                    "certificate": certificate, "code": .string(error.code.rawValue),
                    "text": .string(error.reason),
                ]
            )
        } else if case .revoked(let revocation)? = news.status {
            log.warning(
                "revocation.revoked",
                [
                    "certificate": certificate, "since": .instant(revocation.since),
                    "text": .string(revocation.description),
                ]
            )
        } else if case .good(let until)? = news.status {
            log.info("revocation.good", ["certificate": certificate, "until": .instant(until)])
        }
    }
}
