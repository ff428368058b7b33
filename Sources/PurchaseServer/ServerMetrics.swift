import CounterfoilBasics
import HTTP
import PurchaseService
import Telemetry

/// What a server counts, under names that docs/VERIFY_RECEIPT.md lists.
struct ServerMetrics: Sendable {
    let registry: MetricRegistry
    /// Requests that are being answered.
    let inFlight: Gauge

    private let requests: MetricFamily<Counter>
    private let latency: MetricFamily<Histogram>
    private let answers: MetricFamily<Counter>
    private let refusals: MetricFamily<Counter>
    private let cuts: MetricFamily<Counter>

    init() {
        registry = MetricRegistry()
        inFlight = registry.gauge(
            "counterfoil_http_requests_in_flight",
            "Requests that are being answered."
        )
        requests = registry.counters(
            "counterfoil_http_requests_total",
            "Requests answered, by route and class of HTTP status.",
            labels: ["route", "status"]
        )
        latency = registry.histograms(
            "counterfoil_http_request_duration_seconds",
            "Time from the whole request to its whole answer, by route.",
            labels: ["route"]
        )
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
        registry.addProcessMetrics()
    }

    /// Counts an answered request; one without a route is counted as `none`.
    func count(route: String?, _ status: HTTPStatus, _ duration: Duration) {
        let route = route ?? "none"
        requests(route, "\(status.code / 100)xx").increment()
        latency(route).observe(duration)
    }

    /// Counts an answer of verifyReceipt; codes are ours, so there are only so many.
    func count(_ outcome: VerifyReceiptOutcome) {
        answers(String(outcome.statusNumber), outcome.refusal?.code.rawValue ?? "none")
            .increment()
    }

    /// Counts what no handler sees, and writes down a refusal.
    func count(_ event: HTTPServerEvent, _ log: Log) {
        switch event {
        case .refused(let refusal):
            refusals(refusal.code.rawValue).increment()
            log.info(
                "request.refused",
                [
                    "httpStatus": .integer(Int64(refusal.status.code)),
                    "code": .string(refusal.code.rawValue),
                ]
            )
        case .connectionDropped: cuts("dropped").increment()
        case .deadlinePassed(let deadline): cuts("deadline_\(deadline.rawValue)").increment()
        case .clientLeft: cuts("client_left").increment()
        case .streamCut: cuts("stream_cut").increment()
        }
    }
}
