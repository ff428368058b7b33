import CounterfoilBasics
import HTTP
import PurchaseService
import Telemetry

/// What is at which path, and what is counted and written down of each request.
struct Routes: Sendable {
    let verifyReceipt: VerifyReceipt
    let relay: RelayDesk?
    /// Where notifications are taken in; nil where no record is kept.
    let inbox: NotificationInbox?
    let metrics: ServerMetrics
    let proxies: TrustedProxies
    let clock: any WallClock
    let log: Log

    /// Apple's two addresses are told apart by their hosts; here they are two paths.
    static let production = "/verifyReceipt"
    static let sandbox = "/sandbox/verifyReceipt"
    private static let health = "/healthz"
    private static let exposition = "/metrics"

    /// Every path that there is.
    static let paths = [
        production, sandbox, NotificationRoute.path, NotificationRoute.pathOfApp, health,
        exposition,
    ]

    /// The paths whose routes write lines of their own.
    private static let ownLines = [
        production, sandbox, NotificationRoute.path, NotificationRoute.pathOfApp,
    ]

    /// Answers every request.
    var handler: HTTPHandler {
        let router = router
        let metrics = metrics
        return { request in
            metrics.inFlight.add(1)
            defer { metrics.inFlight.add(-1) }
            return await router.respond(to: request)
        }
    }

    private var router: Router {
        var router = Router(onError: logError, onAnswer: countAnswer)
        let addresses: [(String, VerifyReceiptRequest.Address)] = [
            (Self.production, .production), (Self.sandbox, .sandbox),
        ]
        let largeBodies = VerifyReceiptRoute.gateForLargeBodies()
        for (path, address) in addresses {
            let route = VerifyReceiptRoute(
                path: path,
                address: address,
                useCase: verifyReceipt,
                relay: relay,
                metrics: metrics,
                proxies: proxies,
                clock: clock,
                log: log,
                largeBodies: largeBodies
            )
            // Whatever the method: Apple answers other ones with a status, not with 405.
            router.on(path: path) { request in await route.respond(to: request) }
        }
        if let inbox {
            let route = NotificationRoute(
                inbox: inbox,
                metrics: metrics,
                proxies: proxies,
                log: log
            )
            router.on(.post, path: NotificationRoute.path) { request in
                await route.respond(to: request, at: nil)
            }
            router.on(.post, path: NotificationRoute.pathOfApp) { request in
                await route.respond(to: request, at: request.pathParameters["bundleId"])
            }
        }
        router.on(.get, path: Self.health) { _ in .text(.ok, "ok\n") }
        let registry = metrics.registry
        router.on(.get, path: Self.exposition) { _ in
            .content(.ok, MetricRegistry.contentType, registry.exposition())
        }
        return router
    }

    @Sendable private func logError(
        _ error: any Error,
        _ request: HTTPRequest,
        _ correlation: CorrelationIdentifier
    ) {
        log.error("request.failed", error, ["requestId": .string(correlation.description)])
    }

    /// Counts an answer, and writes the line of those whose routes have written none.
    @Sendable private func countAnswer(
        _ pattern: String?,
        _ request: HTTPRequest,
        _ response: HTTPResponse,
        _ duration: Duration
    ) {
        metrics.count(route: pattern, response.status, duration)
        guard pattern.map({ !Self.ownLines.contains($0) }) ?? true else { return }
        var fields = RequestLine(request, proxies, response.status, duration).fields
        fields.set("route", pattern.map { .string($0) } ?? .null)
        // Of a path that is no route, so much that a mistyped one can be recognised.
        if pattern == nil { fields.set("path", .string(String(request.path.prefix(128)))) }
        log.info("request", fields)
    }
}

/// What a log line says of any request: nothing of its body, its query or its header fields.
struct RequestLine {
    private(set) var fields: LogFields

    init(
        _ request: HTTPRequest,
        _ proxies: TrustedProxies,
        _ status: HTTPStatus,
        _ duration: Duration
    ) {
        fields = [
            "method": .string(String(request.method.rawValue.prefix(16))),
            "httpStatus": .integer(Int64(status.code)),
            "remoteAddress": .address(proxies.client(of: request.sender)),
            "bytesIn": .integer(Int64(request.body.count)),
            "durationMicroseconds": .integer(duration.microseconds),
        ]
    }
}

extension LogValue {
    /// The address of a client; null where none is known.
    static func address(_ address: IPAddress?) -> LogValue {
        address.map { .string($0.description) } ?? .null
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000).partialValue
            &+ attoseconds / 1_000_000_000_000
    }
}
