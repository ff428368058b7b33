import AppStoreModel
import CounterfoilBasics

// What the App Store knows of a customer beyond the receipt (Apple, "latest_receipt_info" and
// "pending_renewal_info").
extension CustomerRecord {
    /// Everything bought or shared, the newest first.
    ///
    /// - Parameters:
    ///   - concerned: A transaction that is among them although no receipt lists it, because a
    ///     notification tells of it.
    ///   - excludesOld: Of each product that is a subscription only the newest.
    /// - Returns: The elements of `latest_receipt_info`.
    func latestTransactions(
        concerning concerned: TransactionNumber? = nil,
        excludingOld excludesOld: Bool = false
    ) -> [VerifyReceiptTransaction] {
        var listed: [(lineage: Lineage, purchase: Purchase)] = []
        for lineage in lineages {
            for purchase in lineage.purchases
            where purchase.isInReceipts || purchase.number == concerned {
                listed.append((lineage, purchase))
            }
        }
        listed.sort { one, other in
            one.purchase.purchaseDate == other.purchase.purchaseDate
                ? one.purchase.number > other.purchase.number
                : one.purchase.purchaseDate > other.purchase.purchaseDate
        }
        if excludesOld {
            var products: Set<String> = []
            listed.removeAll { _, purchase in
                purchase.isSubscription && !products.insert(purchase.productId).inserted
            }
        }
        return listed.map(element)
    }

    private func element(of lineage: Lineage, _ purchase: Purchase) -> VerifyReceiptTransaction {
        var element = VerifyReceiptTransaction(
            lineage.inApp(purchase, restoredAs: restored[purchase.number])
        )
        if purchase.type == .autoRenewableSubscription {
            element.purchase.isInIntroOfferPeriod = element.purchase.isInIntroOfferPeriod ?? false
        }
        if purchase.offer?.type == .code { element.offerCodeRefName = purchase.offer?.id }
        if at >= FormatDate.ownership { element.inAppOwnershipType = lineage.ownership.rawValue }
        if at >= FormatDate.subscriptionGroups {
            element.subscriptionGroupIdentifier = lineage.group?.id
        }
        element.appAccountToken = lineage.appAccountToken?.lowercased()
        element.isUpgraded = purchase.upgradedAt == nil ? nil : true
        return element
    }

    /// How each subscription will renew.
    var pendingRenewals: [PendingRenewalInfo] { lineages.compactMap(\.pendingRenewal) }
}

extension Purchase {
    /// Whether it is a subscription of any kind, of which only the newest counts where old
    /// transactions are excluded.
    fileprivate var isSubscription: Bool {
        type == .autoRenewableSubscription || type == .nonRenewingSubscription
    }
}

extension Lineage {
    /// How the subscription will renew; nil for other products.
    var pendingRenewal: PendingRenewalInfo? {
        guard let renewal else { return nil }
        var element = PendingRenewalInfo(
            originalTransactionId: original.description,
            productId: newest.productId,
            autoRenewProductId: renewal.productId,
            autoRenewStatus: renewal.isOn
        )
        element.expirationIntent = renewal.expirationIntent.map { Int($0.rawValue) }
        if billingFailure != nil {
            element.isInBillingRetryPeriod = true
        } else if renewal.expirationIntent != nil {
            element.isInBillingRetryPeriod = false
        }
        element.gracePeriodExpiresDate = graceEndShown?.wholeSecond
        if let increase = renewal.priceIncrease {
            if increase.needsConsent { element.priceConsentStatus = increase.isAccepted }
            element.priceIncreaseStatus = increase.isAccepted
        }
        switch renewal.offer?.offer.type {
        case .promotional: element.promotionalOfferId = renewal.offer?.offer.id
        case .code: element.offerCodeRefName = renewal.offer?.offer.id
        default: break
        }
        return element
    }

    /// Until when access is or was kept after the newest period; it stays when the failure is over,
    /// unless the customer gave up within that time (Apple, "grace_period_expires_date").
    private var graceEndShown: Instant? {
        guard let failure = billingFailures.last, failure.begin == newest.expiresDate,
            let graceEnd = failure.graceEnd
        else { return nil }
        if renewal?.expirationIntent == .customerCancelled, let end = failure.end, end < graceEnd {
            return nil
        }
        return graceEnd
    }
}
