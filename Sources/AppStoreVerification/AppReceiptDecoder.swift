import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

/// Understands the attributes of an app receipt (numbers and meanings: ``AppReceipt``).
///
/// Every attribute is kept as it is. Of those that are understood, the ones that decide about
/// money or access refuse the receipt when they cannot be read; the others stay raw and are noted.
/// Where an attribute that stands once is repeated, the first one counts.
struct AppReceiptDecoder {
    let payload: ReceiptPayload
    let limits: VerificationLimits
    private(set) var notes: [VerificationNote] = []

    init(payload: ReceiptPayload, limits: VerificationLimits) {
        self.payload = payload
        self.limits = limits
    }

    /// The value of attribute 12 alone, for the instant at which the chain is judged.
    func creationDate() throws(VerificationError) -> Instant {
        var found: ReceiptAttribute?
        try payload.forEachAttribute(limit: attributeLimit) { attribute in
            if attribute.type == 12 { found = attribute }
            return found == nil
        }
        guard let found else { throw Self.missing(12) }
        return try Self.requiredDate(found)
    }

    /// The whole receipt.
    mutating func receipt() throws(VerificationError) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: ReceiptType(rawValue: ""),
            bundleId: "",
            creationDate: Instant(millisecondsSince1970: 0)
        )
        var seen = SeenAttributes()
        var notes: [VerificationNote] = []
        try payload.forEachAttribute(limit: attributeLimit) {
            (attribute) throws(VerificationError) in
            receipt.attributes.append(attribute)
            if attribute.type == 17 {
                guard receipt.inApp.count < limits.purchases else {
                    throw VerificationError(
                        VerificationError.tooManyPurchases,
                        "the receipt lists more than \(limits.purchases) purchases"
                    )
                }
                receipt.inApp.append(try purchase(attribute.value, notes: &notes))
            } else if seen.insert(attribute, notes: &notes) {
                try Self.read(attribute, into: &receipt, notes: &notes)
            } else if [0, 2, 12].contains(attribute.type) {
                throw VerificationError(
                    VerificationError.attributeAmbiguous,
                    "the receipt has attribute \(attribute.type) twice, so which one counts is open"
                )
            }
            return true
        }
        self.notes += notes
        guard receipt.attributes.count - receipt.inApp.count <= limits.attributes else {
            throw VerificationError(
                VerificationError.tooManyAttributes,
                "the receipt has \(receipt.attributes.count - receipt.inApp.count) attributes "
                    + "beside its purchases; at most \(limits.attributes) are read"
            )
        }
        guard seen.contains(0) else {
            throw VerificationError(
                VerificationError.typeMissing,
                "the receipt has no attribute 0 (receipt type), so its environment is unknown"
            )
        }
        guard seen.contains(2) else { throw Self.missing(2) }
        guard seen.contains(12) else { throw Self.missing(12) }
        return receipt
    }

    var attributeLimit: Int { limits.attributes + limits.purchases }

    private func purchase(
        _ value: ArraySlice<UInt8>,
        notes: inout [VerificationNote]
    ) throws(VerificationError) -> InAppPurchase {
        var purchase = InAppPurchase(productId: "", transactionId: "")
        // A purchase has up to 23 attributes.
        purchase.attributes.reserveCapacity(24)
        var seen = SeenAttributes()
        try ReceiptPayload.forEachAttribute(ofPurchase: value, limit: limits.attributes) {
            (attribute) throws(VerificationError) in
            purchase.attributes.append(attribute)
            guard seen.insert(attribute, notes: &notes) else { return }
            try Self.read(attribute, into: &purchase, notes: &notes)
        }
        guard seen.contains(1702) else { throw Self.missing(1702) }
        guard seen.contains(1703) else { throw Self.missing(1703) }
        return purchase
    }
}

// MARK: - One attribute

extension AppReceiptDecoder {
    static func read(
        _ attribute: ReceiptAttribute,
        into receipt: inout AppReceipt,
        notes: inout [VerificationNote]
    ) throws(VerificationError) {
        switch attribute.type {
        case 0: receipt.receiptType = ReceiptType(rawValue: try requiredText(attribute))
        case 1: receipt.appItemId = integer(attribute, &notes)
        case 2: receipt.bundleId = try requiredText(attribute)
        case 3: receipt.applicationVersion = text(attribute, &notes)
        case 4: receipt.opaqueValue = Array(attribute.value)
        case 5: receipt.sha1Hash = Array(attribute.value)
        case 8: receipt.originalCreationDate = date(attribute, &notes)
        case 12: receipt.creationDate = try requiredDate(attribute)
        case 15: receipt.downloadId = integer(attribute, &notes)
        case 16: receipt.versionExternalIdentifier = integer(attribute, &notes)
        case 18: receipt.originalPurchaseDate = date(attribute, &notes)
        case 19: receipt.originalApplicationVersion = text(attribute, &notes)
        case 21: receipt.expirationDate = try decisiveDate(attribute)
        case 32: receipt.preorderDate = date(attribute, &notes)
        default: break
        }
    }

    static func read(
        _ attribute: ReceiptAttribute,
        into purchase: inout InAppPurchase,
        notes: inout [VerificationNote]
    ) throws(VerificationError) {
        switch attribute.type {
        case 1701: purchase.quantity = try requiredInteger(attribute)
        case 1702: purchase.productId = try requiredText(attribute)
        case 1703: purchase.transactionId = try requiredText(attribute)
        case 1704: purchase.purchaseDate = try decisiveDate(attribute)
        case 1705: purchase.originalTransactionId = try requiredText(attribute)
        case 1706: purchase.originalPurchaseDate = try decisiveDate(attribute)
        case 1707: purchase.productType = ProductType(rawValue: try requiredInteger(attribute))
        case 1708: purchase.expiresDate = try decisiveDate(attribute)
        case 1710: purchase.itemId = integer(attribute, &notes)
        case 1711:
            let identifier = try requiredInteger(attribute)
            purchase.webOrderLineItemId = identifier == 0 ? nil : String(identifier)
        case 1712: purchase.cancellationDate = try decisiveDate(attribute)
        case 1713: purchase.isTrialPeriod = integer(attribute, &notes).map { $0 != 0 }
        case 1719: purchase.isInIntroOfferPeriod = integer(attribute, &notes).map { $0 != 0 }
        case 1720: purchase.cancellationReason = numberOrText(attribute, &notes)
        case 1721:
            let offer = text(attribute, &notes)
            purchase.promotionalOfferId = offer == "" ? nil : offer
        default: break
        }
    }

    // What decides about money or access: unreadable means refused.

    private static func requiredText(
        _ attribute: ReceiptAttribute
    ) throws(VerificationError) -> String {
        do { return try attribute.text() } catch { throw malformed(attribute, error) }
    }

    private static func requiredInteger(
        _ attribute: ReceiptAttribute
    ) throws(VerificationError) -> Int64 {
        do { return try attribute.integer() } catch { throw malformed(attribute, error) }
    }

    private static func decisiveDate(
        _ attribute: ReceiptAttribute
    ) throws(VerificationError) -> Instant? {
        do { return try attribute.date() } catch { throw malformed(attribute, error) }
    }

    private static func requiredDate(
        _ attribute: ReceiptAttribute
    ) throws(VerificationError) -> Instant {
        guard let date = try decisiveDate(attribute) else {
            throw VerificationError(
                VerificationError.attributeMalformed,
                "attribute \(attribute.type) is empty; expected a date"
            )
        }
        return date
    }

    // What is only shown: unreadable means raw, and noted.

    private static func text(
        _ attribute: ReceiptAttribute,
        _ notes: inout [VerificationNote]
    ) -> String? {
        do { return try attribute.text() } catch { return unreadable(attribute, error, &notes) }
    }

    private static func integer(
        _ attribute: ReceiptAttribute,
        _ notes: inout [VerificationNote]
    ) -> Int64? {
        do { return try attribute.integer() } catch { return unreadable(attribute, error, &notes) }
    }

    private static func date(
        _ attribute: ReceiptAttribute,
        _ notes: inout [VerificationNote]
    ) -> Instant? {
        do { return try attribute.date() } catch { return unreadable(attribute, error, &notes) }
    }

    private static func numberOrText(
        _ attribute: ReceiptAttribute,
        _ notes: inout [VerificationNote]
    ) -> String? {
        do { return String(try attribute.integer()) } catch { return text(attribute, &notes) }
    }

    private static func unreadable<Value>(
        _ attribute: ReceiptAttribute,
        _ error: ASN1Error,
        _ notes: inout [VerificationNote]
    ) -> Value? {
        notes.append(
            VerificationNote(
                VerificationNote.attributeUnreadable,
                "attribute \(attribute.type) is kept raw: \(error.reason)"
            )
        )
        return nil
    }

    private static func malformed(
        _ attribute: ReceiptAttribute,
        _ error: ASN1Error
    ) -> VerificationError {
        VerificationError(
            VerificationError.attributeMalformed,
            "attribute \(attribute.type) cannot be read: \(error.reason)"
        )
    }

    private static func missing(_ type: Int64) -> VerificationError {
        let name = ReceiptAttributeName.name(of: type)?.name ?? "unknown"
        return VerificationError(
            VerificationError.attributeMissing,
            "there is no attribute \(type) (\(name))"
        )
    }
}

/// Which attributes that stand once were met, as a bit each.
struct SeenAttributes {
    private var ofReceipt: UInt64 = 0
    private var ofPurchase: UInt64 = 0

    /// Whether the attribute is met for the first time; a repetition is noted.
    mutating func insert(_ attribute: ReceiptAttribute, notes: inout [VerificationNote]) -> Bool {
        guard !contains(attribute.type) else {
            notes.append(
                VerificationNote(
                    VerificationNote.attributeRepeated,
                    "attribute \(attribute.type) is repeated; the first one counts"
                )
            )
            return false
        }
        if (0..<64).contains(attribute.type) { ofReceipt |= 1 << UInt64(attribute.type) }
        if (1700..<1764).contains(attribute.type) {
            ofPurchase |= 1 << UInt64(attribute.type - 1700)
        }
        return true
    }

    func contains(_ type: Int64) -> Bool {
        if (0..<64).contains(type) { return ofReceipt & 1 << UInt64(type) != 0 }
        if (1700..<1764).contains(type) { return ofPurchase & 1 << UInt64(type - 1700) != 0 }
        return false
    }
}
