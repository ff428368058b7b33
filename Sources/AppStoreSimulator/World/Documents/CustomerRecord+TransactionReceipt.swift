import AppStoreModel
import CounterfoilBasics

// What an iOS 6-style receipt says of a purchase (Apple, "SKPaymentTransaction").
extension CustomerRecord {
    /// A purchase as a receipt of one transaction tells of it.
    ///
    /// - Parameters:
    ///   - purchase: One of the lineage's.
    ///   - lineage: One of this record's.
    ///   - isRestored: Whether it is told of under the number of a restore, where it has one.
    /// - Returns: What is signed, and filled in as the App Store of its time did.
    func transactionPurchase(
        _ purchase: Purchase,
        of lineage: Lineage,
        isRestored: Bool = false
    ) -> TransactionPurchase {
        let element = lineage.inApp(
            purchase,
            restoredAs: isRestored ? restored[purchase.number] : nil
        )
        let version = device?.apps[app.bundleId] ?? app.version
        var shown = TransactionPurchase(
            bundleId: app.bundleId,
            productId: purchase.productId,
            transactionId: element.transactionId,
            purchaseDate: element.purchaseDate ?? purchase.purchaseDate,
            environment: environment
        )
        shown.bundleVersion = version
        shown.quantity = purchase.quantity
        shown.originalTransactionId = element.originalTransactionId
        shown.originalPurchaseDate = element.originalPurchaseDate
        shown.expiresDate = element.expiresDate
        shown.webOrderLineItemId = element.webOrderLineItemId
        shown.isTrialPeriod = element.isTrialPeriod
        shown.isInIntroOfferPeriod = element.isInIntroOfferPeriod
        shown.itemId = String(app.itemId(of: purchase.productId))
        if environment == .production {
            shown.appItemId = String(app.appAppleId)
            shown.versionExternalIdentifier = String(app.versionExternalIdentifier(of: version))
        }
        addWhatIsNotOfAllTimes(to: &shown, lineage.group)
        return shown
    }

    /// What receipts of the purchase's date have, and older ones have not.
    private func addWhatIsNotOfAllTimes(
        to shown: inout TransactionPurchase,
        _ group: SubscriptionGroup?
    ) {
        let date = shown.purchaseDate
        shown.hasAllDateForms = date >= FormatDate.allDateForms
        let vendor = vendorIdentifier ?? ownNumbers.bytes(16, for: "vendor")
        if date >= FormatDate.deviceIdentifiers {
            shown.uniqueIdentifier = Hexadecimal.encode(
                ownNumbers.bytes(20, for: "device " + Hexadecimal.encode(vendor))
            )
        }
        if date >= FormatDate.vendorIdentifiers {
            shown.uniqueVendorIdentifier = UUIDText.text(of: vendor).uppercased()
        }
        if date >= FormatDate.offers {
            shown.isTrialPeriod = shown.isTrialPeriod ?? false
            shown.isInIntroOfferPeriod = shown.isInIntroOfferPeriod ?? false
        }
        if date >= FormatDate.subscriptionGroups { shown.subscriptionGroupIdentifier = group?.id }
        if environment != .production, date >= FormatDate.sandboxVersions {
            // The version of an app that was not sold.
            shown.versionExternalIdentifier = "0"
        }
    }
}

extension LocalAppStore {
    /// The iOS 6-style receipt of a transaction, as a device has it.
    ///
    ///     let purchase = try store.transactionReceipt(of: number, on: phone)
    ///     let bytes = try TransactionReceiptIssuer(authority: authority).issue(purchase.receipt)
    ///
    /// - Parameters:
    ///   - number: The transaction: as it was bought, or as it was restored on the device.
    ///   - device: One of its account's.
    /// - Returns: What is signed, and filled in as the App Store of its time did.
    /// - Throws: `store.unknown_transaction`; `store.not_possible` for a transaction of another
    ///   account, or of a restore on another device.
    public func transactionReceipt(
        of number: TransactionNumber,
        on device: Device.ID
    ) throws(StoreError) -> TransactionPurchase {
        let index = try index(of: number)
        let lineage = lineages[index]
        let device = self[device]
        guard lineage.account == device.account else {
            throw .notPossible("\(number) is of another account than the device's")
        }
        let purchase = lineage.purchases.first {
            $0.number == number || device.restored[$0.number]?.number == number
        }
        guard let purchase else {
            throw .notPossible("\(number) is of a restore on another device")
        }
        let record = record(
            [index],
            of: lineage.account,
            in: try app(lineage.bundleId),
            on: device,
            signedDate: now
        )
        return record.transactionPurchase(
            purchase,
            of: lineage,
            isRestored: purchase.number != number
        )
    }
}

extension TransactionReceipt {
    /// The receipt as the App Store's servers show it: with the token of the app's account, and with
    /// a refund that came after it, and since 2017 its reason.
    func shown(
        _ purchase: Purchase?,
        of lineage: Lineage,
        at now: Instant
    ) -> TransactionReceipt {
        var shown = self
        if let token = lineage.appAccountToken {
            shown.purchaseInfo.append(Entry(key: "app-account-token", value: token.lowercased()))
        }
        guard let revocation = purchase?.revocation else { return shown }
        let date = revocation.date.wholeSecond
        shown.purchaseInfo += [
            Entry(key: "cancellation-date", value: AppStoreDate.gmt(date)),
            Entry(key: "cancellation-date-ms", value: AppStoreDate.milliseconds(date)),
            Entry(key: "cancellation-date-pst", value: AppStoreDate.pst(date)),
        ]
        if now >= FormatDate.renewals, let reason = revocation.reason {
            shown.purchaseInfo.append(
                Entry(key: "cancellation-reason", value: String(reason.rawValue))
            )
        }
        return shown
    }
}
