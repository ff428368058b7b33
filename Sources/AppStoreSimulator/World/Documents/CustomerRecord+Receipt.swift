public import AppStoreModel
import CounterfoilBasics

/// An app receipt before it is signed.
public struct StoreReceipt: Hashable, Sendable {
    /// What it says; what is nil is filled in as the store of its type does.
    public var receipt: AppReceipt
    /// What it says beyond that.
    public var details: AppReceiptDetails
    /// How it is wrapped and signed: as the App Store did at its date.
    public var form: AppReceiptForm

    /// The receipt's bytes, of which apps send the base 64 text.
    ///
    /// - Throws: `issue.not_representable`, `issue.key_unusable`.
    public func signed(by authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        try AppReceiptIssuer(authority: authority).issue(receipt, details: details, form: form)
    }
}

// What an app receipt says of a customer (Apple, "Validating receipts on the device").
extension CustomerRecord {
    /// The app receipt: that of the device, or one that the App Store makes for an app's server.
    public var receipt: StoreReceipt {
        StoreReceipt(receipt: content, details: details, form: .appStore(at: signedDate))
    }

    private var content: AppReceipt {
        let isProduction = environment == .production
        var receipt = AppReceipt(
            receiptType: isProduction ? .production : .productionSandbox,
            bundleId: app.bundleId,
            creationDate: signedDate
        )
        receipt.applicationVersion = device?.apps[app.bundleId] ?? app.version
        receipt.opaqueValue = opaqueValue
        receipt.inApp = lineages.flatMap { lineage in
            lineage.purchases.filter(\.isInReceipts).map { purchase in
                lineage.inApp(purchase, restoredAs: restored[purchase.number])
            }
        }
        if isProduction { addProductionFields(to: &receipt) }
        return receipt
    }

    /// The sandbox has constants in their place.
    private func addProductionFields(to receipt: inout AppReceipt) {
        let download = account.downloads[app.bundleId]
        receipt.appItemId = app.appAppleId
        receipt.downloadId = ownNumbers.number(
            500_000_000_000_000_000...504_999_999_999_999_999,
            for: "download id"
        )
        receipt.versionExternalIdentifier = app.versionExternalIdentifier(
            of: receipt.applicationVersion ?? app.version
        )
        receipt.originalPurchaseDate = download?.date
        receipt.originalApplicationVersion = download?.version
    }

    private var details: AppReceiptDetails {
        guard let device else { return .madeForServer(seed: app.seed) }
        var details = AppReceiptDetails(seed: app.seed)
        details.deviceIdentifier = device.vendorIdentifier
        return details
    }

    /// Sixteen bytes that no two receipts of a customer share.
    private var opaqueValue: [UInt8] {
        ownNumbers.bytes(16, for: "opaque value at \(signedDate.millisecondsSince1970)")
    }

    /// Where numbers come from that belong to this customer's download.
    var ownNumbers: AppReceiptDetails {
        let id = account.downloads[app.bundleId]?.appTransactionId
        return AppReceiptDetails(seed: id.flatMap { UInt64($0) } ?? 0)
    }
}

extension Purchase {
    /// Whether receipts list it: consumables only until they are finished or refunded (Apple,
    /// "in_app"; docs/REHEARSING.md).
    var isInReceipts: Bool { type != .consumable || (!isFinished && revocation == nil) }

    fileprivate var productType: ProductType {
        switch type {
        case .consumable: .consumable
        case .nonRenewingSubscription: .nonRenewingSubscription
        case .autoRenewableSubscription: .autoRenewableSubscription
        default: .nonConsumable
        }
    }
}

extension Lineage {
    /// A purchase as receipts list it, its dates in whole seconds.
    ///
    /// - Parameters:
    ///   - purchase: One of the lineage's.
    ///   - restored: The number and instant of the restore that lists it; as it was bought when
    ///     nil. A restored period of a subscription keeps its date of purchase and its line item,
    ///     any other purchase its original date.
    /// - Returns: The element of `in_app`.
    func inApp(_ purchase: Purchase, restoredAs restored: Device.Restored? = nil) -> InAppPurchase {
        let isSubscription = purchase.type == .autoRenewableSubscription
        var element = InAppPurchase(
            productId: purchase.productId,
            transactionId: (restored?.number ?? purchase.number).description
        )
        element.quantity = purchase.quantity
        element.purchaseDate = purchase.purchaseDate.wholeSecond
        element.originalTransactionId = original.description
        element.originalPurchaseDate = purchases[0].purchaseDate.wholeSecond
        if let restored {
            if isSubscription {
                element.originalPurchaseDate = restored.date.wholeSecond
            } else {
                element.purchaseDate = restored.date.wholeSecond
            }
        }
        element.productType = purchase.productType
        element.expiresDate = purchase.expiresDate?.wholeSecond
        element.webOrderLineItemId = purchase.lineItem?.description
        element.cancellationDate = purchase.revocation?.date.wholeSecond
        element.cancellationReason = purchase.revocation?.reason.map { String($0.rawValue) }
        if let offer = purchase.offer { element.tell(of: offer) }
        return element
    }
}

extension InAppPurchase {
    /// What of an offer receipts show; codes and win-back offers are known to the server alone.
    fileprivate mutating func tell(of offer: AppliedOffer) {
        switch offer.type {
        case .introductory where offer.mode == .freeTrial: isTrialPeriod = true
        case .introductory: isInIntroOfferPeriod = true
        case .promotional: promotionalOfferId = offer.id
        default: break
        }
    }
}

extension StoreApp {
    /// Decides the numbers that App Store Connect gave the app and its products.
    var seed: UInt64 { UInt64(bitPattern: appAppleId) }

    /// The App Store's number of a product.
    func itemId(of productId: String) -> Int64 {
        AppReceiptDetails(seed: seed)
            .number(1_000_000_000...6_999_999_999, for: "item id of " + productId)
    }

    /// The number of a version of the app, in production.
    func versionExternalIdentifier(of version: String) -> Int64 {
        AppReceiptDetails(seed: seed)
            .number(800_000_000...899_999_999, for: "version external identifier of " + version)
    }
}

extension AppReceiptForm {
    /// As the App Store's servers signed at an instant: with SHA-1 until August 2023 (Apple,
    /// TN3138).
    static func appStore(at instant: Instant) -> AppReceiptForm {
        instant < CivilTime(year: 2023, month: 8, day: 16).instant ? .sha1 : .appStore
    }
}
