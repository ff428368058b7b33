import AppStoreModel
import CounterfoilBasics

// What verifyReceipt answers, by the store's own books.
extension LocalAppStore {
    /// What verifyReceipt answers to a receipt that was proved to be the store's.
    ///
    /// The order is: environment (21007, 21008), whether the store knows app and customer (21010),
    /// shared secret (21004). An app without a secret asks for none; one with a secret wants it for
    /// subscriptions that renew by themselves, and takes no wrong one for anything.
    ///
    /// - Returns: The answer before the receipt in it is signed.
    public mutating func answer(to request: StoreReceiptRequest) -> StoreReceiptAnswer {
        switch (request.environment, environment(of: request.receipt)) {
        case (.production, .production): break
        case (.production, _): return answer(.status(.sandboxReceipt))
        case (_, .production): return answer(.status(.productionReceipt))
        default: break
        }
        let ids = request.receipt.transactionIds
        let bundleId = request.receipt.bundleId
        let owner = ids.compactMap { lineage(of: $0) }.first { $0.bundleId == bundleId }?.account
        guard let app = apps[bundleId], owner != nil || ids.isEmpty else {
            return answer(.status(.accountNotFound))
        }
        guard app.accepts(request.password, forRenewing: request.receipt.hasAutoRenewables) else {
            return answer(.status(.wrongSecret))
        }
        switch request.receipt {
        case .transaction(let receipt): return answer(to: receipt, in: app)
        case .app(let receipt):
            let isTold = app.accepts(request.password, forRenewing: true)
            let customer = isTold ? owner.flatMap { subscriber($0, in: app, shown: receipt) } : nil
            return answer(
                .app(receipt, customer, excludesOld: request.excludesOldTransactions)
            )
        }
    }

    /// The environment that a receipt is of; what a transaction receipt says of it is not signed.
    private func environment(of receipt: StoreReceiptRequest.Receipt) -> StoreEnvironment {
        switch receipt {
        case .app(let receipt): receipt.receiptType.environment
        case .transaction(let receipt):
            if lineage(of: receipt.transactionId) != nil {
                environment
            } else {
                receipt.environment.map(StoreEnvironment.init(rawValue:)) ?? .production
            }
        }
    }

    /// What a customer has of an app, who has a subscription that renews by itself.
    private mutating func subscriber(
        _ account: AppleAccount.ID,
        in app: StoreApp,
        shown receipt: AppReceipt
    ) -> CustomerRecord? {
        guard
            indices(of: account, in: app.bundleId).contains(where: { lineages[$0].renewal != nil })
        else { return nil }
        var customer = record(of: account, in: app)
        customer.restored = restored(in: receipt)
        return customer
    }

    /// The purchases that a receipt lists under ids of a restore.
    private func restored(in receipt: AppReceipt) -> [TransactionNumber: Device.Restored] {
        var restored: [TransactionNumber: Device.Restored] = [:]
        for element in receipt.inApp {
            let lineItem = element.webOrderLineItemId.flatMap { Int64($0) }
            guard let number = Int64(element.transactionId).map(TransactionNumber.init),
                let lineage = lineage(of: number),
                let purchase = lineage.purchases.first(where: { $0.lineItem?.rawValue == lineItem }
                ),
                purchase.number != number
            else { continue }
            let date = lineage.renewal == nil ? element.purchaseDate : element.originalPurchaseDate
            restored[purchase.number] = Device.Restored(number: number, date: date ?? now)
        }
        return restored
    }

    private func answer(to receipt: TransactionReceipt, in app: StoreApp) -> StoreReceiptAnswer {
        guard let number = Int64(receipt.transactionId).map(TransactionNumber.init),
            let lineage = lineage(of: number)
        else { return answer(.status(.accountNotFound)) }
        let lineItem = receipt.webOrderLineItemId.flatMap { Int64($0) }
        let purchase = lineage.purchases.first { $0.lineItem?.rawValue == lineItem }
        var latest: TransactionPurchase?
        if lineage.renewal != nil {
            let record = record([], of: lineage.account, in: app, on: nil, signedDate: now)
            latest = record.transactionPurchase(lineage.newest, of: lineage)
            latest?.uniqueVendorIdentifier = receipt.uniqueVendorIdentifier
            latest?.uniqueIdentifier = receipt["unique-identifier"]
        }
        return answer(
            .transaction(
                receipt.shown(purchase, of: lineage, at: now),
                latest: latest?.receipt,
                lineage
            )
        )
    }

    private func answer(_ content: StoreReceiptAnswer.Content) -> StoreReceiptAnswer {
        StoreReceiptAnswer(content: content, environment: environment, at: now)
    }

    private func lineage(of transactionId: String) -> Lineage? {
        Int64(transactionId).flatMap { lineage(of: TransactionNumber($0)) }
    }
}

extension StoreApp {
    /// Whether a password is enough to be told of purchases; of subscriptions that renew by
    /// themselves it must be there.
    fileprivate func accepts(_ password: String?, forRenewing isRenewing: Bool) -> Bool {
        guard let sharedSecret else { return true }
        return password.map { $0 == sharedSecret } ?? !isRenewing
    }
}

extension StoreReceiptRequest.Receipt {
    fileprivate var bundleId: String {
        switch self {
        case .app(let receipt): receipt.bundleId
        case .transaction(let receipt): receipt.bundleId
        }
    }

    fileprivate var transactionIds: [String] {
        switch self {
        case .app(let receipt): receipt.inApp.map(\.transactionId)
        case .transaction(let receipt): [receipt.transactionId]
        }
    }

    fileprivate var hasAutoRenewables: Bool {
        switch self {
        case .app(let receipt): receipt.hasAutoRenewables
        case .transaction(let receipt): receipt.isAutoRenewable
        }
    }
}
