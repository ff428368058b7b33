/// What is known of a receipt attribute's number: a name for people and whether Apple documents it.
///
/// Names of undocumented attributes are inferred from pairs of receipts and answers.
public struct ReceiptAttributeName: Hashable, Sendable {
    /// The attribute's number.
    public let type: Int64
    /// A short name in lower case, with Apple's words where Apple has some.
    public let name: String
    /// Whether the attribute stands in Apple's public table ("Receipt fields").
    public let isDocumented: Bool

    /// The name of an attribute of the receipt itself, or of a purchase; nil for unknown ones.
    public static func name(of type: Int64) -> ReceiptAttributeName? { table[type] }

    private static let table: [Int64: ReceiptAttributeName] = {
        let documented: [Int64: String] = [
            2: "bundle identifier", 3: "application version", 4: "opaque value", 5: "SHA-1 hash",
            12: "receipt creation date", 17: "in-app purchase",
            19: "original application version", 21: "receipt expiration date",
            1701: "quantity", 1702: "product identifier", 1703: "transaction identifier",
            1704: "purchase date", 1705: "original transaction identifier",
            1706: "original purchase date", 1708: "subscription expiration date",
            1711: "web order line item identifier", 1712: "cancellation date",
            1719: "subscription introductory price period",
        ]
        let inferred: [Int64: String] = [
            0: "receipt type", 1: "app item identifier", 6: "opaque", 7: "opaque",
            8: "original receipt creation date", 9: "fulfilment version", 10: "age rating",
            11: "developer identifier", 13: "client version", 14: "device model",
            15: "download identifier", 16: "version external identifier",
            18: "original purchase date of the app", 20: "empty text", 22: "second VPP date",
            23: "VPP organisation name", 25: "platform", 32: "preorder date",
            1707: "product type", 1709: "empty text", 1710: "item identifier",
            1713: "trial period", 1714: "empty text", 1715: "empty text", 1716: "empty text",
            1717: "empty text", 1718: "empty text", 1720: "cancellation reason",
            1721: "promotional offer identifier", 1722: "zero",
        ]
        var table: [Int64: ReceiptAttributeName] = [:]
        for (type, name) in documented {
            table[type] = ReceiptAttributeName(type: type, name: name, isDocumented: true)
        }
        for (type, name) in inferred {
            table[type] = ReceiptAttributeName(type: type, name: name, isDocumented: false)
        }
        return table
    }()
}
