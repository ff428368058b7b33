import CounterfoilBasics
import CounterfoilJSON
import HTTP
import Journal
import PurchaseService
import Telemetry

/// What App Store Connect posts to: 200 for what is durable, and for nothing else.
struct NotificationRoute: Sendable {
    let inbox: NotificationInbox
    let metrics: ServerMetrics
    let proxies: TrustedProxies
    let log: Log

    /// The common address of all apps, and that of one.
    static let path = "/notifications"
    static let pathOfApp = "/notifications/{bundleId}"

    /// How long whoever posted should wait before posting again, in seconds.
    private static let retrySeconds = 60

    /// Answers a body that was posted.
    func respond(to request: HTTPRequest, at bundleId: String?) async -> HTTPResponse {
        let watch = Stopwatch()
        let outcome = await inbox.take(request.body, at: bundleId)
        metrics.count(outcome)
        let identifier = CorrelationIdentifier().description
        var response = Self.response(outcome)
        response.fields.append(.requestId, identifier)
        var line = RequestLine(request, proxies, response.status, watch.elapsed).fields
        line.set("route", .string(bundleId == nil ? Self.path : Self.pathOfApp))
        line.set("requestId", .string(identifier))
        line.set("outcome", .string(outcome.word))
        if case .accepted(let committed) = outcome {
            line.set("entry", .string(committed.position.description))
            line.set("wasKnown", .boolean(committed.wasKnown))
        }
        if let refusal = outcome.refusal {
            line.set("code", .string(refusal.code.rawValue))
            line.set("reason", .string(refusal.reason))
        }
        log.info("notification", line)
        return response
    }

    private static func response(_ outcome: InboxOutcome) -> HTTPResponse {
        switch outcome {
        case .accepted(let committed): return accepted(committed)
        case .quarantined(let refusal), .unavailable(let refusal):
            var response = problem(.serviceUnavailable, refusal.code)
            response.fields.append(.retryAfter, String(retrySeconds))
            return response
        case .refused(let refusal): return problem(.forbidden, refusal.code)
        case .unreadable(let refusal):
            return problem(.badRequest, refusal.code, detail: refusal.reason)
        }
    }

    /// Success, which only a commit is.
    private static func accepted(_ committed: Committed) -> HTTPResponse {
        var fields: HTTPFields = [.cacheControl: "no-store"]
        fields.append(.entry, committed.position.description)
        return HTTPResponse(.ok, fields: fields)
    }

    /// A problem as RFC 9457 has it.
    ///
    /// What was found and expected of a signature or a secret stands in the log alone: anybody may
    /// post here.
    private static func problem(
        _ status: HTTPStatus,
        _ code: ErrorCode,
        detail: String? = nil
    ) -> HTTPResponse {
        var object: JSONObject = [
            "type": .string("about:blank"),
            "status": JSONValue(Int64(status.code)),
            "code": .string(code.rawValue),
        ]
        if let detail { object["detail"] = .string(detail) }
        var fields: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store",
        ]
        fields.append(.code, code.rawValue)
        return HTTPResponse(status, fields: fields, body: JSONValue.object(object).document())
    }
}

extension InboxOutcome {
    /// What came of it, in one word of log lines and metrics.
    var word: String {
        switch self {
        case .accepted(let committed): committed.wasKnown ? "duplicate" : "accepted"
        case .quarantined: "quarantined"
        case .refused: "refused"
        case .unreadable: "unreadable"
        case .unavailable: "unavailable"
        }
    }

    /// Why it was not taken in; nil where it was.
    var refusal: InboxRefusal? {
        switch self {
        case .accepted: nil
        case .quarantined(let refusal), .refused(let refusal), .unreadable(let refusal),
            .unavailable(let refusal):
            refusal
        }
    }
}

extension HTTPFieldName {
    /// The entry of the journal that holds what was posted.
    fileprivate static let entry: HTTPFieldName = {
        guard let field = HTTPFieldName("Counterfoil-Entry") else {
            preconditionFailure("it is a field name")
        }
        return field
    }()
}
