public import AppStoreModel
import CounterfoilASN1

/// What an app receipt signs: a SET OF attributes (Apple, "Validating receipts on the device").
///
/// Between an `AppReceipt` and its signature, so that anything can be replaced raw:
///
///     var payload = try ReceiptPayload(receipt)
///     payload.receipt.set(2, .integer(7))
///     payload.purchases[0].remove(1703)
///     let bytes = try issuer.sign(payload)
public struct ReceiptPayload: Hashable, Sendable {
    /// The attributes of the receipt itself, those of type 17 apart.
    public var receipt: AttributeSet
    /// The attributes of each purchase; each set becomes an attribute of type 17.
    public var purchases: [AttributeSet]
    /// The order of attributes, in the receipt and in each purchase.
    public var order: AttributeOrder

    /// Makes a payload of attributes.
    public init(
        receipt: AttributeSet,
        purchases: [AttributeSet] = [],
        order: AttributeOrder = .der
    ) {
        self.receipt = receipt
        self.purchases = purchases
        self.order = order
    }

    /// All attributes in the order in which they are written, each purchase as one of type 17.
    public var attributes: [ReceiptAttribute] { ordered.map(\.attribute) }

    /// The payload's bytes.
    public var encoding: [UInt8] { Self.set(of: ordered) }

    private var ordered: [EncodedAttribute] {
        let purchases = purchases.map { purchase in
            let attributes = order.sorted(purchase.attributes.map(EncodedAttribute.init))
            return ReceiptAttribute(17, .octets(Self.set(of: attributes)))
        }
        return order.sorted((receipt.attributes + purchases).map(EncodedAttribute.init))
    }

    private static func set(of attributes: [EncodedAttribute]) -> [UInt8] {
        DERWriter.bytes { writer in
            writer.set { set in
                for attribute in attributes { set.raw(attribute.encoding) }
            }
        }
    }
}
