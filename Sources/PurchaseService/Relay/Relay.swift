package import AppStoreClient
package import AppStoreModel
package import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import Synchronization

/// Asks Apple's verifyReceipt about receipts, where an app's configuration says so, and decides
/// whose answer counts.
package struct Relay: Sendable {
    private let apps: ConfiguredApps
    private let client: VerifyReceiptClient
    private let places: Places

    /// Makes a relay.
    ///
    /// - Parameters:
    ///   - apps: The apps that are served, each with its mode.
    ///   - client: Asks.
    ///   - parallel: How many questions that clients wait for may be on their way. A further one is
    ///     not asked but answered here at once, so that an outage of Apple's fills no queue of ours.
    package init(_ apps: ConfiguredApps, _ client: VerifyReceiptClient, parallel: Int) {
        self.apps = apps
        self.client = client
        places = Places(parallel)
    }

    /// What is to be asked about a request; nil where nobody is.
    ///
    /// Only receipts are asked about: Apple's endpoint reads nothing else. A receipt that is not
    /// proved is asked about for the app that it names itself, which Apple's answer must confirm.
    package func question(about request: ExaminedRequest) -> RelayQuestion? {
        guard let document = request.document, let own = OwnVerdict(request.outcome),
            document.kind == .appReceipt || document.kind == .transactionReceipt,
            let app = app(of: request.outcome, document)
        else { return nil }
        let asking = RelayDecision.asking(app.relay, own)
        guard asking != .never, let route = route(request, app) else { return nil }
        return RelayQuestion(request, document, app, own, asking, route)
    }

    private func app(of outcome: VerifyReceiptOutcome, _ document: Document) -> AppConfiguration? {
        if let scope = outcome.scope { return apps.configuration(of: scope) }
        switch UnprovedReceipt(reading: document).claims {
        case .appReceipt(let receipt): return apps.configuration(ofUnproved: receipt.bundleId)
        case .transactionReceipt(let receipt):
            return apps.configuration(ofUnproved: receipt.bundleId)
        case nil: return nil
        }
    }

    /// Whom to ask: the address that the environment of a proved receipt belongs to, else the one
    /// that the request came to; nil where it is of an environment that is not served.
    private func route(
        _ request: ExaminedRequest,
        _ app: AppConfiguration
    ) -> VerifyReceiptClient.Route? {
        let served = Set(app.environments.compactMap(VerifyReceiptAddresses.Side.init))
        if let scope = request.outcome.scope {
            return VerifyReceiptAddresses.Side(scope.environment).map { .only($0) }
        }
        let side = VerifyReceiptAddresses.Side(request.address)
        guard served.contains(side) else { return nil }
        let follows = side == .production && app.environmentRule == .automatic
        return follows && served.contains(side.other) ? .from(side) : .only(side)
    }
}

/// A question to Apple about one request, with what we found ourselves.
package struct RelayQuestion: Sendable {
    /// When the app has Apple asked.
    package let mode: RelayMode
    /// What we found ourselves.
    package let own: OwnVerdict
    /// Whether the client waits for Apple's answer.
    package let isWaitedFor: Bool
    /// The app that the receipt is of or, where it is not proved, names.
    package let bundleId: String
    /// How many bytes the question keeps in memory.
    package let bytes: Int

    fileprivate let content: VerifyReceiptQuestion
    fileprivate let route: VerifyReceiptClient.Route
    fileprivate let app: AppConfiguration

    fileprivate init(
        _ request: ExaminedRequest,
        _ document: Document,
        _ app: AppConfiguration,
        _ own: OwnVerdict,
        _ asking: RelayDecision.Asking,
        _ route: VerifyReceiptClient.Route
    ) {
        mode = app.relay
        self.own = own
        isWaitedFor = asking == .before
        bundleId = app.bundleId
        bytes = document.bytes.count
        content = VerifyReceiptQuestion(
            about: document.bytes,
            password: request.password,
            excludingOldTransactions: request.excludesOldTransactions
        )
        self.route = route
        self.app = app
    }
}

/// What came of asking Apple.
package struct RelayFinding: Sendable {
    /// Whose answer counts, and what there is to report.
    package let decision: RelayDecision
    /// What Apple answered; nil where there is a failure.
    package let answer: AppleAnswer?
    /// Apple's word for the receipt in the answer, where there is one.
    package let vouched: Vouched<VerifyReceiptReply>?
    /// Why Apple's answer cannot be relied on, whatever it says.
    package let failure: AppleFailure?
}

// MARK: - Asking

extension Relay {
    /// Asks, and decides.
    package func ask(_ question: RelayQuestion) async -> RelayFinding {
        do {
            let answer = try await answer(to: question)
            return try finding(answer, question)
        } catch {
            return RelayFinding(
                decision: RelayDecision(question.mode, question.own, .nothing),
                answer: nil,
                vouched: nil,
                failure: error
            )
        }
    }

    private func answer(to question: RelayQuestion) async throws(AppleFailure) -> AppleAnswer {
        guard question.isWaitedFor else {
            return try await client.ask(question.content, question.route)
        }
        guard places.take() else {
            throw AppleFailure(
                AppleFailure.busy,
                "\(places.count) questions are on their way, expected at most that many"
            )
        }
        defer { places.giveBack() }
        return try await client.ask(question.content, question.route)
    }

    private func finding(
        _ answer: AppleAnswer,
        _ question: RelayQuestion
    ) throws(AppleFailure) -> RelayFinding {
        let verdict = AppleVerdict(answer.status)
        return RelayFinding(
            decision: RelayDecision(question.mode, question.own, verdict),
            answer: answer,
            vouched: verdict == .receipt ? try vouch(for: answer, question.app) : nil,
            failure: nil
        )
    }

    /// Apple's word, which must be about the app whose receipt was sent.
    private func vouch(
        for answer: AppleAnswer,
        _ app: AppConfiguration
    ) throws(AppleFailure) -> Vouched<VerifyReceiptReply> {
        let vouched: Vouched<VerifyReceiptReply>
        do {
            vouched = try Vouched(
                answer.reply,
                from: answer.host,
                answering: answer.side == .production ? .production : .sandbox,
                realm: app.authority.realm
            )
        } catch {
            throw AppleFailure(AppleFailure.otherReceipt, "\(error.code) \(error.reason)")
        }
        guard vouched.scope.bundleId.hasSameUTF8(as: app.bundleId) else {
            throw AppleFailure(
                AppleFailure.otherReceipt,
                "\(answer.host) answers about another app than \(app.bundleId)"
            )
        }
        if let expected = app.appAppleId, let found = vouched.content.appAppleId,
            found != expected
        {
            throw AppleFailure(
                AppleFailure.otherReceipt,
                "\(answer.host) names the Apple ID \(found) for \(app.bundleId); \(expected) is "
                    + "configured"
            )
        }
        return vouched
    }
}

/// A number of places, which are taken at once or not at all.
private final class Places: Sendable {
    let count: Int
    private let taken = Mutex(0)

    init(_ count: Int) { self.count = count }

    func take() -> Bool {
        taken.withLock { taken in
            guard taken < count else { return false }
            taken += 1
            return true
        }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}

extension VerifyReceiptAddresses.Side {
    /// The address of an environment; nil for one that Apple's endpoint knows nothing of.
    fileprivate init?(_ environment: StoreEnvironment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        default: return nil
        }
    }

    fileprivate init(_ address: VerifyReceiptRequest.Address) {
        switch address {
        case .production: self = .production
        case .sandbox: self = .sandbox
        }
    }
}
