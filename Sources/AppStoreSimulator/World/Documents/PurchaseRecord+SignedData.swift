public import AppStoreModel
import CounterfoilBasics

// What signed data says of a purchase, in the order of Apple's members.
extension PurchaseRecord {
    /// The transaction (Apple, "JWSTransactionDecodedPayload").
    public var transaction: JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload()
        payload.transactionId = purchase.number.description
        payload.originalTransactionId = lineage.original.description
        payload.webOrderLineItemId = purchase.lineItem?.description
        payload.bundleId = app.bundleId
        payload.productId = purchase.productId
        payload.subscriptionGroupIdentifier = lineage.group?.id
        payload.purchaseDate = purchase.purchaseDate
        payload.originalPurchaseDate = lineage.purchases[0].purchaseDate
        payload.expiresDate = purchase.expiresDate
        payload.quantity = purchase.quantity
        payload.type = purchase.type
        payload.appAccountToken = lineage.appAccountToken
        payload.inAppOwnershipType = lineage.ownership
        payload.signedDate = signedDate
        payload.revocationReason = purchase.revocation?.reason
        payload.revocationDate = purchase.revocation?.date
        payload.revocationType = purchase.revocation?.type
        payload.revocationPercentage = purchase.revocation?.percentage
        payload.isUpgraded = purchase.upgradedAt == nil ? nil : true
        payload.offerType = purchase.offer?.type
        payload.offerIdentifier = purchase.offer?.id
        payload.environment = environment
        payload.transactionReason = purchase.reason
        payload.storefront = purchase.storefront.country
        payload.storefrontId = purchase.storefront.id
        if lineage.ownership == .purchased {
            payload.price = purchase.price.milliunits
            payload.currency = purchase.price.currency
        }
        payload.offerDiscountType = purchase.offer?.mode
        payload.offerPeriod = purchase.offer?.duration
        payload.appTransactionId = account.downloads[app.bundleId]?.appTransactionId
        if let instalment = purchase.instalment {
            payload.billingPlanType = .monthly
            payload.commitmentInfo = instalment.info
        }
        return payload
    }

    /// The state of the subscription's renewal (Apple, "JWSRenewalInfoDecodedPayload"); nil for
    /// other products.
    public var renewalInfo: JWSRenewalInfoDecodedPayload? {
        guard let renewal = lineage.renewal else { return nil }
        let newest = lineage.newest
        let failure = lineage.billingFailures.last
        var payload = JWSRenewalInfoDecodedPayload()
        payload.originalTransactionId = lineage.original.description
        payload.autoRenewProductId = renewal.productId
        payload.productId = newest.productId
        payload.autoRenewStatus = renewal.isOn ? .on : .off
        payload.expirationIntent = renewal.expirationIntent
        // The grace period's date stays after the failure, until a newer period begins.
        if let failure, failure.begin == newest.expiresDate {
            payload.gracePeriodExpiresDate = failure.graceEnd
            payload.isInBillingRetryPeriod = failure.end == nil
        }
        if let increase = renewal.priceIncrease {
            payload.priceIncreaseStatus = increase.isAccepted ? .consentedOrNotified : .noAnswer
        }
        payload.offerType = renewal.offer?.offer.type
        payload.offerIdentifier = renewal.offer?.offer.id
        payload.signedDate = signedDate
        payload.environment = environment
        payload.recentSubscriptionStartDate = renewal.recentStart
        payload.renewalDate = newest.expiresDate
        if lineage.ownership == .purchased, renewal.isOn, let price = renewalPrice {
            payload.renewalPrice = price.milliunits
            payload.currency = price.currency
        }
        payload.offerDiscountType = renewal.offer?.offer.mode
        if renewal.expirationIntent != nil {
            payload.eligibleWinBackOfferIds = winBackOffers
        }
        payload.offerPeriod = renewal.offer?.offer.duration
        payload.appAccountToken = lineage.appAccountToken
        payload.appTransactionId = account.downloads[app.bundleId]?.appTransactionId
        if let instalment = newest.instalment {
            payload.renewalBillingPlanType = .monthly
            payload.commitmentInfo = renewal.commitmentInfo(after: instalment)
        }
        return payload
    }

    /// What the next period will cost.
    private var renewalPrice: Price? {
        guard let renewal = lineage.renewal else { return nil }
        return renewal.offer?.price
            ?? app[renewal.productId].map {
                renewal.regularPrice(of: $0, in: account.storefront)
            }
    }

    /// The offers that may win the customer back; nil where there is none.
    private var winBackOffers: [String]? {
        let offers = app[lineage.newest.productId]?.plan?.offers
            .filter { $0.type == .winBack }.compactMap(\.id)
        return offers?.isEmpty == false ? offers : nil
    }

    /// The state of the subscription (Apple, "status"); nil for other products.
    public var status: SubscriptionStatus? {
        guard lineage.renewal != nil else { return nil }
        // The next period may be paid and not have begun.
        let present = lineage.purchases.last { $0.purchaseDate <= at }
        if present?.revocation != nil { return .revoked }
        if let failure = lineage.billingFailure {
            return failure.isInGrace(at: at) ? .billingGracePeriod : .billingRetry
        }
        return lineage.renewal?.expirationIntent == nil && lineage.open(at: at) != nil
            ? .active : .expired
    }
}

extension Purchase.Instalment {
    /// The commitment, as a transaction tells of it.
    fileprivate var info: TransactionCommitmentInfo {
        var info = TransactionCommitmentInfo()
        info.billingPeriodNumber = Int64(number)
        info.totalBillingPeriods = Int64(count)
        info.commitmentExpiresDate = ends
        info.commitmentPrice = price.milliunits
        return info
    }
}

extension Renewal {
    /// What follows the commitment of an instalment, as renewal info tells of it.
    fileprivate func commitmentInfo(
        after instalment: Purchase.Instalment
    ) -> RenewalCommitmentInfo {
        var info = RenewalCommitmentInfo()
        info.commitmentAutoRenewProductId = productId
        info.commitmentAutoRenewStatus = renewsCommitment && isOn ? .on : .off
        info.commitmentRenewalBillingPlanType = .monthly
        info.commitmentRenewalDate = instalment.ends
        info.commitmentRenewalPrice = instalment.price.milliunits
        return info
    }
}

extension DownloadRecord {
    /// The app transaction (Apple, "AppTransaction").
    public var appTransaction: AppTransaction {
        let download = account.downloads[app.bundleId]
        let isProduction = environment == .production
        var payload = AppTransaction()
        payload.receiptType = environment
        if isProduction { payload.appAppleId = app.appAppleId }
        payload.bundleId = app.bundleId
        payload.applicationVersion = app.version
        payload.receiptCreationDate = signedDate
        payload.originalPurchaseDate = isProduction ? download?.date : Self.sandboxDownload
        payload.originalApplicationVersion = isProduction ? download?.version : "1.0"
        payload.appTransactionId = download?.appTransactionId
        payload.originalPlatform = .iOS
        return payload
    }

    /// The sandbox downloads every app at the same instant.
    private static let sandboxDownload =
        CivilTime(year: 2013, month: 8, day: 1, hour: 7).instant
}
