import AppStoreModel
import CounterfoilBasics
import CounterfoilPropertyList

/// The outer property list of an iOS 6-style receipt, with its two base 64 values decoded.
struct TransactionReceiptEnvelope {
    /// The signature blob.
    let signature: [UInt8]
    /// The inner property list, as it was signed.
    let purchaseInfo: [UInt8]
    /// The other keys, which nobody signed.
    let unsigned: PropertyListDictionary

    init(_ bytes: [UInt8], limits: VerificationLimits) throws(VerificationError) {
        unsigned = try TransactionReceiptDecoder.dictionary(bytes, limits: limits)
        signature = try Self.decoded("signature", in: unsigned)
        purchaseInfo = try Self.decoded("purchase-info", in: unsigned)
    }

    private static func decoded(
        _ key: String,
        in list: PropertyListDictionary
    ) throws(VerificationError) -> [UInt8] {
        guard case .string(let text)? = list[key] else {
            throw VerificationError(
                VerificationError.keyMissing,
                "the property list has no text under \"\(key)\""
            )
        }
        let letters = text.utf8.filter { !ASCII.isWhiteSpace($0) }
        do {
            return try Base64.decode(letters.span)
        } catch {
            throw VerificationError(
                VerificationError.notBase64,
                "the value of \"\(key)\" is not base 64: \(error)"
            )
        }
    }
}

/// Understands the signed list of an iOS 6-style receipt (keys: ``TransactionReceipt``).
struct TransactionReceiptDecoder {
    private let envelope: TransactionReceiptEnvelope
    let entries: [TransactionReceipt.Entry]
    private let values: [String: String]
    private(set) var notes: [VerificationNote] = []

    init(
        _ envelope: TransactionReceiptEnvelope,
        limits: VerificationLimits
    ) throws(VerificationError) {
        self.envelope = envelope
        var entries: [TransactionReceipt.Entry] = []
        for entry in try Self.dictionary(envelope.purchaseInfo, limits: limits).entries {
            guard case .string(let text) = entry.value else {
                throw Self.malformed(entry.key, "it is not text")
            }
            entries.append(TransactionReceipt.Entry(key: entry.key, value: text))
        }
        self.entries = entries
        values = Dictionary(
            entries.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// When the purchase was made, for the instant at which the signer is judged.
    func purchaseDate() throws(VerificationError) -> Instant {
        guard let date = try date("purchase-date") else {
            throw Self.missing("purchase-date")
        }
        return date
    }

    /// The whole receipt.
    func receipt() throws(VerificationError) -> TransactionReceipt {
        var receipt = TransactionReceipt(
            bundleId: try required("bid"),
            productId: try required("product-id"),
            transactionId: try required("transaction-id"),
            purchaseDate: try purchaseDate(),
            purchaseInfo: entries
        )
        receipt.originalTransactionId = values["original-transaction-id"]
        receipt.originalPurchaseDate = try date("original-purchase-date")
        receipt.expiresDate = try expiresDate()
        let lineItem = values["web-order-line-item-id"]
        receipt.webOrderLineItemId = lineItem == "0" ? nil : lineItem
        receipt.uniqueVendorIdentifier = values["unique-vendor-identifier"]
        receipt.environment = unsignedText("environment")
        receipt.pod = unsignedText("pod")
        receipt.signingStatus = unsignedText("signing-status")
        return receipt
    }

    /// The environment: what the unsigned key says, unless the signed ids say sandbox.
    ///
    /// The holder can delete the key; but a transaction id of 16 digits that begins with 1000000
    /// or 20000 is a sandbox one, and it is signed.
    mutating func environment(
        of receipt: TransactionReceipt
    ) throws(VerificationError) -> StoreEnvironment {
        if receipt.environment == StoreEnvironment.sandbox.rawValue { return .sandbox }
        let identifiers = [receipt.transactionId, receipt.originalTransactionId].compactMap { $0 }
        if identifiers.contains(where: Self.isOfSandbox) {
            notes.append(
                VerificationNote(
                    VerificationNote.environmentFromIdentifier,
                    "the transaction ids are of the sandbox, though the unsigned environment key "
                        + "does not say so"
                )
            )
            return .sandbox
        }
        guard let stated = receipt.environment, stated != StoreEnvironment.production.rawValue
        else {
            return .production
        }
        throw VerificationError(
            VerificationError.environmentUnknown,
            "the receipt says an environment other than Sandbox and Production"
        )
    }

    private static func isOfSandbox(_ identifier: String) -> Bool {
        identifier.utf8.count == 16
            && (identifier.hasPrefix("1000000") || identifier.hasPrefix("20000"))
            && identifier.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

// MARK: - Values

extension TransactionReceiptDecoder {
    static func dictionary(
        _ bytes: [UInt8],
        limits: VerificationLimits
    ) throws(VerificationError) -> PropertyListDictionary {
        let value: PropertyListValue
        do {
            value = try PropertyListValue(parsing: bytes.span, limits: limits.propertyListLimits)
        } catch {
            throw VerificationError(error)
        }
        guard case .dictionary(let dictionary) = value else {
            throw VerificationError(
                VerificationError.keyMissing,
                "the property list is no dictionary"
            )
        }
        return dictionary
    }

    private func unsignedText(_ key: String) -> String? {
        guard case .string(let text)? = envelope.unsigned[key] else { return nil }
        return text
    }

    private func required(_ key: String) throws(VerificationError) -> String {
        guard let value = values[key] else { throw Self.missing(key) }
        return value
    }

    /// A date by its key: the milliseconds when there are some, else the text.
    private func date(_ key: String) throws(VerificationError) -> Instant? {
        if let milliseconds = values["\(key)-ms"] {
            return try parsed(milliseconds, "\(key)-ms")
        }
        return try values[key].map { text throws(VerificationError) in try parsed(text, key) }
    }

    /// `expires-date`, which is in milliseconds, else the formatted text.
    private func expiresDate() throws(VerificationError) -> Instant? {
        for key in ["expires-date", "expires-date-formatted"] {
            if let text = values[key] { return try parsed(text, key) }
        }
        return nil
    }

    private func parsed(_ text: String, _ key: String) throws(VerificationError) -> Instant {
        guard let date = AppStoreDate.parse(text) else {
            throw Self.malformed(key, "it is no date")
        }
        return date
    }

    private static func missing(_ key: String) -> VerificationError {
        VerificationError(
            VerificationError.attributeMissing,
            "purchase-info has no \"\(key)\""
        )
    }

    private static func malformed(_ key: String, _ why: String) -> VerificationError {
        VerificationError(
            VerificationError.attributeMalformed,
            "the value of \"\(key)\" in purchase-info cannot be read: \(why)"
        )
    }
}
