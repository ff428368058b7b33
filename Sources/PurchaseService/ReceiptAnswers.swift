package import AppStoreModel
import AppStoreVerification
package import CounterfoilBasics

extension VerifyReceiptOutcome {
    /// The keys whose values Apple always sends and no receipt holds.
    static let inferredKeys = ["auto_renew_status", "auto_renew_product_id"]

    /// The answer to a proved receipt, made from that receipt alone.
    init(
        _ receipt: VerifiedReceipt,
        _ document: Document,
        from receiptData: [UInt8],
        excludingOldTransactions: Bool,
        requestDate: Instant
    ) {
        switch receipt {
        case .appReceipt(let receipt):
            var answer = AppReceiptAnswer(
                receipt.content,
                latestReceipt: document.bytes,
                excludingOldTransactions: excludingOldTransactions,
                requestDate: requestDate
            )
            answer.subscriptions?.latestReceiptText = document.base64(asIn: receiptData)
            self.init(
                VerifyReceiptResponse(answer, environment: receipt.proof.scope.environment)
            )
            if answer.subscriptions != nil { inferred = Self.inferredKeys }
        case .transactionReceipt(let receipt):
            let answer = TransactionReceiptAnswer(
                receipt.content,
                latestReceipt: document.bytes,
                requestDate: requestDate
            )
            self.init(VerifyReceiptResponse(answer))
            if answer.subscription != nil { inferred = Self.inferredKeys }
        }
    }
}

extension Document {
    /// The text that it was read from, when that is its standard base 64: nothing of it had to be
    /// mended, and it is as long as that.
    fileprivate func base64(asIn text: [UInt8]) -> [UInt8]? {
        repairs.isEmpty && text.count == Base64.length(forBytes: bytes.count) ? text : nil
    }
}

extension AppReceiptAnswer {
    /// What a receipt tells of itself, and of its subscriptions where it has any.
    ///
    /// - Parameters:
    ///   - receipt: the receipt.
    ///   - latestReceipt: its bytes.
    ///   - excludingOldTransactions: whether `latest_receipt_info` holds only the newest
    ///     transaction of each subscription product.
    ///   - requestDate: when it was sent.
    package init(
        _ receipt: AppReceipt,
        latestReceipt: [UInt8],
        excludingOldTransactions: Bool = false,
        requestDate: Instant
    ) {
        self.init(receipt: receipt, requestDate: requestDate)
        guard receipt.hasAutoRenewables else { return }
        let newestFirst = receipt.inApp.positionsNewestFirst
        var shown = newestFirst
        if excludingOldTransactions {
            var products: Set<String> = []
            shown.removeAll { position in
                receipt.inApp[position].isSubscription
                    && !products.insert(receipt.inApp[position].productId).inserted
            }
        }
        subscriptions = Subscriptions(
            latestReceiptInfo: shown.map { .inApp($0) },
            latestReceipt: latestReceipt,
            pendingRenewalInfo: receipt.inApp.pendingRenewalInfo(newestFirst, at: requestDate)
        )
    }
}

extension [InAppPurchase] {
    /// The order of `latest_receipt_info`: by purchase date, then expiry, then identifiers.
    ///
    /// So the order of a receipt, which means nothing, decides only between purchases that are the
    /// same in all these.
    fileprivate var positionsNewestFirst: [Int] {
        let dated = indices.map { position in
            (self[position].purchaseDate?.millisecondsSince1970 ?? .min, position)
        }
        return dated.sorted { left, right in
            left.0 == right.0
                ? self[left.1].isNewerAtTheSameDate(than: self[right.1]) : left.0 > right.0
        }.map(\.1)
    }

    /// One element for each subscription, told by its newest period.
    fileprivate func pendingRenewalInfo(
        _ newestFirst: [Int],
        at instant: Instant
    ) -> [PendingRenewalInfo] {
        var seen: Set<String> = []
        var renewals: [PendingRenewalInfo] = []
        for position in newestFirst where self[position].isAutoRenewable {
            // Only Xcode leaves the original transaction out.
            let identifier = self[position].originalTransactionId ?? self[position].transactionId
            guard seen.insert(identifier).inserted else { continue }
            renewals.append(
                PendingRenewalInfo(
                    originalTransactionId: identifier,
                    productId: self[position].productId,
                    autoRenewProductId: self[position].productId,
                    autoRenewStatus: self[position].isOpen(at: instant)
                )
            )
        }
        return renewals
    }
}

extension TransactionReceiptAnswer {
    /// What an iOS 6-style receipt tells of itself; it knows of no later period.
    package init(
        _ receipt: TransactionReceipt,
        latestReceipt: [UInt8],
        requestDate: Instant
    ) {
        self.init(receipt: receipt)
        guard let expiresDate = receipt.expiresDate else { return }
        let isExpired = expiresDate <= requestDate
        subscription = Subscription(
            latest: receipt,
            latestReceipt: latestReceipt,
            autoRenewStatus: !isExpired && !receipt.isRefunded,
            autoRenewProductId: receipt.productId,
            isExpired: isExpired
        )
    }
}

extension TransactionReceipt {
    /// Whether the signed part says that Apple took the purchase back.
    fileprivate var isRefunded: Bool {
        purchaseInfo.contains { $0.key == "cancellation-date" || $0.key == "cancellation-date-ms" }
    }
}

extension InAppPurchase {
    /// Whether this comes before another purchase of the same date.
    fileprivate func isNewerAtTheSameDate(than other: InAppPurchase) -> Bool {
        if expiresDate != other.expiresDate {
            guard let expiresDate else { return false }
            return other.expiresDate.map { expiresDate > $0 } ?? true
        }
        if transactionId != other.transactionId {
            // Decimal numbers of any length: the longer is the larger.
            let (length, otherLength) = (transactionId.utf8.count, other.transactionId.utf8.count)
            return length == otherLength
                ? transactionId > other.transactionId : length > otherLength
        }
        return productId > other.productId
    }

    /// Whether this is a period of a subscription of any kind, of which only the newest counts
    /// where old transactions are excluded.
    fileprivate var isSubscription: Bool {
        isAutoRenewable || productType == .nonRenewingSubscription
            || productType == .freeSubscription
    }

    /// Whether the period runs and was not refunded.
    fileprivate func isOpen(at instant: Instant) -> Bool {
        guard let expiresDate, instant < expiresDate else { return false }
        return cancellationDate.map { instant < $0 } ?? true
    }
}
