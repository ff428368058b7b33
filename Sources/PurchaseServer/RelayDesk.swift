import AppStoreClient
import CounterfoilBasics
import HTTP
import PurchaseService
import Synchronization
import Telemetry

/// A server's asking Apple's verifyReceipt, where that is configured: before an answer or behind
/// it, with everything that is to be counted and written down.
struct RelayDesk: Sendable {
    private let relay: Relay
    private let queue: ShadowQueue
    private let parallel: Int
    private let proxy: HTTPURL?
    private let client = ClientToCome()
    private let log: Log
    private let metrics: RelayMetrics

    /// Nil where no app has Apple asked.
    init?(
        _ configuration: Configuration,
        _ apps: ConfiguredApps,
        _ pace: any Pacing,
        _ log: Log,
        _ registry: MetricRegistry
    ) throws(ConfigurationError) {
        guard apps.asksApple else { return nil }
        let settings = configuration.appleVerifyReceipt
        proxy = try configuration.proxyAddress
        parallel = settings.parallel
        relay = Relay(
            apps,
            VerifyReceiptClient(
                client,
                at: settings.addresses,
                patience: settings.patience,
                pace: pace
            ),
            parallel: settings.parallel
        )
        let queue = ShadowQueue(waiting: settings.waiting)
        self.queue = queue
        self.log = log
        metrics = RelayMetrics(registry) { Double(queue.waiting) }
    }

    /// Makes the client with which Apple is asked; until then every question fails.
    func open(_ makeClient: Server.ClientMaker) throws(HTTPServingError) {
        do {
            client.come(try makeClient(proxy))
        } catch {
            throw HTTPServingError(HTTPServingError.engineFailed, error.reason)
        }
    }

    /// Asks behind the answers until the task is cancelled.
    func work() async {
        await queue.run(parallel: parallel) { job in
            let finding = await ask(job.question, job.requestId)
            report(finding.fieldsDiffering(from: job.ours), job)
        }
    }

    /// The answer that counts in the end, asking first where that is configured.
    func settle(
        _ request: ExaminedRequest,
        _ ours: SettledAnswer,
        requestId: String
    ) async -> SettledAnswer {
        guard let question = relay.question(about: request) else { return ours }
        guard question.isWaitedFor else {
            let job = ShadowQueue.Job(question, answered: ours.body, requestId: requestId)
            if !queue.submit(job) { metrics.dropped.increment() }
            return ours
        }
        return SettledAnswer(request.outcome, await ask(question, requestId))
    }

    private func ask(_ question: RelayQuestion, _ requestId: String) async -> RelayFinding {
        let watch = Stopwatch()
        let finding = await relay.ask(question)
        // What was given up because the client left or the server stops is no failure of Apple's.
        guard !Task.isCancelled else { return finding }
        metrics.count(finding, question.mode, watch.elapsed)
        report(finding, question, requestId)
        return finding
    }
}

// MARK: - What is written down

extension RelayDesk {
    /// Verdicts that do not agree, and failures; never a value of a receipt.
    private func report(
        _ finding: RelayFinding,
        _ question: RelayQuestion,
        _ requestId: String
    ) {
        let report = finding.decision.report
        guard report != .agreement else { return }
        var fields: LogFields = [
            "requestId": .string(requestId),
            "bundleId": .string(question.bundleId),
            "mode": .string(question.mode.rawValue),
            "ours": .string(question.own.rawValue),
            "answered": .string(finding.decision.answer.rawValue),
        ]
        if let answer = finding.answer {
            fields.set("appleStatus", .integer(Int64(answer.statusNumber)))
            fields.set("host", .string(answer.host))
        }
        if let failure = finding.failure {
            fields.set("code", .string(failure.code.rawValue))
            fields.set("text", .string(failure.reason))
        }
        if report == .settlement {
            log.info("relay.settlement", fields)
        } else if report == .contradiction {
            log.warning("relay.contradiction", fields)
        } else {
            log.warning("relay.silence", fields)
        }
    }

    /// The most fields of one answer that get a line of their own.
    private static let mostLines = 32

    /// Fields in which two answers differ: where, how, and how often.
    private func report(_ fields: [DifferingField], _ job: ShadowQueue.Job) {
        for field in fields { metrics.count(field) }
        for field in fields.prefix(Self.mostLines) {
            log.info(
                "relay.difference",
                [
                    "requestId": .string(job.requestId),
                    "bundleId": .string(job.question.bundleId),
                    "field": .string(String(field.field.prefix(128))),
                    "difference": .string(field.kind.rawValue),
                    "count": .integer(Int64(field.count)),
                ]
            )
        }
    }
}

/// A client that is there only once the server runs.
private final class ClientToCome: HTTPCalling {
    private let client = Mutex<(any HTTPCalling)?>(nil)

    func come(_ client: any HTTPCalling) { self.client.withLock { $0 = client } }

    func call(_ call: HTTPCall) async throws(HTTPCallError) -> HTTPResponse {
        guard let client = client.withLock({ $0 }) else {
            throw HTTPCallError(HTTPCallError.stopped, "the server is not running")
        }
        return try await client.call(call)
    }
}
