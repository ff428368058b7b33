public import AppStoreModel
import CounterfoilBasics

/// A receipt that somebody asks the App Store about, once it is proved (Apple, "requestBody").
public struct StoreReceiptRequest: Hashable, Sendable {
    /// The two kinds of receipt.
    public enum Receipt: Hashable, Sendable {
        /// An app receipt.
        case app(AppReceipt)
        /// An iOS 6-style receipt of one transaction.
        case transaction(TransactionReceipt)
    }

    /// What the receipt says.
    public var receipt: Receipt
    /// The environment of the address that it came to.
    public var environment: StoreEnvironment
    /// The shared secret that came with it.
    public var password: String?
    /// `exclude-old-transactions`: of each subscription product only the newest transaction.
    public var excludesOldTransactions = false

    /// Describes a request.
    public init(
        _ receipt: Receipt,
        to environment: StoreEnvironment,
        password: String? = nil
    ) {
        self.receipt = receipt
        self.environment = environment
        self.password = password
    }
}

/// An answer of verifyReceipt before the receipt in it is signed.
public struct StoreReceiptAnswer: Hashable, Sendable {
    /// What is answered.
    enum Content: Hashable, Sendable {
        /// A status that stands for a refusal.
        case status(VerifyReceiptStatus)
        /// An app receipt, and what its customer has where that includes a subscription that renews
        /// by itself.
        case app(AppReceipt, CustomerRecord?, excludesOld: Bool)
        /// A receipt of one transaction, its subscription's newest one, and its lineage.
        case transaction(TransactionReceipt, latest: TransactionReceipt?, Lineage)
    }

    let content: Content
    /// The environment of the store.
    let environment: StoreEnvironment
    /// When it was asked for.
    let at: Instant

    /// The answer, with the newest receipt in it signed.
    ///
    /// - Throws: `issue.not_representable`, `issue.key_unusable`.
    public func response(
        signedBy authority: SigningAuthority
    ) throws(SimulatorError) -> VerifyReceiptResponse {
        switch content {
        case .status(let status): return refusal(status)
        case .app(let receipt, let customer, let excludesOld):
            var answer = AppReceiptAnswer(receipt: receipt, requestDate: at)
            if let customer {
                answer.subscriptions = .init(
                    latestReceiptInfo: customer.latestTransactions(excludingOld: excludesOld)
                        .map { .known($0) },
                    latestReceipt: try customer.receipt.signed(by: authority),
                    pendingRenewalInfo: customer.pendingRenewals
                )
            }
            return VerifyReceiptResponse(answer, environment: environment)
        case .transaction(let receipt, let latest, let lineage):
            var answer = TransactionReceiptAnswer(receipt: receipt)
            if let latest {
                let bytes = try TransactionReceiptIssuer(authority: authority).issue(latest)
                answer.subscription = subscription(
                    lineage,
                    latest.shown(lineage.newest, of: lineage, at: at),
                    bytes
                )
            }
            return VerifyReceiptResponse(answer)
        }
    }

    private func refusal(_ status: VerifyReceiptStatus) -> VerifyReceiptResponse {
        var response = VerifyReceiptResponse(status: status)
        if status == .accountNotFound {
            response.environment = environment
            response.isRetryable = false
        }
        return response
    }

    /// The flat keys of a subscription, over once its newest period is, whatever follows.
    private func subscription(
        _ lineage: Lineage,
        _ latest: TransactionReceipt,
        _ latestReceipt: [UInt8]
    ) -> TransactionReceiptAnswer.Subscription? {
        guard let renewal = lineage.pendingRenewal else { return nil }
        let isExpired = lineage.newest.expiresDate.map { $0 <= at } ?? false
        var latest = latest
        if isExpired {
            // Apple's answers have it in the receipt alone.
            latest.purchaseInfo.removeAll { $0.key == "version-external-identifier" }
        }
        var subscription = TransactionReceiptAnswer.Subscription(
            latest: latest,
            latestReceipt: latestReceipt,
            autoRenewStatus: renewal.autoRenewStatus,
            autoRenewProductId: renewal.autoRenewProductId,
            isExpired: isExpired
        )
        guard at >= FormatDate.renewals else {
            (subscription.autoRenewStatus, subscription.autoRenewProductId) = (nil, nil)
            return subscription
        }
        subscription.expirationIntent = renewal.expirationIntent
        subscription.isInBillingRetryPeriod = renewal.isInBillingRetryPeriod
        return subscription
    }
}
