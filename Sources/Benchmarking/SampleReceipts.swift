import AppStoreModel
package import AppStoreSimulator
package import CounterfoilBasics

/// Receipts to measure with: subscriptions of months, all of them different.
package struct SampleReceipts: Sendable {
    /// The app that they are of.
    package static let bundleId = "com.example.app"

    /// Who answers for them.
    package let authority: SigningAuthority
    private let issuer: AppReceiptIssuer
    private let now: Instant

    /// Begins to issue under an authority.
    package init(authority: SigningAuthority, now: Instant) {
        self.authority = authority
        self.now = now
        issuer = AppReceiptIssuer(authority: authority)
    }

    /// Begins to issue under a new authority, which takes a second.
    ///
    /// - Throws: `SimulatorError`.
    package init(now: Instant) throws {
        self.init(
            authority: try SigningAuthority(profile: AuthorityProfile(now: now, seed: 4)),
            now: now
        )
    }

    /// A receipt in PKCS#7 that differs from those with other indices in its ids and its date.
    ///
    /// - Throws: `SimulatorError`.
    package func receipt(_ index: Int, purchases: Int) throws -> [UInt8] {
        var receipt = AppReceipt(
            receiptType: .productionSandbox,
            bundleId: Self.bundleId,
            creationDate: now.advanced(by: .seconds(-60 - index % 100_000))
        )
        let first = 2_000_000_000_000_000 + index * purchases
        receipt.inApp = (0..<purchases).map { purchase($0, id: first + $0, originalId: first) }
        return try issuer.issue(receipt)
    }

    /// A request of verifyReceipt that holds such a receipt.
    ///
    /// - Throws: `SimulatorError`.
    package func request(_ index: Int, purchases: Int) throws -> [UInt8] {
        let receipt = try receipt(index, purchases: purchases)
        return Array("{\"receipt-data\":\"\(Base64.encode(receipt.span))\"}".utf8)
    }

    private func purchase(_ period: Int, id: Int, originalId: Int) -> InAppPurchase {
        let month: Int64 = 86_400 * 30
        let start = now.advanced(by: .seconds(-month * Int64(period % 120) - 3600))
        var purchase = InAppPurchase(
            productId: "\(Self.bundleId).pro.month",
            transactionId: String(id)
        )
        purchase.originalTransactionId = String(originalId)
        purchase.purchaseDate = start
        purchase.originalPurchaseDate = start
        purchase.expiresDate = start.advanced(by: .seconds(month))
        purchase.productType = .autoRenewableSubscription
        purchase.webOrderLineItemId = String(id + 100_000_000_000)
        purchase.isTrialPeriod = false
        purchase.isInIntroOfferPeriod = false
        return purchase
    }
}
