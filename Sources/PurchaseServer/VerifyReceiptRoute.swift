import CounterfoilBasics
import HTTP
import PurchaseService
import Telemetry

/// verifyReceipt over HTTP: always 200 with Apple's body; what is ours stands in header fields and
/// in the log line (docs/VERIFY_RECEIPT.md).
struct VerifyReceiptRoute: Sendable {
    let path: String
    let address: VerifyReceiptRequest.Address
    let useCase: VerifyReceipt
    let metrics: ServerMetrics
    let proxies: TrustedProxies
    let clock: any WallClock
    let log: Log
    /// Lets few large bodies be answered at a time.
    let largeBodies: AdmissionControl

    /// How many bytes make a body large.
    ///
    /// While it is answered it stands in memory several times over: as it came, decoded, and in its
    /// answer.
    private static let largeBytes = 1 << 20

    /// A gate for large bodies; how many wait at it is bounded by how many may arrive.
    static func gateForLargeBodies() -> AdmissionControl {
        AdmissionControl(running: 2, waiting: .max)
    }

    /// How long a client should wait before it asks again about an undecided receipt, in seconds.
    static let retrySeconds = 60

    /// Answers a request of any method, with any content type.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let watch = Stopwatch()
        guard request.body.count > Self.largeBytes else { return answer(request, watch) }
        do {
            return try await largeBodies.run(.ordinary) { answer(request, watch) }
        } catch {
            // The client left while its body waited: nobody will read this.
            return HTTPRefusal.overloaded.response
        }
    }

    private func answer(_ request: HTTPRequest, _ watch: Stopwatch) -> HTTPResponse {
        let outcome = useCase.answer(
            VerifyReceiptRequest(
                address,
                isPOST: request.method == .post,
                body: request.body,
                receivedAt: clock.now
            )
        )
        let body = outcome.json
        metrics.count(outcome)
        let identifier = CorrelationIdentifier().description
        var line = RequestLine(request, proxies, .ok, watch.elapsed).fields
        line.set("route", .string(path))
        line.set("requestId", .string(identifier))
        line.set("bytesOut", .integer(Int64(body.count)))
        line.add(outcome)
        log.info("request", line)
        return HTTPResponse(.ok, fields: Self.fields(outcome, identifier), body: body)
    }

    private static let commonFields: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]

    private static func fields(
        _ outcome: VerifyReceiptOutcome,
        _ identifier: String
    ) -> HTTPFields {
        var fields = commonFields
        fields.append(.requestId, identifier)
        if let refusal = outcome.refusal { fields.append(.code, refusal.code.rawValue) }
        let notes = outcome.noteCodes
        if !notes.isEmpty { fields.append(.notes, notes.joined(separator: ", ")) }
        if !outcome.inferred.isEmpty {
            fields.append(.inferred, outcome.inferred.joined(separator: ", "))
        }
        if outcome.isWorthRepeating { fields.append(.retryAfter, String(retrySeconds)) }
        return fields
    }
}

extension HTTPFieldName {
    /// The stable code of a refusal.
    static let code = ours("Counterfoil-Code")
    /// The codes of remarks about a receipt, separated by commas.
    static let notes = ours("Counterfoil-Notes")
    /// The keys of the answer whose values were inferred, separated by commas.
    static let inferred = ours("Counterfoil-Inferred")
    /// What joins an answer to its log line.
    static let requestId = ours("Counterfoil-Request-Id")

    private static func ours(_ name: String) -> HTTPFieldName {
        guard let field = HTTPFieldName(name) else {
            preconditionFailure("\(name) is no field name")
        }
        return field
    }
}

extension LogFields {
    /// What a log line says of an answer: no receipt bytes, no password, no identifier of a device.
    fileprivate mutating func add(_ outcome: VerifyReceiptOutcome) {
        set("status", .integer(Int64(outcome.statusNumber)))
        set("code", outcome.refusal.map { .string($0.code.rawValue) } ?? .null)
        if let refusal = outcome.refusal { set("reason", .string(refusal.reason)) }
        set("environment", outcome.environment.map { .string($0) } ?? .null)
        set("realm", outcome.realm.map { .string($0) } ?? .null)
        set("bundleId", outcome.bundleId.map { .string($0) } ?? .null)
        set("appMatched", outcome.appMatched.map { .boolean($0) } ?? .null)
        set("purchases", outcome.purchases.map { .integer(Int64($0)) } ?? .null)
        let notes = outcome.noteCodes
        if !notes.isEmpty { set("notes", .list(notes.map { .string($0) })) }
    }
}
