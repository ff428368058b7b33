import CounterfoilBasics

// What version 2 would have said, derived from Apple's descriptions of both.

extension ResponseBodyV1 {
    /// The type that version 2 has for the same happening; nil for one that nobody knows.
    ///
    /// INTERACTIVE_RENEWAL is an upgrade when the newest transaction cut another one of its group
    /// short, else a new subscription after the end of a former one.
    public var equivalentType: NotificationTypeV2? {
        switch notificationType {
        case .initialBuy: .subscribed
        case .interactiveRenewal: isUpgrade ? .didChangeRenewalPref : .subscribed
        case .didRenew, .didRecover, .renewal: .didRenew
        case .didChangeRenewalPref: .didChangeRenewalPref
        case .didChangeRenewalStatus: .didChangeRenewalStatus
        case .didFailToRenew: .didFailToRenew
        case .cancel, .refund: .refund
        case .revoke: .revoke
        case .priceIncreaseConsent: .priceIncrease
        case .consumptionRequest: .consumptionRequest
        default: nil
        }
    }

    /// The subtype that version 2 has for the same happening, as far as the content tells; nil for
    /// none.
    public var equivalentSubtype: Subtype? {
        switch notificationType {
        case .initialBuy: .initialBuy
        case .interactiveRenewal: isUpgrade ? .upgrade : .resubscribe
        case .didRecover, .renewal: .billingRecovery
        case .didChangeRenewalPref: isPlanChangeUndone ? nil : .downgrade
        case .didChangeRenewalStatus:
            switch autoRenewStatus {
            case .on: .autoRenewEnabled
            case .off: .autoRenewDisabled
            default: nil
            }
        case .didFailToRenew: isInGracePeriod ? .gracePeriod : nil
        case .priceIncreaseConsent: .pending
        default: nil
        }
    }

    private var transactions: [UnifiedReceipt.LatestReceiptInfo] {
        unifiedReceipt?.latestReceiptInfo ?? []
    }

    private var isUpgrade: Bool {
        let transactions = transactions
        guard let newest = transactions.newest, let begin = newest.purchaseDate else {
            return false
        }
        return transactions.contains { other in
            other.isUpgraded == true && other.transactionId != newest.transactionId
                && other.subscriptionGroupIdentifier == newest.subscriptionGroupIdentifier
                && (other.expiresDate ?? .distantPast) > begin
                && (other.purchaseDate ?? .distantPast) < begin
        }
    }

    private var isPlanChangeUndone: Bool {
        guard let present = transactions.newest?.productId ?? latestReceiptInfo?.productId,
            let autoRenewProductId
        else { return false }
        return present == autoRenewProductId
    }

    /// Whether a grace period runs beyond the newest period of its subscription; one that stayed
    /// behind from earlier does not.
    private var isInGracePeriod: Bool {
        // Both lists are as long as the sender likes, so neither is searched for each of the other.
        var ends: [String?: Instant] = [:]
        for period in transactions {
            guard let end = period.expiresDate else { continue }
            let subscription = period.originalTransactionId
            ends[subscription] = max(end, ends[subscription] ?? end)
        }
        return unifiedReceipt?.pendingRenewalInfo?.contains { renewal in
            guard let end = renewal.gracePeriodExpiresDate, renewal.isInBillingRetryPeriod != false
            else { return false }
            return ends[renewal.originalTransactionId].map { $0 < end } ?? true
        } ?? false
    }
}

extension [UnifiedReceipt.LatestReceiptInfo] {
    /// The transaction that was bought last.
    fileprivate var newest: UnifiedReceipt.LatestReceiptInfo? {
        filter { $0.purchaseDate != nil }
            .max { ($0.purchaseDate ?? .distantPast) < ($1.purchaseDate ?? .distantPast) }
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(millisecondsSince1970: .min)
}
