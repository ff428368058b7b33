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
        var found: Instant?
        try payload.forEachAttribute(limit: attributeLimit) {
            (attribute, value) throws(VerificationError) in
            if attribute.type == 12 { found = try Self.requiredDate(12, value) }
            return found == nil
        }
        guard let found else { throw Self.missing(12) }
        return found
    }

    /// The whole receipt.
    mutating func receipt() throws(VerificationError) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: ReceiptType(rawValue: ""),
            bundleId: "",
            creationDate: Instant(millisecondsSince1970: 0)
        )
        receipt.attributes = payload.attributes
        var seen = SeenAttributes()
        var recent = RecentTexts()
        var notes: [VerificationNote] = []
        try payload.forEachAttribute(limit: attributeLimit) {
            (attribute, value) throws(VerificationError) in
            receipt.attributes.append(attribute, value)
            if attribute.type == 17 {
                guard receipt.inApp.count < limits.purchases else {
                    throw VerificationError(
                        VerificationError.tooManyPurchases,
                        "the receipt lists more than \(limits.purchases) purchases"
                    )
                }
                var purchase = InAppPurchase(productId: "", transactionId: "")
                let bytes = payload.bytes(of: attribute, value)
                try read(bytes, into: &purchase, &recent, notes: &notes)
                receipt.inApp.append(purchase)
            } else if seen.insert(attribute.type, notes: &notes) {
                try Self.read(attribute.type, value, into: &receipt, notes: &notes)
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

    private func read(
        _ bytes: ArraySlice<UInt8>,
        into purchase: inout InAppPurchase,
        _ recent: inout RecentTexts,
        notes: inout [VerificationNote]
    ) throws(VerificationError) {
        purchase.attributes = ReceiptAttributes(lyingIn: bytes)
        // A purchase has up to 23 attributes.
        purchase.attributes.reserveCapacity(24)
        var seen = SeenAttributes()
        try ReceiptPayload.forEachAttribute(ofPurchase: bytes, limit: limits.attributes) {
            (attribute, value) throws(VerificationError) in
            purchase.attributes.append(attribute, value)
            if seen.insert(attribute.type, notes: &notes) {
                try Self.read(attribute.type, value, into: &purchase, &recent, notes: &notes)
            }
            return true
        }
        guard seen.contains(1702) else { throw Self.missing(1702) }
        guard seen.contains(1703) else { throw Self.missing(1703) }
    }
}

// MARK: - One attribute

extension AppReceiptDecoder {
    static func read(
        _ type: Int64,
        _ value: Span<UInt8>,
        into receipt: inout AppReceipt,
        notes: inout [VerificationNote]
    ) throws(VerificationError) {
        switch type {
        case 0: receipt.receiptType = ReceiptType(rawValue: try requiredText(type, value))
        case 1: receipt.appItemId = integer(type, value, &notes)
        case 2: receipt.bundleId = try requiredText(type, value)
        case 3: receipt.applicationVersion = text(type, value, &notes)
        case 4: receipt.opaqueValue = value.copied
        case 5: receipt.sha1Hash = value.copied
        case 8: receipt.originalCreationDate = date(type, value, &notes)
        case 12: receipt.creationDate = try requiredDate(type, value)
        case 15: receipt.downloadId = integer(type, value, &notes)
        case 16: receipt.versionExternalIdentifier = integer(type, value, &notes)
        case 18: receipt.originalPurchaseDate = date(type, value, &notes)
        case 19: receipt.originalApplicationVersion = text(type, value, &notes)
        case 21: receipt.expirationDate = try decisiveDate(type, value)
        case 32: receipt.preorderDate = date(type, value, &notes)
        default: break
        }
    }

    static func read(
        _ type: Int64,
        _ value: Span<UInt8>,
        into purchase: inout InAppPurchase,
        _ recent: inout RecentTexts,
        notes: inout [VerificationNote]
    ) throws(VerificationError) {
        switch type {
        case 1701: purchase.quantity = try requiredInteger(type, value)
        case 1702: purchase.productId = try requiredText(type, value, &recent.productId)
        case 1703: purchase.transactionId = try requiredText(type, value)
        case 1704: purchase.purchaseDate = try decisiveDate(type, value)
        case 1705:
            purchase.originalTransactionId =
                try requiredText(type, value, &recent.originalTransactionId)
        case 1706: purchase.originalPurchaseDate = try decisiveDate(type, value)
        case 1707: purchase.productType = ProductType(rawValue: try requiredInteger(type, value))
        case 1708: purchase.expiresDate = try decisiveDate(type, value)
        case 1710: purchase.itemId = integer(type, value, &notes)
        case 1711:
            let identifier = try requiredInteger(type, value)
            purchase.webOrderLineItemId = identifier == 0 ? nil : String(identifier)
        case 1712: purchase.cancellationDate = try decisiveDate(type, value)
        case 1713: purchase.isTrialPeriod = integer(type, value, &notes).map { $0 != 0 }
        case 1719: purchase.isInIntroOfferPeriod = integer(type, value, &notes).map { $0 != 0 }
        case 1720: purchase.cancellationReason = numberOrText(type, value, &notes)
        case 1721:
            let offer = text(type, value, &notes)
            purchase.promotionalOfferId = offer == "" ? nil : offer
        default: break
        }
    }

    // What decides about money or access: unreadable means refused.

    private static func requiredText(
        _ type: Int64,
        _ value: Span<UInt8>
    ) throws(VerificationError) -> String {
        do { return try AttributeValue.text(value) } catch { throw malformed(type, error) }
    }

    private static func requiredText(
        _ type: Int64,
        _ value: Span<UInt8>,
        _ recent: inout String
    ) throws(VerificationError) -> String {
        do {
            recent = try AttributeValue.text(value, recent: recent)
            return recent
        } catch {
            throw malformed(type, error)
        }
    }

    private static func requiredInteger(
        _ type: Int64,
        _ value: Span<UInt8>
    ) throws(VerificationError) -> Int64 {
        do { return try AttributeValue.integer(value) } catch { throw malformed(type, error) }
    }

    private static func decisiveDate(
        _ type: Int64,
        _ value: Span<UInt8>
    ) throws(VerificationError) -> Instant? {
        do { return try AttributeValue.date(value) } catch { throw malformed(type, error) }
    }

    private static func requiredDate(
        _ type: Int64,
        _ value: Span<UInt8>
    ) throws(VerificationError) -> Instant {
        guard let date = try decisiveDate(type, value) else {
            throw VerificationError(
                VerificationError.attributeMalformed,
                "attribute \(type) is empty; expected a date"
            )
        }
        return date
    }

    // What is only shown: unreadable means raw, and noted.

    private static func text(
        _ type: Int64,
        _ value: Span<UInt8>,
        _ notes: inout [VerificationNote]
    ) -> String? {
        do { return try AttributeValue.text(value) } catch {
            return unreadable(type, error, &notes)
        }
    }

    private static func integer(
        _ type: Int64,
        _ value: Span<UInt8>,
        _ notes: inout [VerificationNote]
    ) -> Int64? {
        do { return try AttributeValue.integer(value) } catch {
            return unreadable(type, error, &notes)
        }
    }

    private static func date(
        _ type: Int64,
        _ value: Span<UInt8>,
        _ notes: inout [VerificationNote]
    ) -> Instant? {
        do { return try AttributeValue.date(value) } catch {
            return unreadable(type, error, &notes)
        }
    }

    private static func numberOrText(
        _ type: Int64,
        _ value: Span<UInt8>,
        _ notes: inout [VerificationNote]
    ) -> String? {
        do { return String(try AttributeValue.integer(value)) } catch {
            return text(type, value, &notes)
        }
    }

    private static func unreadable<Value>(
        _ type: Int64,
        _ error: ASN1Error,
        _ notes: inout [VerificationNote]
    ) -> Value? {
        notes.append(
            VerificationNote(
                VerificationNote.attributeUnreadable,
                "attribute \(type) is kept raw: \(error.reason)"
            )
        )
        return nil
    }

    private static func malformed(
        _ type: Int64,
        _ error: ASN1Error
    ) -> VerificationError {
        VerificationError(
            VerificationError.attributeMalformed,
            "attribute \(type) cannot be read: \(error.reason)"
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

/// Texts that most purchases of a receipt share with the one before.
struct RecentTexts {
    var productId = ""
    var originalTransactionId = ""
}

/// Which attributes that stand once were met, as a bit each.
struct SeenAttributes {
    private var ofReceipt: UInt64 = 0
    private var ofPurchase: UInt64 = 0

    /// Whether the attribute is met for the first time; a repetition is noted.
    mutating func insert(_ type: Int64, notes: inout [VerificationNote]) -> Bool {
        guard !contains(type) else {
            notes.append(
                VerificationNote(
                    VerificationNote.attributeRepeated,
                    "attribute \(type) is repeated; the first one counts"
                )
            )
            return false
        }
        if (0..<64).contains(type) { ofReceipt |= 1 << UInt64(type) }
        if (1700..<1764).contains(type) {
            ofPurchase |= 1 << UInt64(type - 1700)
        }
        return true
    }

    func contains(_ type: Int64) -> Bool {
        if (0..<64).contains(type) { return ofReceipt & 1 << UInt64(type) != 0 }
        if (1700..<1764).contains(type) { return ofPurchase & 1 << UInt64(type - 1700) != 0 }
        return false
    }
}
