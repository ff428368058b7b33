import AppStoreClient
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
    let relay: RelayDesk?
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
        let examined: ExaminedRequest
        var answer: SettledAnswer
        if request.body.count > Self.largeBytes {
            do {
                (examined, answer) = try await largeBodies.run(.ordinary) { examine(request) }
            } catch {
                // The client left while its body waited: nobody will read this.
                return HTTPRefusal.overloaded.response
            }
        } else {
            (examined, answer) = examine(request)
        }
        let identifier = CorrelationIdentifier().description
        if let relay {
            answer = await relay.settle(examined, answer, requestId: identifier)
        }
        return response(to: request, answer, identifier, watch)
    }

    private func examine(_ request: HTTPRequest) -> (ExaminedRequest, SettledAnswer) {
        let examined = useCase.examine(
            VerifyReceiptRequest(
                address,
                isPOST: request.method == .post,
                body: request.body,
                receivedAt: clock.now
            )
        )
        return (examined, SettledAnswer(examined.outcome))
    }

    private func response(
        to request: HTTPRequest,
        _ answer: SettledAnswer,
        _ identifier: String,
        _ watch: Stopwatch
    ) -> HTTPResponse {
        metrics.count(answer)
        var line = RequestLine(request, proxies, .ok, watch.elapsed).fields
        line.set("route", .string(path))
        line.set("requestId", .string(identifier))
        line.set("bytesOut", .integer(Int64(answer.body.count)))
        line.add(answer)
        log.info("request", line)
        return HTTPResponse(.ok, fields: Self.fields(answer, identifier), body: answer.body)
    }

    private static let commonFields: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]

    private static func fields(_ answer: SettledAnswer, _ identifier: String) -> HTTPFields {
        var fields = commonFields
        fields.append(.requestId, identifier)
        if let refusal = answer.refusal { fields.append(.code, refusal.code.rawValue) }
        if let failure = answer.failure { fields.append(.relayCode, failure.code.rawValue) }
        // What is said of our own answer does not hold for another's.
        if let host = answer.vouchedBy {
            fields.append(.vouchedBy, host)
            return fields
        }
        let notes = answer.own.noteCodes
        if !notes.isEmpty { fields.append(.notes, notes.joined(separator: ", ")) }
        if !answer.own.inferred.isEmpty {
            fields.append(.inferred, answer.own.inferred.joined(separator: ", "))
        }
        if answer.own.isWorthRepeating { fields.append(.retryAfter, String(retrySeconds)) }
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
    /// The host whose word the answer is, where it is not ours.
    static let vouchedBy = ours("Counterfoil-Vouched-By")
    /// Why Apple, who was asked first, did not answer.
    static let relayCode = ours("Counterfoil-Relay-Code")
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
    fileprivate mutating func add(_ answer: SettledAnswer) {
        set("status", .integer(Int64(answer.statusNumber)))
        set("code", answer.refusal.map { .string($0.code.rawValue) } ?? .null)
        if let refusal = answer.refusal { set("reason", .string(refusal.reason)) }
        set("environment", answer.environment.map { .string($0) } ?? .null)
        set("realm", answer.realm.map { .string($0) } ?? .null)
        set("bundleId", answer.bundleId.map { .string($0) } ?? .null)
        set("appMatched", answer.own.appMatched.map { .boolean($0) } ?? .null)
        set("purchases", answer.own.purchases.map { .integer(Int64($0)) } ?? .null)
        let notes = answer.own.noteCodes
        if !notes.isEmpty { set("notes", .list(notes.map { .string($0) })) }
        if let host = answer.vouchedBy { set("vouchedBy", .string(host)) }
        if let failure = answer.failure { set("relayCode", .string(failure.code.rawValue)) }
    }
}
