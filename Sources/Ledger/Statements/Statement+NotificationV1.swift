import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

// What a notification of version 1 says on the word of a shared secret. The receipt inside it is
// proved by itself and says for itself; this is what stands beside it.
extension Statement {
    /// What a notification of version 1 says of each lineage that it lists.
    ///
    /// It is dated by the receipt inside it where that is proved, else by the latest of its own dates
    /// that are no expiry: so a body that was kept back says no more than it did.
    ///
    /// - Parameters:
    ///   - notification: The notification, vouched for, with its receipts.
    ///   - evidence: The digest of its bytes, without the password.
    ///   - references: Turns account tokens into references.
    /// - Returns: A statement for each lineage, in the order of their numbers.
    package static func statements(
        in notification: VouchedNotification,
        evidence: SHA256Digest,
        _ references: PersonalReferences
    ) -> [Statement] {
        let body = notification.notification.content
        guard let attestedAt = notification.attestedAt else { return [] }
        let flat = body.flatReceiptInfo
        let claims = Dictionary(
            grouping: (body.unifiedReceipt?.latestReceiptInfo ?? []).map {
                ($0.originalTransactionId, PurchaseClaim($0, references))
            } + flat.map { ($0.originalTransactionId, PurchaseClaim($0)) },
            by: { original, claim in original ?? claim?.transactionId ?? "" }
        )
        .mapValues { $0.compactMap(\.1) }
        var renewals = Dictionary(
            grouping: body.unifiedReceipt?.pendingRenewalInfo ?? [],
            by: { $0.originalTransactionId ?? "" }
        )
        .mapValues { RenewalClaim($0[0]) }
        // Until 2021 the lineage was named only by the receipts that stood beside.
        let original =
            body.originalTransactionId ?? flat.compactMap(\.originalTransactionId).first
        if let original, renewals[original] == nil {
            renewals[original] = RenewalClaim(flat: body)
        }
        let originals = Set(claims.keys).union(renewals.keys).subtracting([""])
        return originals.sorted().map { original in
            let renewal = renewals[original] ?? .silent
            return Statement(
                lineage: LineageID(
                    scope: notification.notification.scope,
                    originalTransactionId: original
                ),
                stamp: Stamp(
                    attestedAt: attestedAt,
                    grade: .sharedSecret,
                    rank: renewal.rank,
                    digest: evidence
                ),
                purchases: claims[original] ?? [],
                renewal: renewal
            )
        }
    }
}

extension VouchedNotification {
    /// When it was said; nil where it states no date at all.
    package var attestedAt: Instant? {
        for receipt in receipts {
            if case .success(.appReceipt(let proved)) = receipt.result {
                return proved.content.creationDate
            }
        }
        let body = notification.content
        let elements = body.unifiedReceipt?.latestReceiptInfo ?? []
        return
            (elements.flatMap { [$0.purchaseDate, $0.cancellationDate] }
            + body.flatReceiptInfo.flatMap { [$0.purchaseDate, $0.cancellationDate] }
            + [body.cancellationDate, body.autoRenewStatusChangeDate])
            .compactMap(\.self).max()
    }
}

extension ResponseBodyV1 {
    /// The flat objects of iOS 6-style receipts, which bodies had until 2021.
    fileprivate var flatReceiptInfo: [ReceiptInfo] {
        [latestReceiptInfo, latestExpiredReceiptInfo].compactMap(\.self)
    }
}

extension PurchaseClaim {
    /// What a flat object says.
    fileprivate init?(_ info: ResponseBodyV1.ReceiptInfo) {
        guard let transactionId = info.transactionId else { return nil }
        self.init(
            id: PurchaseID(
                transactionId: transactionId,
                lineItem: info.webOrderLineItemId,
                begin: info.purchaseDate,
                isSubscription: info.expiresDate != nil,
                isOfXcode: false
            ),
            transactionId: transactionId,
            purchaseDate: info.purchaseDate,
            originalPurchaseDate: info.originalPurchaseDate
        )
        expiresDate = .says(info.expiresDate)
        revocation = .present(
            info.cancellationDate.map { Revocation(date: $0, reason: info.cancellationReason) }
        )
        productId = .present(info.productId)
        if info.expiresDate != nil { type = .says(.autoRenewableSubscription) }
        group = .present(info.subscriptionGroupIdentifier)
        quantity = .present(info.quantity)
    }

    /// What an element of `latest_receipt_info` says.
    fileprivate init?(
        _ element: UnifiedReceipt.LatestReceiptInfo,
        _ references: PersonalReferences
    ) {
        guard let transactionId = element.transactionId else { return nil }
        self.init(
            id: PurchaseID(
                transactionId: transactionId,
                lineItem: element.webOrderLineItemId,
                begin: element.purchaseDate,
                isSubscription: element.expiresDate != nil,
                isOfXcode: false
            ),
            transactionId: transactionId,
            purchaseDate: element.purchaseDate,
            originalPurchaseDate: element.originalPurchaseDate
        )
        expiresDate = .says(element.expiresDate)
        revocation = .present(
            element.cancellationDate.map {
                Revocation(date: $0, reason: element.cancellationReason)
            }
        )
        isUpgraded = .present(element.isUpgraded)
        ownership = .present(element.inAppOwnershipType)
        appAccountToken = .present(element.appAccountToken.map { references($0) })
        productId = .present(element.productId)
        if element.expiresDate != nil { type = .says(.autoRenewableSubscription) }
        group = .present(element.subscriptionGroupIdentifier)
        quantity = .present(element.quantity)
    }
}

extension RenewalClaim {
    /// What an element of `pending_renewal_info` says.
    fileprivate init(_ element: UnifiedReceipt.PendingRenewalInfo) {
        choice = .present(
            element.autoRenewStatus.map {
                RenewalChoice(
                    isOn: $0 == .on,
                    nextProductId: element.autoRenewProductId,
                    renewalDate: nil
                )
            }
        )
        failure = .says(
            RenewalFailure(
                expirationIntent: element.expirationIntent,
                isInBillingRetry: element.isInBillingRetryPeriod ?? false,
                gracePeriodExpiresDate: element.gracePeriodExpiresDate,
                renewalDate: nil
            )
        )
        let status = element.priceIncreaseStatus ?? element.priceConsentStatus
        priceConsent = .says(PriceConsent(status: status))
    }

    /// What the flat members of a notification say: whether it renews and, where it is over, why.
    fileprivate init(flat body: ResponseBodyV1) {
        choice = .present(
            body.autoRenewStatus.map {
                RenewalChoice(
                    isOn: $0 == .on,
                    nextProductId: body.autoRenewProductId,
                    renewalDate: nil
                )
            }
        )
        failure = .present(
            body.expirationIntent.map {
                RenewalFailure(
                    expirationIntent: $0,
                    isInBillingRetry: false,
                    gracePeriodExpiresDate: nil,
                    renewalDate: nil
                )
            }
        )
    }

    /// How far the life had gone.
    fileprivate var rank: LifeCycleRank {
        guard case .says(let failure) = failure else { return .paid }
        return LifeCycleRank(
            intent: failure.expirationIntent,
            isRetrying: failure.isInBillingRetry
        )
    }
}
