public import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

/// The attributes of a receipt, or of one purchase in it, as they will be signed; any of them can
/// be replaced, repeated or left out.
public struct AttributeSet: Hashable, Sendable {
    /// The attributes; how they are ordered when signed is for ``AttributeOrder`` to say.
    public var attributes: [ReceiptAttribute]

    /// Makes a set of attributes.
    public init(_ attributes: [ReceiptAttribute] = []) { self.attributes = attributes }

    /// The first attribute of a type.
    public subscript(type: Int64) -> ReceiptAttribute? {
        attributes.first { $0.type == type }
    }

    /// Adds an attribute, also when there is one of its type already.
    public mutating func append(_ attribute: ReceiptAttribute) { attributes.append(attribute) }

    /// Removes every attribute of a type.
    public mutating func remove(_ type: Int64) { attributes.removeAll { $0.type == type } }

    /// Replaces every attribute of a type by one, or adds it.
    public mutating func set(_ attribute: ReceiptAttribute) {
        remove(attribute.type)
        append(attribute)
    }

    /// Replaces every attribute of a type by one with a value, or adds it, with the version 1.
    public mutating func set(_ type: Int64, _ value: AttributeValue) {
        set(ReceiptAttribute(type, value))
    }

    mutating func appendIfAny(_ type: Int64, _ value: AttributeValue?) {
        if let value { append(ReceiptAttribute(type, value)) }
    }
}

/// In what order the attributes of a SET are written.
public enum AttributeOrder: Hashable, Sendable {
    /// By their encodings, as DER orders a SET OF (X.690 §11.6) and the App Store's servers do.
    case der
    /// By type, as Xcode does.
    case ascending
    /// As they are listed, purchases behind the others.
    case asListed
    /// In an order that a seed decides.
    case shuffled(seed: UInt64)
}

extension AttributeOrder {
    /// Brings attributes with their encodings into the order.
    func sorted(_ attributes: [EncodedAttribute]) -> [EncodedAttribute] {
        switch self {
        case .der: attributes.sorted { $0.encoding.lexicographicallyPrecedes($1.encoding) }
        case .ascending: attributes.sorted { $0.attribute.type < $1.attribute.type }
        case .asListed: attributes
        case .shuffled(let seed): shuffled(attributes, seed: seed)
        }
    }

    private func shuffled(_ attributes: [EncodedAttribute], seed: UInt64) -> [EncodedAttribute] {
        var random = SeededRandom(seed: seed)
        return attributes.shuffled(using: &random)
    }
}

/// An attribute and its encoding as an element of a SET.
struct EncodedAttribute {
    let attribute: ReceiptAttribute
    let encoding: [UInt8]

    // ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
    init(_ attribute: ReceiptAttribute) {
        self.attribute = attribute
        encoding = Self.shortEncoding(of: attribute) ?? Self.encoding(of: attribute)
    }

    private static func encoding(of attribute: ReceiptAttribute) -> [UInt8] {
        DERWriter.bytes { writer in
            writer.sequence { fields in
                fields.integer(attribute.type)
                fields.integer(attribute.version)
                fields.octetString(attribute.value)
            }
        }
    }

    /// The same without a writer, for the attributes that receipts are full of: every length in one
    /// byte, the type in one or two; nil for others.
    private static func shortEncoding(of attribute: ReceiptAttribute) -> [UInt8]? {
        guard attribute.value.count <= 100, (0..<0x8000).contains(attribute.type),
            (0..<0x80).contains(attribute.version)
        else { return nil }
        let high = UInt8(truncatingIfNeeded: attribute.type >> 8)
        let low = UInt8(truncatingIfNeeded: attribute.type)
        let typeLength: UInt8 = attribute.type < 0x80 ? 1 : 2
        let count = UInt8(attribute.value.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(11 + Int(count))
        bytes.append(0x30)
        bytes.append(7 + typeLength + count)
        bytes.append(0x02)
        bytes.append(typeLength)
        if typeLength == 2 { bytes.append(high) }
        bytes.append(low)
        bytes.append(0x02)
        bytes.append(0x01)
        bytes.append(UInt8(attribute.version))
        bytes.append(0x04)
        bytes.append(count)
        bytes.append(contentsOf: attribute.value)
        return bytes
    }
}
