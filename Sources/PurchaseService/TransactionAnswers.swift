package import AppStoreModel
import AppStoreVerification
import CounterfoilBasics

// A signed transaction (JWS) in the place of a receipt, as apps send it that StoreKit 2 has given
// one: answered as a receipt that lists this one purchase.
extension VerifyReceiptOutcome {
    /// The answer to a proved transaction, made from that alone.
    init(
        _ transaction: Verified<JWSTransactionDecodedPayload>,
        _ document: Document,
        requestDate: Instant
    ) {
        let element = VerifyReceiptTransaction(transaction.content)
        var receipt = AppReceipt(
            receiptType: ReceiptType(transaction.proof.scope.environment),
            bundleId: transaction.proof.scope.bundleId,
            creationDate: transaction.proof.judgedAt
        )
        receipt.inApp = [element.purchase]
        var answer = AppReceiptAnswer(
            receipt,
            latestReceipt: document.bytes,
            requestDate: requestDate
        )
        var inApp = VerifyReceiptTransaction(element.purchase)
        inApp.inAppOwnershipType = element.inAppOwnershipType
        answer.knownInApp = [inApp]
        answer.subscriptions?.latestReceiptInfo = [.known(element)]
        // The document is text already, and can be sent again as it is.
        answer.subscriptions?.latestReceiptText = document.bytes
        if element.isUpgraded == true {
            answer.subscriptions?.pendingRenewalInfo = []
        }
        self.init(
            VerifyReceiptResponse(answer, environment: transaction.proof.scope.environment)
        )
        if answer.subscriptions?.pendingRenewalInfo.isEmpty == false {
            inferred = Self.inferredKeys
        }
    }
}

extension VerifyReceiptTransaction {
    /// A transaction in the keys of verifyReceipt; what it does not say is left out.
    package init(_ transaction: JWSTransactionDecodedPayload) {
        var purchase = InAppPurchase(
            productId: transaction.productId ?? "",
            transactionId: transaction.transactionId ?? ""
        )
        purchase.quantity = transaction.quantity ?? 1
        purchase.purchaseDate = transaction.purchaseDate
        purchase.originalTransactionId = transaction.originalTransactionId
        purchase.originalPurchaseDate = transaction.originalPurchaseDate
        purchase.productType = transaction.type.flatMap(ProductType.init)
        purchase.expiresDate = transaction.expiresDate
        // Xcode writes 0 where there is none.
        purchase.webOrderLineItemId = transaction.webOrderLineItemId.flatMap {
            $0 == "0" ? nil : $0
        }
        purchase.cancellationDate = transaction.revocationDate
        purchase.cancellationReason = transaction.revocationReason.map { String($0.rawValue) }
        self.init(purchase)
        addOffer(of: transaction)
        inAppOwnershipType = transaction.inAppOwnershipType?.rawValue
        subscriptionGroupIdentifier = transaction.subscriptionGroupIdentifier
        appAccountToken = transaction.appAccountToken?.lowercased()
        isUpgraded = transaction.isUpgraded
    }

    private mutating func addOffer(of transaction: JWSTransactionDecodedPayload) {
        let isIntroductory = transaction.offerType == .introductory
        let isTrial = transaction.offerDiscountType == .freeTrial
        purchase.isTrialPeriod = isIntroductory && isTrial
        if purchase.isAutoRenewable { purchase.isInIntroOfferPeriod = isIntroductory && !isTrial }
        switch transaction.offerType {
        case .promotional?: purchase.promotionalOfferId = transaction.offerIdentifier
        case .code?: offerCodeRefName = transaction.offerIdentifier
        default: break
        }
    }
}

extension ReceiptType {
    /// The kind of store that signs documents of an environment.
    fileprivate init(_ environment: StoreEnvironment) {
        switch environment {
        case .production: self = .production
        case .xcode: self = .xcode
        default: self = .productionSandbox
        }
    }
}

extension ProductType {
    /// The number that receipts have for a kind of product; nil for a kind that is not known.
    fileprivate init?(_ type: InAppPurchaseType) {
        switch type {
        case .autoRenewableSubscription: self = .autoRenewableSubscription
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewingSubscription: self = .nonRenewingSubscription
        default: return nil
        }
    }
}
