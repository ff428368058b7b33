public import AppStoreModel
import CounterfoilBasics

extension ReceiptPayload {
    /// Composes the attributes that say what a receipt says, in the types, versions and empty texts
    /// of the store that its receipt type names.
    ///
    /// Fields that are nil are filled as that store would: the sandbox with its constants, Xcode
    /// with its few attributes. The attribute lists of the receipt and of its purchases are not
    /// looked at.
    ///
    /// - Parameters:
    ///   - receipt: What to say; dates are rounded down to whole seconds.
    ///   - details: What it says beyond that.
    /// - Throws: `issue.not_representable` for dates beyond the years 0 to 9999 and line item ids
    ///   that are no number.
    public init(
        _ receipt: AppReceipt,
        details: AppReceiptDetails = AppReceiptDetails()
    ) throws(SimulatorError) {
        let completion = ReceiptCompletion(details: details, receipt: receipt)
        try self.init(completed: completion.completed(), details: details)
    }

    init(completed receipt: AppReceipt, details: AppReceiptDetails) throws(SimulatorError) {
        let composer = AttributeComposer(receipt: receipt, details: details)
        var purchases: [AttributeSet] = []
        purchases.reserveCapacity(receipt.inApp.count)
        for purchase in receipt.inApp { purchases.append(try composer.attributes(of: purchase)) }
        self.init(
            receipt: try composer.attributes(),
            purchases: purchases,
            order: receipt.receiptType == .xcode ? .ascending : .der
        )
    }
}

/// Writes the fields of a completed receipt into attributes.
private struct AttributeComposer {
    let receipt: AppReceipt
    let details: AppReceiptDetails

    private var isXcode: Bool { receipt.receiptType == .xcode }
    private var isProduction: Bool { receipt.receiptType.environment == .production }

    func attributes() throws(SimulatorError) -> AttributeSet {
        var set = AttributeSet()
        set.set(0, .text(receipt.receiptType.rawValue))
        set.appendIfAny(1, receipt.appItemId.map(AttributeValue.integer))
        set.append(ReceiptAttribute(2, .text(receipt.bundleId)))
        set.appendIfAny(3, receipt.applicationVersion.map(AttributeValue.text))
        set.append(
            ReceiptAttribute(4, .octets(receipt.opaqueValue ?? []), version: isXcode ? 1 : 2)
        )
        set.append(ReceiptAttribute(5, .octets(receipt.sha1Hash ?? [])))
        set.append(ReceiptAttribute(8, try date(receipt.originalCreationDate)))
        set.append(ReceiptAttribute(12, try date(receipt.creationDate)))
        set.appendIfAny(15, receipt.downloadId.map(AttributeValue.integer))
        set.appendIfAny(16, receipt.versionExternalIdentifier.map(AttributeValue.integer))
        set.appendIfAny(18, try dateIfAny(receipt.originalPurchaseDate))
        set.appendIfAny(19, receipt.originalApplicationVersion.map(AttributeValue.text))
        set.appendIfAny(21, try dateIfAny(receipt.expirationDate))
        set.appendIfAny(22, try dateIfAny(details.secondVPPDate))
        set.appendIfAny(23, details.organizationName.map(AttributeValue.text))
        set.appendIfAny(32, try dateIfAny(receipt.preorderDate))
        if !isXcode { appendUndocumented(to: &set) }
        set.attributes.removeAll { details.omittedTypes.contains($0.type) }
        return set
    }

    /// What only receipts of the App Store's servers have.
    private func appendUndocumented(to set: inout AttributeSet) {
        set.append(ReceiptAttribute(6, .octets(details.bytes(56, for: "attribute 6"))))
        set.append(ReceiptAttribute(7, .octets(details.bytes(54, for: "attribute 7"))))
        set.append(ReceiptAttribute(9, .integer(details.fulfilmentVersion)))
        set.append(ReceiptAttribute(10, .asciiText(details.ageRating)))
        let developerId =
            isProduction ? details.number(1_000_000...199_999_999, for: "developer id") : 0
        set.append(ReceiptAttribute(11, .integer(details.developerId ?? developerId)))
        set.append(ReceiptAttribute(13, .integer(details.clientVersion)))
        set.append(ReceiptAttribute(14, .integer(details.deviceModel)))
        if details.platform == .iOS { set.append(ReceiptAttribute(20, .text(""))) }
        set.append(ReceiptAttribute(25, .integer(details.platform == .iOS ? 3 : 2)))
    }

    func attributes(of purchase: InAppPurchase) throws(SimulatorError) -> AttributeSet {
        var set = AttributeSet()
        set.attributes.reserveCapacity(22)
        set.append(ReceiptAttribute(1701, .integer(purchase.quantity)))
        set.append(ReceiptAttribute(1702, .text(purchase.productId)))
        set.append(ReceiptAttribute(1703, .text(purchase.transactionId)))
        set.append(ReceiptAttribute(1704, try date(purchase.purchaseDate)))
        set.appendIfAny(1705, purchase.originalTransactionId.map(AttributeValue.text))
        set.appendIfAny(1706, try dateIfAny(purchase.originalPurchaseDate))
        set.appendIfAny(1707, purchase.productType.map { .integer($0.rawValue) })
        set.appendIfAny(1708, try dateUnlessXcode(purchase.expiresDate))
        set.appendIfAny(1710, purchase.itemId.map(AttributeValue.integer))
        set.appendIfAny(1711, try lineItemId(of: purchase))
        set.appendIfAny(1712, try dateUnlessXcode(purchase.cancellationDate))
        set.appendIfAny(1713, purchase.isTrialPeriod.map(integer))
        set.appendIfAny(1719, purchase.isInIntroOfferPeriod.map(integer))
        set.appendIfAny(1720, purchase.cancellationReason.map(number))
        set.appendIfAny(1721, purchase.promotionalOfferId.map(AttributeValue.text))
        guard !isXcode else { return set }
        for type in [1709, 1714, 1715, 1716, 1717, 1718] as [Int64] {
            set.append(ReceiptAttribute(type, .text("")))
        }
        if receipt.creationDate >= Self.attribute1722Since {
            set.append(ReceiptAttribute(1722, .integer(0)))
        }
        return set
    }

    /// The first day of receipts that have it.
    private static let attribute1722Since = CivilTime(year: 2023, month: 2, day: 22).instant

    /// 0 for what is no subscription; absent in Xcode.
    private func lineItemId(of purchase: InAppPurchase) throws(SimulatorError) -> AttributeValue? {
        guard let text = purchase.webOrderLineItemId else { return isXcode ? nil : .integer(0) }
        guard let number = Int64(text) else {
            throw SimulatorError(
                SimulatorError.notRepresentable,
                "found a web order line item id that is no number, in transaction "
                    + purchase.transactionId
            )
        }
        return .integer(number)
    }

    private func date(_ instant: Instant?) throws(SimulatorError) -> AttributeValue {
        try .date(instant, zoneMinutes: details.zoneMinutes)
    }

    private func dateIfAny(_ instant: Instant?) throws(SimulatorError) -> AttributeValue? {
        guard let instant else { return nil }
        return try date(instant)
    }

    /// No date is an empty text in the App Store's receipts, and no attribute in Xcode's.
    private func dateUnlessXcode(_ instant: Instant?) throws(SimulatorError) -> AttributeValue? {
        isXcode ? try dateIfAny(instant) : try date(instant)
    }

    private func integer(_ value: Bool) -> AttributeValue { .integer(value ? 1 : 0) }

    private func number(_ text: String) -> AttributeValue {
        Int64(text).map(AttributeValue.integer) ?? .text(text)
    }
}
