import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// Fills what a receipt leaves open as the store that it names would.
struct ReceiptCompletion {
    let details: AppReceiptDetails
    let receipt: AppReceipt

    private var isXcode: Bool { receipt.receiptType == .xcode }
    private var isProduction: Bool { receipt.receiptType.environment == .production }

    /// The receipt with every field that its store's receipts have; what was given stays.
    func completed() -> AppReceipt {
        var full = receipt
        full.creationDate = receipt.creationDate.wholeSecond
        full.originalCreationDate =
            (receipt.originalCreationDate ?? (isProduction ? receipt.creationDate : nil))?
            .wholeSecond
        full.appItemId = receipt.appItemId ?? number(1_000_000_000...6_999_999_999, "app item id")
        full.applicationVersion = receipt.applicationVersion ?? "1"
        full.opaqueValue =
            receipt.opaqueValue ?? details.bytes(isXcode ? 8 : 16, for: "opaque value")
        full.expirationDate =
            (receipt.expirationDate ?? (isXcode ? Self.xcodeNever : nil))?.wholeSecond
        full.preorderDate = receipt.preorderDate?.wholeSecond
        full.inApp = receipt.inApp.map(completed)
        full.originalPurchaseDate = receipt.originalPurchaseDate?.wholeSecond
        if !isXcode { completeStoreFields(&full) }
        full.sha1Hash = receipt.sha1Hash ?? deviceHash(of: full)
        withholdOmitted(from: &full)
        return full
    }

    /// What is left out of the receipt cannot be read from it.
    private func withholdOmitted(from full: inout AppReceipt) {
        func omits(_ type: Int64) -> Bool { details.omittedTypes.contains(type) }
        if omits(1) { full.appItemId = nil }
        if omits(3) { full.applicationVersion = nil }
        if omits(4) { full.opaqueValue = nil }
        if omits(5) { full.sha1Hash = nil }
        if omits(8) { full.originalCreationDate = nil }
        if omits(15) { full.downloadId = nil }
        if omits(16) { full.versionExternalIdentifier = nil }
        if omits(18) { full.originalPurchaseDate = nil }
        if omits(19) { full.originalApplicationVersion = nil }
        if omits(21) { full.expirationDate = nil }
        if omits(32) { full.preorderDate = nil }
    }

    /// 4001-01-01T00:00:00Z, which Xcode writes for "never".
    private static let xcodeNever = CivilTime(year: 4001, month: 1, day: 1).instant

    /// The constants of the sandbox (Apple, "original_purchase_date" and
    /// "original_application_version"), or seeded values of production.
    private func completeStoreFields(_ full: inout AppReceipt) {
        full.downloadId =
            receipt.downloadId
            ?? number(500_000_000_000_000_000...504_999_999_999_999_999, "download id")
        full.versionExternalIdentifier =
            receipt.versionExternalIdentifier
            ?? number(800_000_000...899_999_999, "version external identifier")
        full.originalPurchaseDate =
            full.originalPurchaseDate
            ?? (isProduction ? earliestDate(of: full) : Self.sandboxOriginalPurchaseDate)
        full.originalApplicationVersion =
            receipt.originalApplicationVersion
            ?? (isProduction ? full.applicationVersion : "1.0")
    }

    private static let sandboxOriginalPurchaseDate =
        CivilTime(year: 2013, month: 8, day: 1, hour: 7).instant

    private func earliestDate(of full: AppReceipt) -> Instant {
        full.inApp.compactMap(\.originalPurchaseDate).min() ?? full.creationDate
    }

    /// 0 anywhere but in production.
    private func number(_ range: ClosedRange<Int64>, _ purpose: String) -> Int64 {
        isProduction ? details.number(range, for: purpose) : 0
    }

    /// SHA-1 over device identifier, opaque value and bundle identifier, the last as the octets of
    /// its attribute, with tag and length.
    private func deviceHash(of full: AppReceipt) -> [UInt8] {
        let bundleId = AttributeValue.text(full.bundleId).encoding
        let message = details.deviceIdentifier + (full.opaqueValue ?? []) + bundleId
        return MessageDigest(of: message.span, .sha1).bytes
    }
}

// MARK: - Purchases

extension ReceiptCompletion {
    /// Since when receipts tell whether a subscription is at an introductory price.
    private static let introOffersSince = CivilTime(year: 2017, month: 6, day: 1).instant

    private func completed(_ purchase: InAppPurchase) -> InAppPurchase {
        var full = purchase
        full.purchaseDate = (purchase.purchaseDate ?? receipt.creationDate).wholeSecond
        full.expiresDate = purchase.expiresDate?.wholeSecond
        full.cancellationDate = purchase.cancellationDate?.wholeSecond
        full.originalPurchaseDate = purchase.originalPurchaseDate?.wholeSecond
        if purchase.isAutoRenewable, purchase.isInIntroOfferPeriod == nil,
            receipt.creationDate >= Self.introOffersSince
        {
            full.isInIntroOfferPeriod = false
        }
        guard !isXcode else { return full }
        full.originalTransactionId = purchase.originalTransactionId ?? purchase.transactionId
        full.originalPurchaseDate = full.originalPurchaseDate ?? full.purchaseDate
        full.productType =
            purchase.productType
            ?? (purchase.expiresDate == nil ? .nonConsumable : .autoRenewableSubscription)
        full.itemId =
            purchase.itemId
            ?? number(1_000_000_000...6_999_999_999, "item id of " + purchase.productId)
        full.isTrialPeriod = purchase.isTrialPeriod ?? false
        if full.isAutoRenewable, purchase.webOrderLineItemId == nil {
            full.webOrderLineItemId = String(lineItemId(of: purchase))
        }
        return full
    }

    /// A number with the leading digits of the sandbox's, or fifteen digits as in production; the
    /// same whenever the same transaction is issued again.
    private func lineItemId(of purchase: InAppPurchase) -> Int64 {
        let rest = details.number(
            1...999_999_999,
            for: "line item of " + purchase.transactionId
        )
        return (isProduction ? 260_000_000_000_000 : 2_000_000_000_000_000) + rest
    }
}
