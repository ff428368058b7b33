import AppStoreVerification
import CounterfoilBasics
import HTTP
import PurchaseService
import Telemetry

/// What a server counts, under names that docs/VERIFY_RECEIPT.md lists.
struct ServerMetrics: Sendable {
    let registry: MetricRegistry
    /// Requests that are being answered.
    let inFlight: Gauge

    /// By route; what has none is counted as `none`.
    private let routes: [String: RouteMetrics]
    private let unrouted: RouteMetrics
    private let answers: MetricFamily<Counter>
    private let refusals: MetricFamily<Counter>
    private let cuts: MetricFamily<Counter>
    private let revocations: MetricFamily<Counter>
    private let notifications: MetricFamily<Counter>

    init() {
        registry = MetricRegistry()
        inFlight = registry.gauge(
            "counterfoil_http_requests_in_flight",
            "Requests that are being answered."
        )
        let requests = registry.counters(
            "counterfoil_http_requests_total",
            "Requests answered, by route and class of HTTP status.",
            labels: ["route", "status"]
        )
        let latency = registry.histograms(
            "counterfoil_http_request_duration_seconds",
            "Time from the whole request to its whole answer, by route.",
            labels: ["route"]
        )
        routes = Dictionary(
            uniqueKeysWithValues: Routes.paths.map { ($0, RouteMetrics($0, requests, latency)) }
        )
        unrouted = RouteMetrics("none", requests, latency)
        answers = registry.counters(
            "counterfoil_verify_receipt_answers_total",
            "Answers of verifyReceipt, by Apple's status and our code.",
            labels: ["status", "code"]
        )
        refusals = registry.counters(
            "counterfoil_http_refusals_total",
            "Requests refused before they reached a route, by code.",
            labels: ["code"]
        )
        cuts = registry.counters(
            "counterfoil_http_connections_cut_total",
            "Connections ended before an answer was complete, by cause.",
            labels: ["cause"]
        )
        revocations = registry.counters(
            "counterfoil_revocation_requests_total",
            "Certificates asked about, by what is known then, or by the code of the failure.",
            labels: ["result"]
        )
        notifications = registry.counters(
            "counterfoil_notifications_total",
            "Notifications posted, by what came of them and the code of the refusal.",
            labels: ["outcome", "code"]
        )
        registry.addProcessMetrics()
    }

    /// Counts an answered request.
    func count(route: String?, _ status: HTTPStatus, _ duration: Duration) {
        let metrics = route.flatMap { routes[$0] } ?? unrouted
        metrics.count(status, duration)
    }

    /// Counts an answer of verifyReceipt; codes are ours, so there are only so many.
    func count(_ answer: SettledAnswer) {
        answers(String(answer.statusNumber), answer.refusal?.code.rawValue ?? "none")
            .increment()
    }

    /// Counts a notification that was posted.
    func count(_ outcome: InboxOutcome) {
        notifications(outcome.word, outcome.refusal?.code.rawValue ?? "none").increment()
    }

    /// Counts what came of asking about a certificate.
    func count(_ news: RevocationNews) {
        let result =
            switch (news.error, news.status) {
            case (let error?, _): error.code.rawValue
            case (nil, .some(.revoked)): "revoked"
            case (nil, _): "good"
            }
        revocations(result).increment()
    }

    /// Counts what no handler sees, and writes down a refusal.
    func count(_ event: HTTPServerEvent, _ proxies: TrustedProxies, _ log: Log) {
        switch event {
        case .refused(let refusal, let sender):
            refusals(refusal.code.rawValue).increment()
            log.info(
                "request.refused",
                [
                    "httpStatus": .integer(Int64(refusal.status.code)),
                    "code": .string(refusal.code.rawValue),
                    "remoteAddress": .address(proxies.client(of: sender)),
                ]
            )
        case .connectionDropped: cuts("dropped").increment()
        case .deadlinePassed(let deadline): cuts("deadline_\(deadline.rawValue)").increment()
        case .clientLeft: cuts("client_left").increment()
        case .streamCut: cuts("stream_cut").increment()
        }
    }
}

/// The instruments of one route, made once so that counting looks nothing up.
private struct RouteMetrics: Sendable {
    private let latency: Histogram
    /// By the first digit of the status, from 2 to 5.
    private let requests: [Counter]

    init(_ route: String, _ requests: MetricFamily<Counter>, _ latency: MetricFamily<Histogram>) {
        self.latency = latency(route)
        self.requests = (2...5).map { requests(route, "\($0)xx") }
    }

    func count(_ status: HTTPStatus, _ duration: Duration) {
        requests[status.code / 100 - 2].increment()
        latency.observe(duration)
    }
}
