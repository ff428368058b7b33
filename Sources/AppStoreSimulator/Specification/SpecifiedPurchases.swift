import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// The purchases that a specification describes.
struct SpecifiedPurchases {
    private let members: SpecificationMembers
    private let receipt: AppReceipt
    private let firstNumber: Int64

    /// The most periods of one subscription that a number may ask for.
    static let mostPeriods = 10_000

    init(_ members: SpecificationMembers, receipt: AppReceipt) throws(SimulatorError) {
        self.members = members
        self.receipt = receipt
        let seed = try members.natural("seed") ?? 0
        firstNumber = AppReceiptDetails(seed: seed).number(100_000_000...899_999_999, for: "ids")
    }

    func purchases() throws(SimulatorError) -> [InAppPurchase] {
        if members.members.object["purchases"]?.isNull ?? true { return periods(1) }
        if let count = members.members.object["purchases"]?.number {
            guard let count = count.int64, (0...Int64(Self.mostPeriods)).contains(count) else {
                throw members.invalid("purchases", "a number from 0 to \(Self.mostPeriods)")
            }
            return periods(Int(count))
        }
        var purchases: [InAppPurchase] = []
        for (index, purchase) in try members.purchases().enumerated() {
            purchases.append(try self.purchase(purchase, index))
        }
        return purchases
    }

    /// So many periods of one subscription, each of 30 days, the last of which began 3 days ago.
    private func periods(_ count: Int) -> [InAppPurchase] {
        let begun = members.now.advanced(by: .seconds(-3 * 86_400))
        let first = begun.advanced(by: .seconds(-(count - 1) * Self.periodSeconds))
        return (0..<count).map { index in
            var purchase = InAppPurchase(
                productId: receipt.bundleId + ".pro.month",
                transactionId: transactionId(index)
            )
            let begin = first.advanced(by: .seconds(index * Self.periodSeconds))
            purchase.purchaseDate = begin
            purchase.expiresDate = begin.advanced(by: .seconds(Self.periodSeconds))
            if receipt.receiptType != .xcode {
                purchase.productType = .autoRenewableSubscription
                purchase.originalTransactionId = transactionId(0)
                purchase.originalPurchaseDate = first
            }
            return purchase
        }
    }

    private static let periodSeconds = 30 * 86_400

    private func purchase(
        _ members: SpecificationMembers,
        _ index: Int
    ) throws(SimulatorError) -> InAppPurchase {
        let type = try members.choice("type", ProductType.words) ?? .autoRenewableSubscription
        let begin =
            try members.date("purchaseDate") ?? members.now.advanced(by: .seconds(-3 * 86_400))
        var purchase = InAppPurchase(
            productId: try members.string("productId") ?? receipt.bundleId + ".pro.month",
            transactionId: try members.identifier("transactionId") ?? transactionId(index)
        )
        purchase.quantity = try members.integer("quantity") ?? 1
        purchase.purchaseDate = begin
        purchase.originalTransactionId = try members.identifier("originalTransactionId")
        purchase.originalPurchaseDate = try members.date("originalPurchaseDate")
        purchase.expiresDate = try members.date("expiresDate")
        if type == .autoRenewableSubscription, purchase.expiresDate == nil {
            purchase.expiresDate = begin.advanced(by: .seconds(Self.periodSeconds))
        }
        // Xcode's receipts do not tell what kind of product it is.
        if receipt.receiptType != .xcode { purchase.productType = type }
        purchase.webOrderLineItemId = try members.identifier("webOrderLineItemId")
        purchase.itemId = try members.integer("itemId")
        purchase.cancellationDate = try members.date("cancellationDate")
        purchase.cancellationReason = try members.identifier("cancellationReason")
        purchase.isTrialPeriod = try members.bool("trial")
        purchase.isInIntroOfferPeriod = try members.bool("introOffer")
        purchase.promotionalOfferId = try members.string("promotionalOfferId")
        return purchase
    }

    /// Sixteen digits in the sandbox, fifteen in production, and counting from 0 in Xcode.
    private func transactionId(_ index: Int) -> String {
        switch receipt.receiptType.environment {
        case .xcode: String(index)
        case .production: String(260_000_000_000_000 + firstNumber + Int64(index))
        default: String(2_000_000_000_000_000 + firstNumber + Int64(index))
        }
    }
}

extension ProductType {
    /// What kinds of products are called in specifications.
    static let words: KeyValuePairs<String, ProductType> = [
        "autoRenewable": .autoRenewableSubscription, "nonRenewing": .nonRenewingSubscription,
        "nonConsumable": .nonConsumable, "consumable": .consumable, "free": .freeSubscription,
    ]
}

extension SpecificationMembers {
    private static let purchaseKeys = [
        "type", "productId", "quantity", "transactionId", "originalTransactionId", "purchaseDate",
        "originalPurchaseDate", "expiresDate", "webOrderLineItemId", "itemId", "cancellationDate",
        "cancellationReason", "trial", "introOffer", "promotionalOfferId", "attributes", "omit",
    ]

    /// The purchases that are listed; none when only their number is given.
    func purchases() throws(SimulatorError) -> [SpecificationMembers] {
        guard members.object["purchases"]?.number == nil else { return [] }
        var purchases: [SpecificationMembers] = []
        for purchase in try objects("purchases") ?? [] {
            purchases.append(
                try SpecificationMembers(purchase, keys: Self.purchaseKeys, now: now)
            )
        }
        return purchases
    }
}

// MARK: - Raw attributes

extension AttributeSet {
    private static let keys = ["type", "version", "integer", "text", "asciiText", "octets"]

    /// Puts the raw attributes of a specification in the place of all others of their types.
    mutating func replaceRawAttributes(
        _ members: SpecificationMembers
    ) throws(SimulatorError) {
        var raw: [ReceiptAttribute] = []
        for object in try members.objects("attributes") ?? [] {
            let attribute = try SpecificationMembers(object, keys: Self.keys, now: members.now)
            guard let type = try attribute.integer("type") else {
                throw attribute.invalid("type", "the number of an attribute")
            }
            raw.append(
                ReceiptAttribute(
                    type,
                    try attribute.attributeValue(),
                    version: try attribute.integer("version") ?? 1
                )
            )
        }
        for attribute in raw { remove(attribute.type) }
        attributes += raw
    }
}

extension SpecificationMembers {
    fileprivate func attributeValue() throws(SimulatorError) -> AttributeValue {
        var values: [AttributeValue] = []
        if let integer = try integer("integer") { values.append(.integer(integer)) }
        if let text = try string("text") { values.append(.text(text)) }
        if let text = try string("asciiText") { values.append(.asciiText(text)) }
        if let digits = try string("octets") {
            guard let octets = Hexadecimal.decode(digits) else {
                throw invalid("octets", "hexadecimal digits, two a byte")
            }
            values.append(.octets(octets))
        }
        guard values.count == 1 else {
            throw invalid("type", "beside exactly one of integer, text, asciiText and octets")
        }
        return values[0]
    }
}
