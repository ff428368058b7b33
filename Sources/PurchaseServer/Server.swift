import AppStoreClient
package import AppStoreVerification
package import CounterfoilBasics
import CounterfoilJSON
package import HTTP
import Journal
package import PurchaseService
package import Telemetry

/// The purchase server: its routes over an engine that is given to it, from start to stop.
///
///     let server = try Server(configuration, reading: read, clock: SystemClock(), log: sink)
///     try await server.run(on: engine) { await signal() }
package struct Server: Sendable {
    /// Makes an engine that is still to be started: an address, its bounds, what is called with
    /// what no handler sees, and what answers.
    package typealias EngineMaker =
        @Sendable (
            SocketAddress, HTTPLimits, @escaping @Sendable (HTTPServerEvent) -> Void,
            @escaping HTTPHandler
        ) throws(HTTPServingError) -> any HTTPServing

    /// Makes the client with which other servers are asked, through a proxy where one is
    /// configured; only a server that asks has one made.
    package typealias ClientMaker =
        @Sendable (_ proxy: HTTPURL?) throws(HTTPCallError) -> any HTTPCalling

    /// No client, for servers that ask nobody.
    package static let nobody: ClientMaker = { (_) throws(HTTPCallError) in
        throw HTTPCallError(HTTPCallError.failed, "there is no client to ask others with")
    }

    /// Where it listens.
    package let address: SocketAddress
    /// The bounds that its engine keeps.
    package let limits: HTTPLimits
    /// What people should know before they rely on this configuration; logged at the start too.
    package let warnings: [ConfigurationWarning]
    /// Answers its requests; an engine calls it, and tests may do so in memory.
    package let handler: HTTPHandler

    private let grace: Duration
    private let apps: Int
    private let log: Log
    private let observer: @Sendable (HTTPServerEvent) -> Void
    private let revocation: RevocationCheck?
    private let relay: RelayDesk?
    private let record: PurchaseRecord?
    private let clockWorker: ClockWorker?

    /// Assembles a server.
    ///
    /// - Parameters:
    ///   - configuration: what to serve.
    ///   - read: gives the bytes of the files that the configuration names.
    ///   - clock: where "now" comes from.
    ///   - pace: measures and waits where another server is asked again.
    ///   - sink: where the log lines go.
    ///   - record: the record that it keeps; nil for a server that remembers nothing.
    ///   - register: where it is looked up whether certificates were revoked, which the record's
    ///     way in does too.
    /// - Throws: what is wrong with the configuration.
    package init(
        _ configuration: Configuration = Configuration(),
        reading read: Configuration.FileReader = { _ in [] },
        clock: any WallClock = SystemClock(),
        pace: any Pacing = RealPace(),
        log sink: any LogSink,
        record: PurchaseRecord? = nil,
        register: RevocationRegister = RevocationRegister()
    ) throws(ConfigurationError) {
        self.record = record
        address = try configuration.address
        let proxies = try configuration.proxies
        limits = HTTPLimits(configuration, proxies: proxies)
        grace = configuration.deadlines.stop
        apps = configuration.apps.count
        let served = try ConfiguredApps(configuration, now: clock.now, reading: read)
        warnings = served.warnings
        let log = Log(to: sink, clock: clock)
        self.log = log
        let metrics = ServerMetrics()
        revocation = try RevocationCheck(configuration, clock, log, metrics, register)
        clockWorker = record.map { record in
            ClockWorker(record.journal) { error in log.error("ledger.clock_failed", error) }
        }
        relay = try RelayDesk(configuration, served, pace, log, metrics.registry)
        let trustedProxies = TrustedProxies(proxies, field: configuration.proxyField)
        observer = { event in metrics.count(event, trustedProxies, log) }
        let routes = Routes(
            verifyReceipt: VerifyReceipt(
                served,
                maxBodyBytes: configuration.maxBodyBytes,
                revocation: revocation?.register
            ),
            relay: relay,
            inbox: record.map { NotificationInbox($0.intake, $0.journal, clock: clock) },
            metrics: metrics,
            proxies: trustedProxies,
            clock: clock,
            log: log
        )
        handler = routes.handler
    }

    /// Serves until told to stop, then finishes what is in flight and returns.
    ///
    /// What is not finished within `deadlines.stop` is cut off.
    ///
    /// - Parameters:
    ///   - engine: makes the engine to serve with.
    ///   - client: makes the client to ask other servers with.
    ///   - started: called once, with the address that is listened at.
    ///   - stopped: returns when it is time to stop.
    /// - Throws: why the engine or the client could not start.
    package func run(
        on engine: EngineMaker,
        asking client: ClientMaker = Self.nobody,
        started: (SocketAddress) -> Void = { _ in },
        until stopped: () async -> Void
    ) async throws(HTTPServingError) {
        for warning in warnings {
            log.warning(
                "configuration.warning",
                ["code": .string(warning.code.rawValue), "text": .string(warning.text)]
            )
        }
        let upkeep = try revocation?.upkeep(client)
        // Given up, and waited for, where this function ends.
        async let _: Void = upkeep?.run() ?? ()
        try relay?.open(client)
        async let _: Void = relay?.work() ?? ()
        async let _: Void = clockWorker?.run() ?? ()
        async let _: Void = retryQuarantine()
        let serving = try engine(address, limits, observer, handler)
        let bound = try await serving.start()
        log.info(
            "server.started",
            ["listen": .string(bound.description), "apps": .integer(Int64(apps))]
        )
        started(bound)
        await stopped()
        log.info("server.stopping", ["grace": .duration(grace)])
        await serving.stop(grace: grace)
        log.info("server.stopped")
    }

    /// What could not be taken in under another configuration is judged again.
    private func retryQuarantine() async {
        guard let record else { return }
        do throws(StorageError) {
            let retry = try await NotificationInbox(record.intake, record.journal)
                .retryQuarantine()
            guard retry.accepted + retry.kept + retry.refused > 0 else { return }
            log.info(
                "quarantine.judged",
                [
                    "accepted": .integer(Int64(retry.accepted)),
                    "kept": .integer(Int64(retry.kept)),
                    "refused": .integer(Int64(retry.refused)),
                ]
            )
        } catch {
            log.error("quarantine.failed", error)
        }
    }
}

extension Configuration {
    /// The proxy through which other servers are asked.
    var proxyAddress: HTTPURL? {
        get throws(ConfigurationError) {
            guard let proxy else { return nil }
            do {
                return try HTTPURL(proxy)
            } catch {
                throw refusal(
                    ConfigurationError.invalidProxy,
                    at: .member(.document, "proxy"),
                    "cannot be used: \(error.reason)"
                )
            }
        }
    }

    /// Where to listen.
    fileprivate var address: SocketAddress {
        get throws(ConfigurationError) {
            do {
                return try SocketAddress(parsing: listen)
            } catch {
                throw refusal(
                    ConfigurationError.invalidAddress,
                    at: .member(.document, "listen"),
                    "cannot be used: \(error.reason)"
                )
            }
        }
    }

    /// Whose word about a client's address counts.
    fileprivate var proxies: [IPNetwork] {
        get throws(ConfigurationError) {
            var networks: [IPNetwork] = []
            for (index, text) in trustedProxies.enumerated() {
                guard let network = IPNetwork(text) else {
                    throw refusal(
                        ConfigurationError.invalidNetwork,
                        at: .element(.member(.document, "trustedProxies"), index),
                        "is \(text.prefix(64).debugDescription); expected an address, or a range "
                            + "such as \"10.0.0.0/8\" with no bits set beyond the prefix"
                    )
                }
                networks.append(network)
            }
            return networks
        }
    }

    fileprivate var proxyField: TrustedProxies.Field {
        switch clientAddressField {
        case .xForwardedFor: .xForwardedFor
        case .forwarded: .forwarded
        }
    }
}

extension HTTPLimits {
    /// The bounds that a configuration sets.
    fileprivate init(_ configuration: Configuration, proxies: [IPNetwork]) {
        self = .default
        exemptNetworks += proxies
        bodyBytes = configuration.maxBodyBytes
        bodyBytesInFlight = max(bodyBytesInFlight, 2 * configuration.maxBodyBytes)
        connections = configuration.limits.connections
        connectionsPerAddress = configuration.limits.connectionsPerAddress
        headDeadline = configuration.deadlines.head
        bodyDeadline = configuration.deadlines.body
        idleDeadline = configuration.deadlines.idle
    }
}
