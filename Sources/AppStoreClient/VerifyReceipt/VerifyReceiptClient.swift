import AppStoreModel
package import CounterfoilBasics
import CounterfoilJSON
package import HTTP

/// Asks Apple's verifyReceipt, and brings back an answer that nobody signed.
///
/// What may be another answer in a moment is asked again, within bounds: Apple's passing statuses
/// as far as `is_retryable` lets, cut connections, HTTP's own errors, pages of HTML.
package struct VerifyReceiptClient: Sendable {
    /// Which addresses are asked.
    package enum Route: Hashable, Sendable {
        /// One first and, when that says that the receipt is of the other, the other, once. Apple
        /// tells clients to begin with production.
        case from(VerifyReceiptAddresses.Side)
        /// One alone.
        case only(VerifyReceiptAddresses.Side)
    }

    private let client: any HTTPCalling
    private let addresses: VerifyReceiptAddresses
    private let patience: Patience
    private let pace: any Pacing

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - client: Sends the requests; one that checks whom it speaks to and follows no redirects.
    ///   - addresses: Whom to ask.
    ///   - patience: How long and how often.
    ///   - pace: Measures and waits.
    package init(
        _ client: any HTTPCalling,
        at addresses: VerifyReceiptAddresses = .apple,
        patience: Patience = Patience(),
        pace: any Pacing = RealPace()
    ) {
        self.client = client
        self.addresses = addresses
        self.patience = patience
        self.pace = pace
    }

    /// What Apple answers to a question, whatever the status.
    ///
    /// - Throws: ``AppleFailure``, of the last attempt.
    package func ask(
        _ question: VerifyReceiptQuestion,
        _ route: Route = .from(.production)
    ) async throws(AppleFailure) -> AppleAnswer {
        let body = question.body
        let end = pace.elapsed + patience.deadline
        switch route {
        case .only(let side): return try await ask(body, at: side, until: end)
        case .from(let side):
            let first = try await ask(body, at: side, until: end)
            guard first.saysOtherSide else { return first }
            return try await ask(body, at: side.other, until: end)
        }
    }

    /// Asks one address until it says something that will not pass.
    private func ask(
        _ body: [UInt8],
        at side: VerifyReceiptAddresses.Side,
        until end: Duration
    ) async throws(AppleFailure) -> AppleAnswer {
        var random = SystemRandomNumberGenerator()
        var attempt = 1
        while true {
            let result = await askOnce(body, at: side, until: end)
            let isWorthRepeating =
                switch result {
                case .success(let answer):
                    patience.isWorthRepeating(answer.reply, after: attempt)
                case .failure(let failure): failure.isPassing
                }
            let pause = patience.pause(after: attempt, using: &random)
            guard isWorthRepeating, attempt < patience.attempts, pace.elapsed + pause < end
            else { return try result.get() }
            do {
                try await pace.wait(pause)
            } catch {
                throw AppleFailure(AppleFailure.failed, "nobody waits for the answer any more")
            }
            attempt += 1
        }
    }

    private func askOnce(
        _ body: [UInt8],
        at side: VerifyReceiptAddresses.Side,
        until end: Duration
    ) async -> Result<AppleAnswer, AppleFailure> {
        let url = addresses[side]
        let left = end - pace.elapsed
        guard left > .zero else {
            let words = "\(patience.deadline) passed before \(url.authority) was asked"
            return .failure(AppleFailure(AppleFailure.timedOut, words))
        }
        var call = HTTPCall(
            .post,
            url,
            fields: [.contentType: "application/json", .accept: "application/json"],
            body: body
        )
        call.deadline = min(patience.callDeadline, left)
        call.responseBytes = AppleAnswer.limits.bytes
        let response: HTTPResponse
        do {
            response = try await client.call(call)
        } catch {
            return .failure(AppleFailure(error))
        }
        do throws(AppleFailure) {
            return .success(try AppleAnswer(response, from: side, url.authority))
        } catch {
            return .failure(error)
        }
    }
}

extension AppleAnswer {
    /// Whether it says that the receipt belongs to the other address.
    fileprivate var saysOtherSide: Bool {
        status == (side == .production ? .sandboxReceipt : .productionReceipt)
    }
}
