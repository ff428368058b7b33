package import AppStoreClient
import AppStoreModel
package import AppStoreVerification
import CounterfoilBasics

/// What a client is answered in the end: our answer, or Apple's in its place.
package struct SettledAnswer: Sendable {
    /// The body: Apple's JSON.
    package let body: [UInt8]
    /// Apple's number of the status.
    package let statusNumber: Int
    /// Why the status is not 0.
    package let refusal: VerifyReceiptOutcome.Refusal?
    /// Whose word the body is; nil where it is ours, by proof or refusal.
    package let voucher: Voucher?
    /// The app, the environment and the realm, by proof or on that word.
    package let scope: Scope?
    /// Why Apple, who was asked first, is not the one who answers.
    package let failure: AppleFailure?
    /// Our own outcome.
    package let own: VerifyReceiptOutcome

    /// Our own answer.
    package init(_ own: VerifyReceiptOutcome, failure: AppleFailure? = nil) {
        body = own.json
        statusNumber = own.statusNumber
        refusal = own.refusal
        voucher = nil
        scope = own.scope
        self.failure = failure
        self.own = own
    }

    /// The answer that counts after asking.
    package init(_ own: VerifyReceiptOutcome, _ finding: RelayFinding) {
        if finding.decision.answer == .apples, let answer = finding.answer {
            self.init(own, answer, finding.vouched)
        } else {
            self.init(own, failure: finding.failure)
        }
    }

    /// Apple's answer in the place of ours.
    private init(
        _ own: VerifyReceiptOutcome,
        _ answer: AppleAnswer,
        _ vouched: Vouched<VerifyReceiptReply>?
    ) {
        body = answer.body
        statusNumber = answer.statusNumber
        refusal = AppleRefusal(answer).map { VerifyReceiptOutcome.Refusal($0) }
        voucher = .appleChannel(host: answer.host)
        scope = vouched?.scope
        failure = nil
        self.own = own
    }

    /// The environment in Apple's word.
    package var environment: String? { scope?.environment.rawValue }

    /// The realm of who answered for the receipt.
    package var realm: String? { scope?.realm.rawValue }

    /// The app's bundle identifier.
    package var bundleId: String? { scope?.bundleId }

    /// The host whose word the body is; nil where it is ours.
    package var vouchedBy: String? {
        if case .appleChannel(let host)? = voucher { host } else { nil }
    }
}

/// A refusal of Apple's that is passed on.
struct AppleRefusal: CodedError, Hashable {
    let code: ErrorCode
    let reason: String

    /// Nil for an answer that refuses nothing.
    fileprivate init?(_ answer: AppleAnswer) {
        switch answer.status {
        case .ok, .subscriptionExpired: return nil
        case .sandboxReceipt: code = VerifyReceiptRefusal.sandboxReceipt
        case .productionReceipt: code = VerifyReceiptRefusal.productionReceipt
        default: code = Self.refused
        }
        reason = "\(answer.host) answers with the status \(answer.statusNumber)"
    }

    /// Apple's own answer to what could not be decided here: the status says why it is a no.
    static let refused: ErrorCode = "apple.refused"
}
