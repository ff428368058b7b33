public import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// A notification of version 1 before the receipts in it are signed.
///
/// Nobody signs the notification itself: what vouches for it is the app's shared secret, and the
/// receipts in it.
public struct StoreNotificationV1: Hashable, Sendable {
    /// What it says that happened.
    public let notificationType: NotificationTypeV1
    /// The purchase that it concerns, with its lineage.
    public let purchase: PurchaseRecord
    /// Everything that its customer has of the app, with the date of the receipt in it.
    public let customer: CustomerRecord

    /// The body, with its receipts signed.
    ///
    /// It has the shape of its time: without `unified_receipt` before that began in November 2019,
    /// with iOS 6-style receipts until 10 March 2021, and with the date of deprecation since 5 June
    /// 2023 (Apple, "responseBodyV1").
    ///
    /// - Throws: `issue.not_representable`, `issue.key_unusable`.
    public func body(signedBy authority: SigningAuthority) throws(SimulatorError) -> ResponseBodyV1
    {
        var body = ResponseBodyV1()
        body.notificationType = notificationType
        body.environment = purchase.environment
        addRenewal(to: &body)
        if notificationType == .cancel {
            body.cancellationDate = purchase.purchase.revocation?.date.wholeSecond
        }
        if customer.at < FormatDate.withoutTransactionReceipts {
            try addTransactionReceipt(to: &body, signedBy: authority)
        } else {
            body.originalTransactionId = purchase.lineage.original.description
        }
        if customer.at >= FormatDate.unifiedReceipts {
            body.unifiedReceipt = try unifiedReceipt(signedBy: authority)
        }
        if customer.at >= FormatDate.appsInNotifications {
            body.bid = purchase.app.bundleId
            body.bvrs = purchase.app.version
        }
        if customer.at >= FormatDate.deprecation { body.deprecation = Self.deprecation }
        return body
    }

    /// The body as JSON, with the app's shared secret where it has one.
    ///
    /// - Throws: As ``body(signedBy:)``.
    public func json(signedBy authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        let body = try body(signedBy: authority)
        guard let secret = purchase.app.sharedSecret else { return body.json }
        return body.json(password: Redacted(secret))
    }

    /// When version 1 was deprecated.
    private static let deprecation = "Mon, 5 Jun 2023 00:00:00 GMT"
}

// MARK: - Parts of the body

extension StoreNotificationV1 {
    private func addRenewal(to body: inout ResponseBodyV1) {
        guard let renewal = purchase.lineage.renewal else { return }
        body.autoRenewProductId = renewal.productId
        body.autoRenewStatus = renewal.isOn ? .on : .off
        body.expirationIntent = renewal.expirationIntent
        if notificationType == .didChangeRenewalStatus {
            body.autoRenewStatusChangeDate = customer.at.wholeSecond
        }
    }

    private func unifiedReceipt(
        signedBy authority: SigningAuthority
    ) throws(SimulatorError) -> UnifiedReceipt {
        // Only what is beside the receipt is shown, so its purchases need not be written.
        var empty = customer.receipt.receipt
        empty.inApp = []
        var answer = AppReceiptAnswer(receipt: empty, requestDate: customer.at)
        answer.subscriptions = .init(
            latestReceiptInfo: customer.latestTransactions(concerning: purchase.purchase.number)
                .map { .known($0) },
            latestReceipt: try customer.receipt.signed(by: authority),
            pendingRenewalInfo: customer.pendingRenewals
        )
        var unified = try answer.unifiedReceipt(in: customer.environment)
        if customer.at < FormatDate.statusNumbers { unified["status"] = "OK" }
        return try Self.model(unified)
    }

    /// What bodies had until March 2021: the transaction in iOS 6 style, under other keys once the
    /// subscription is over.
    private func addTransactionReceipt(
        to body: inout ResponseBodyV1,
        signedBy authority: SigningAuthority
    ) throws(SimulatorError) {
        let receipt = customer.transactionPurchase(purchase.purchase, of: purchase.lineage).receipt
        let bytes = try TransactionReceiptIssuer(authority: authority).issue(receipt)
        let text = Base64.encode(bytes.span)
        let information: ResponseBodyV1.ReceiptInfo = try Self.model(
            receipt.shown(purchase.purchase, of: purchase.lineage, at: customer.at).members
        )
        if purchase.isOver {
            body.latestExpiredReceipt = text
            body.latestExpiredReceiptInfo = information
        } else {
            body.latestReceipt = text
            body.latestReceiptInfo = information
        }
        if notificationType == .cancel {
            body.webOrderLineItemId = purchase.purchase.lineItem?.description
        }
    }

    private static func model<Model: AppStoreObject>(
        _ object: JSONObject
    ) throws(SimulatorError) -> Model {
        do {
            return try Model(object)
        } catch {
            throw SimulatorError(SimulatorError.notRepresentable, error.reason)
        }
    }
}

extension PurchaseRecord {
    /// Whether it is a period of a subscription that has ended or was taken back.
    fileprivate var isOver: Bool {
        guard let expiresDate = purchase.expiresDate else { return false }
        return expiresDate <= at || purchase.revocation != nil
    }
}

extension TransactionReceipt {
    /// The signed keys with underscores, as the App Store's servers show them.
    fileprivate var members: JSONObject {
        var object: JSONObject = [:]
        for entry in purchaseInfo {
            object[String(entry.key.map { $0 == "-" ? "_" : $0 })] = .string(entry.value)
        }
        return object
    }
}
