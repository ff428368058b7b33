import AppStoreModel
import AppStoreVerification
import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import DocumentInspection

extension FuzzTarget {
    /// The decoder of app receipts without the signature before it, its fast path beside the
    /// general reader.
    static func checkPayload(_ bytes: [UInt8]) throws(Contradiction) {
        // Not at the beginning of its storage, as in a receipt.
        let content = ([0x30] + bytes).dropFirst()
        let payload: UnprovedPayload
        do throws(VerificationError) {
            payload = try UnprovedPayload(decoding: content)
        } catch {
            try checkRefusal(error, of: bytes)
            return
        }
        let receipt = payload.receipt
        try Contradiction.unless(
            payload.creationDateAtFirstSight == receipt.creationDate,
            "attribute 12 is another at second sight"
        )
        let general = try Contradiction.unlessSucceeds("the general reader refuses it") {
            try GeneralReading.attributes(of: GeneralReading.set(in: bytes))
        }
        try Contradiction.unless(general == Array(receipt.attributes), "other attributes are read")
        try GeneralReading.check(receipt)
        let purchases = general.filter { $0.type == 17 }
        try Contradiction.unless(purchases.count == receipt.inApp.count, "other purchases are read")
        for (attribute, purchase) in zip(purchases, receipt.inApp) {
            let inner = try Contradiction.unlessSucceeds("the general reader refuses a purchase") {
                try GeneralReading.attributes(of: Array(attribute.value))
            }
            try Contradiction.unless(
                inner == Array(purchase.attributes),
                "a purchase is read otherwise"
            )
            try GeneralReading.check(purchase)
        }
    }

    /// What is refused as unreadable is unreadable to the general reader as well.
    private static func checkRefusal(
        _ error: VerificationError,
        of bytes: [UInt8]
    ) throws(Contradiction) {
        let isOfStructure = error.code.rawValue == "receipt.payload_malformed"
        guard isOfStructure || error.code.rawValue == "receipt.attribute_malformed",
            let attributes = attempt({
                try GeneralReading.attributes(of: GeneralReading.set(in: bytes))
            })
        else { return }
        var decisive = GeneralReading.areDecisiveReadable(attributes)
        for purchase in attributes where purchase.type == 17 {
            guard
                let inner = attempt({
                    try GeneralReading.attributes(of: Array(purchase.value))
                })
            else { return }
            decisive = decisive && GeneralReading.areDecisiveReadable(inner)
        }
        try Contradiction.unless(
            !isOfStructure && !decisive,
            "refused, and read by the general reader: \(error)"
        )
    }

    /// The whole doors, and the magnifying glass: nothing that was not issued is proved.
    static func checkVerifier(
        _ bytes: [UInt8],
        _ issued: IssuedDocuments
    ) throws(Contradiction) {
        let inspection = Inspection(
            of: bytes,
            by: issued.judge,
            now: IssuedDocuments.now
        )
        _ = inspection.json(source: "input")
        try checkSignedData(in: inspection.judgement, issued)
        guard let receipt = inspection.judgement.receipt else { return }
        try Contradiction.unless(
            issued.contents.contains(IssuedDocuments.digest(of: receipt)),
            "a receipt is proved that nobody issued"
        )
    }

    /// However the document was wrapped, and whatever it stands in.
    private static func checkSignedData(
        in judgement: Judgement,
        _ issued: IssuedDocuments
    ) throws(Contradiction) {
        for part in judgement.parts { try checkSignedData(in: part.judgement, issued) }
        guard case .signedData? = judgement.proved, let document = judgement.document else {
            return
        }
        try Contradiction.unless(
            issued.contents.contains(IssuedDocuments.digest(ofSignedData: document.bytes)),
            "signed data is proved that nobody issued"
        )
    }
}

/// A receipt's payload as the general reader of BER alone finds it.
private enum GeneralReading {
    static func set(in content: [UInt8]) throws(ASN1Error) -> [UInt8] {
        let span = content.span
        var reader = try ASN1Reader(span)
        guard let first = try reader.next(in: span), first.tag == .octetString else {
            return content
        }
        try reader.requireEnd()
        return try first.octets(in: span).copy(from: span)
    }

    static func attributes(of set: [UInt8]) throws(ASN1Error) -> [ReceiptAttribute] {
        let span = set.span
        var document = try ASN1Reader(span, limits: limits)
        var reader = try document.nextContents(of: .set, in: span)
        try document.requireEnd()
        var attributes: [ReceiptAttribute] = []
        while !reader.isAtEnd {
            var fields = try reader.nextContents(of: .sequence, in: span)
            attributes.append(
                ReceiptAttribute(
                    type: try fields.nextInt64(in: span),
                    version: try fields.nextInt64(in: span),
                    value: try fields.nextOctets(in: span).copy(from: span)[...]
                )
            )
            try fields.requireEnd()
        }
        return attributes
    }

    private static let limits = ASN1Limits(bytes: 16 << 20, nesting: 32, elements: 1 << 20)

    static func check(_ receipt: AppReceipt) throws(Contradiction) {
        let first = firsts(Array(receipt.attributes))
        try same(receipt.receiptType.rawValue, text(first[0]), 0)
        try same(receipt.bundleId, text(first[2]), 2)
        try same(receipt.creationDate, date(first[12]), 12)
        try same(receipt.appItemId, integer(first[1]), 1)
        try same(receipt.applicationVersion, text(first[3]), 3)
        try same(receipt.downloadId, integer(first[15]), 15)
        try same(receipt.versionExternalIdentifier, integer(first[16]), 16)
        try same(receipt.originalPurchaseDate, date(first[18]), 18)
        try same(receipt.originalApplicationVersion, text(first[19]), 19)
        try same(receipt.expirationDate, date(first[21]), 21)
        try same(receipt.preorderDate, date(first[32]), 32)
    }

    static func check(_ purchase: InAppPurchase) throws(Contradiction) {
        let first = firsts(Array(purchase.attributes))
        try same(purchase.productId, text(first[1702]), 1702)
        try same(purchase.transactionId, text(first[1703]), 1703)
        try same(purchase.purchaseDate, date(first[1704]), 1704)
        try same(purchase.originalTransactionId, text(first[1705]), 1705)
        try same(purchase.originalPurchaseDate, date(first[1706]), 1706)
        try same(purchase.productType?.rawValue, integer(first[1707]), 1707)
        try same(purchase.expiresDate, date(first[1708]), 1708)
        try same(purchase.itemId, integer(first[1710]), 1710)
        try same(purchase.cancellationDate, date(first[1712]), 1712)
    }

    /// Whether everything that decides about money or access can be read.
    static func areDecisiveReadable(_ attributes: [ReceiptAttribute]) -> Bool {
        let first = firsts(attributes)
        return [0, 2, 1702, 1703, 1705].allSatisfy { first[$0] == nil || text(first[$0]) != nil }
            && [1701, 1707, 1711].allSatisfy { first[$0] == nil || integer(first[$0]) != nil }
            && [12, 21, 1704, 1706, 1708, 1712]
                .allSatisfy { first[$0] == nil || date(first[$0]) != nil }
    }

    private static func firsts(_ attributes: [ReceiptAttribute]) -> [Int64: [UInt8]] {
        Dictionary(
            attributes.map { ($0.type, Array($0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private static func same<Value: Equatable>(
        _ found: Value?,
        _ general: Value?,
        _ type: Int
    ) throws(Contradiction) {
        try Contradiction.unless(
            found == general,
            "attribute \(type) is \(found as Any) in one way and \(general as Any) in the other"
        )
    }

    private static func integer(_ value: [UInt8]?) -> Int64? {
        guard let value else { return nil }
        return attempt {
            var reader = try ASN1Reader(value.span)
            let number = try reader.nextInt64(in: value.span)
            try reader.requireEnd()
            return number
        }
    }

    private static func text(_ value: [UInt8]?) -> String? {
        guard let value else { return nil }
        return attempt {
            var reader = try ASN1Reader(value.span)
            let element = try reader.next(in: value.span)
            try reader.requireEnd()
            return try element?.text(in: value.span)
        } ?? nil
    }

    private static func date(_ value: [UInt8]?) -> Instant? {
        // The tag of a NumericString, which no date has.
        guard value?.first.map({ $0 & 0x1F }) != 0x12 else { return nil }
        return text(value).flatMap { AppStoreDate.parse(Array($0.utf8).span) }
    }
}
