package import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics

// What signed data says. Of a transaction it says everything, that there is no revocation and no
// upgrade included; of the renewal nothing. Renewal info says all of the renewal and nothing else.
extension Statement {
    /// What a signed transaction says; nil where it names no transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction, proved.
    ///   - evidence: The digest of its bytes.
    ///   - references: Turns the account token into a reference.
    /// - Returns: The statement.
    package static func statement(
        in transaction: Verified<JWSTransactionDecodedPayload>,
        evidence: SHA256Digest,
        _ references: PersonalReferences
    ) -> Statement? {
        let content = transaction.content
        guard let id = content.transactionId, let lineage = LineageID(of: transaction) else {
            return nil
        }
        let isSubscription =
            content.type == .autoRenewableSubscription
            || (content.type == nil && content.expiresDate != nil)
        var claim = PurchaseClaim(
            id: PurchaseID(
                transactionId: id,
                lineItem: content.webOrderLineItemId,
                begin: content.purchaseDate,
                isSubscription: isSubscription,
                isOfXcode: lineage.signer != nil
            ),
            transactionId: id,
            purchaseDate: content.purchaseDate,
            originalPurchaseDate: content.originalPurchaseDate
        )
        claim.expiresDate = .says(content.expiresDate)
        claim.revocation = .says(
            content.revocationDate.map {
                Revocation(
                    date: $0,
                    reason: content.revocationReason,
                    type: content.revocationType,
                    percentage: content.revocationPercentage
                )
            }
        )
        claim.isUpgraded = .says(content.isUpgraded ?? false)
        claim.ownership = .present(content.inAppOwnershipType)
        claim.appAccountToken = .present(content.appAccountToken.map { references($0) })
        claim.appTransactionId = .present(content.appTransactionId)
        claim.productId = .present(content.productId)
        claim.type = .present(content.type)
        claim.group = .present(content.subscriptionGroupIdentifier)
        claim.quantity = .present(content.quantity)
        claim.offer = .present(
            content.offerType.map {
                OfferUsed(
                    type: $0,
                    identifier: content.offerIdentifier,
                    discountType: content.offerDiscountType,
                    period: content.offerPeriod
                )
            }
        )
        claim.price = .present(
            content.price.map { PricePaid(milliunits: $0, currency: content.currency) }
        )
        claim.storefront = .present(content.storefront)
        return Statement(
            lineage: lineage,
            stamp: Stamp(
                attestedAt: transaction.proof.judgedAt,
                grade: .signature,
                digest: evidence
            ),
            purchases: [claim],
            renewal: .silent
        )
    }

    /// What signed renewal info says of a subscription; nil where it names none.
    package static func statement(
        in renewalInfo: Verified<JWSRenewalInfoDecodedPayload>,
        evidence: SHA256Digest
    ) -> Statement? {
        let content = renewalInfo.content
        guard let original = content.originalTransactionId else { return nil }
        let isRetrying = content.isInBillingRetryPeriod ?? false
        var claim = RenewalClaim()
        claim.choice = .present(
            content.autoRenewStatus.map {
                RenewalChoice(
                    isOn: $0 == .on,
                    nextProductId: content.autoRenewProductId,
                    renewalDate: content.renewalDate
                )
            }
        )
        claim.failure = .says(
            RenewalFailure(
                expirationIntent: content.expirationIntent,
                isInBillingRetry: isRetrying,
                gracePeriodExpiresDate: content.gracePeriodExpiresDate,
                renewalDate: content.renewalDate
            )
        )
        claim.priceConsent = .says(PriceConsent(status: content.priceIncreaseStatus))
        return Statement(
            lineage: LineageID(
                scope: renewalInfo.proof.scope,
                signer: renewalInfo.proof.xcodeSigner,
                originalTransactionId: original
            ),
            stamp: Stamp(
                attestedAt: renewalInfo.proof.judgedAt,
                grade: .signature,
                rank: LifeCycleRank(intent: content.expirationIntent, isRetrying: isRetrying),
                digest: evidence
            ),
            purchases: [],
            renewal: claim
        )
    }
}

extension LineageID {
    /// The lineage of a signed transaction; nil where it names no transaction.
    package init?(of transaction: Verified<JWSTransactionDecodedPayload>) {
        let content = transaction.content
        guard let id = content.originalTransactionId ?? content.transactionId else { return nil }
        self.init(
            scope: transaction.proof.scope,
            signer: transaction.proof.xcodeSigner,
            originalTransactionId: id
        )
    }
}

extension LifeCycleRank {
    /// How far a renewal has gone that is tried or has ended with an intent.
    init(intent: ExpirationIntent?, isRetrying: Bool) {
        // The App Store names the intent while it still tries.
        self = isRetrying ? .retrying : intent != nil ? .expired : .paid
    }
}

extension SignatureProof {
    /// The certificate that makes ids of an Xcode session distinct; nil in other realms.
    var xcodeSigner: SHA256Digest? {
        scope.realm == .xcode ? certificates.first?.fingerprint : nil
    }
}

extension PurchaseID {
    /// The name of a purchase as a document shows it.
    init(
        transactionId: String,
        lineItem: String?,
        begin: Instant?,
        isSubscription: Bool,
        isOfXcode: Bool
    ) {
        // Receipts cut what is finer than a second.
        let begin = begin?.wholeSecond
        if isOfXcode, let begin {
            self = .xcode(transactionId: transactionId, begin: begin)
        } else if !isSubscription {
            self = .oneTime
        } else if let lineItem, !lineItem.isEmpty, lineItem != "0" {
            self = .period(lineItem: lineItem)
        } else if let begin {
            self = .undocumentedPeriod(begin: begin)
        } else {
            self = .oneTime
        }
    }
}
