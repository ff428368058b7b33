import AppStoreModel
import AppStoreVerification
import CounterfoilBasics

/// What a small backend keeps of its subscribers, told by App Store Server Notifications alone.
public struct SubscriptionBackend {
    /// The newest word about one transaction, and about the renewal of one subscription: what was
    /// signed earlier changes nothing, in whatever order it arrives.
    private var transactions: [String: JWSTransactionDecodedPayload] = [:]
    private var renewals: [String: JWSRenewalInfoDecodedPayload] = [:]

    private let verifier: SignedDataVerifier
    private let app: ExpectedApp

    /// Makes a backend of one app that believes one trust: `.appStore` in production.
    public init(bundleId: String, trust: Trust) {
        verifier = SignedDataVerifier(trust: trust)
        app = ExpectedApp(bundleId: bundleId)
    }

    /// Takes the body of a notification in.
    ///
    /// - Throws: `VerificationError` for what the App Store did not sign for this app.
    public mutating func take(_ body: [UInt8], now: Instant) throws {
        let document = try Document(detecting: body)
        let notification = try verifier.notification(
            CompactJWS(document.bytes),
            of: app,
            now: now
        )
        if let found = notification.transaction?.content, let id = found.transactionId,
            let signed = found.signedDate, signed >= transactions[id]?.signedDate ?? signed
        {
            transactions[id] = found
        }
        if let found = notification.renewalInfo?.content, let id = found.originalTransactionId,
            let signed = found.signedDate, signed >= renewals[id]?.signedDate ?? signed
        {
            renewals[id] = found
        }
    }

    /// Whether a customer may use what was subscribed to.
    public func isEntitled(_ originalTransactionId: String, at now: Instant) -> Bool {
        let begun = transactions.values.compactMap { period in
            period.originalTransactionId == originalTransactionId
                ? period.purchaseDate.map { (began: $0, period: period) } : nil
        }
        // A refund of an older period says nothing of the present one.
        let newest = begun.filter { $0.began <= now }.max { $0.began < $1.began }?.period
        guard let newest else { return false }
        if let revoked = newest.revocationDate, revoked <= now { return false }
        if let end = newest.expiresDate, now < end { return true }
        let renewal = renewals[originalTransactionId]
        return renewal?.isInBillingRetryPeriod == true
            && renewal?.gracePeriodExpiresDate.map { now < $0 } ?? false
    }
}
