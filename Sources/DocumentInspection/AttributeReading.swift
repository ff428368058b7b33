package import AppStoreModel
import CounterfoilASN1
package import CounterfoilBasics

/// An attribute of an app receipt or of one of its purchases, read for a person.
package struct AttributeReading: Hashable, Sendable {
    /// What the value turned out to be.
    package enum Value: Hashable, Sendable {
        /// A text; dates are texts, too.
        case text(String)
        /// A whole number.
        case integer(Int64)
        /// A purchase: a set of attributes of its own.
        case purchase
        /// Bytes without a form of their own.
        case bytes([UInt8])
    }

    /// The attribute's number.
    package let type: Int64
    /// The attribute's version.
    package let version: Int64
    /// Its name and whether Apple documents it; nil for a number that nobody knows.
    package let name: ReceiptAttributeName?
    /// The ASN.1 type of the value; nil for plain bytes.
    package let asn1Type: String?
    /// The value.
    package let value: Value

    /// The instant that a known date attribute stands for; nil for other attributes and for dates
    /// that are empty or unreadable.
    package var date: Instant? {
        guard Self.dates.contains(type), case .text(let text) = value else { return nil }
        return AppStoreDate.parse(text)
    }

    /// What a number stands for, where that was inferred from many receipts: `17.2.0`, `iOS`.
    package var gloss: String? {
        guard case .integer(let number) = value else { return nil }
        return switch type {
        case 9: Self.characters(of: number)
        case 13: "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
        case 25: [2: "macOS", 3: "iOS"][number]
        case 1707: ProductType(rawValue: number).name
        case 1713, 1719: [0: "no", 1: "yes"][number]
        default: nil
        }
    }

    /// Reads an attribute; what has no readable form is bytes.
    package init(_ attribute: ReceiptAttribute) {
        type = attribute.type
        version = attribute.version
        name = ReceiptAttributeName.name(of: attribute.type)
        // The opaque values and the hash are plain bytes, which can look like ASN.1 by chance.
        if Self.opaque.contains(attribute.type) {
            (value, asn1Type) = (.bytes(Array(attribute.value)), nil)
        } else if attribute.type == 17 {
            (value, asn1Type) = (.purchase, ASN1Tag.set.description)
        } else if let (read, tag) = Self.read(attribute.value) {
            (value, asn1Type) = (read, tag.description)
        } else {
            (value, asn1Type) = (.bytes(Array(attribute.value)), nil)
        }
    }

    private static let opaque: Set<Int64> = [4, 5, 6, 7]
    private static let dates: Set<Int64> = [8, 12, 18, 21, 22, 32, 1704, 1706, 1708, 1712]

    /// The four letters or digits that a number is in ASCII: `P305`.
    private static func characters(of number: Int64) -> String? {
        guard let word = UInt32(exactly: number) else { return nil }
        let bytes = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: word >> $0)
        }
        let areReadable = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
        }
        return areReadable ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The one text or number that some bytes encode; nil when they encode anything else.
    private static func read(_ encoded: ArraySlice<UInt8>) -> (Value, ASN1Tag)? {
        let bytes = encoded.span
        do {
            var reader = try ASN1Reader(bytes)
            guard let element = try reader.next(in: bytes) else { return nil }
            try reader.requireEnd()
            switch element.tag {
            case .integer: return (.integer(try element.int64(in: bytes)), element.tag)
            case .utf8String, .ia5String, .printableString, .visibleString:
                return (.text(try element.text(in: bytes)), element.tag)
            default: return nil
            }
        } catch {
            // Whatever it is, it is shown as bytes.
            return nil
        }
    }
}

/// A key of an iOS 6-style receipt's signed list, with whether anybody knows it.
package struct PurchaseInfoKey {
    /// Whether the key has been met in receipts before (Apple documents none of them).
    package static func isKnown(_ key: String) -> Bool { known.contains(key) }

    private static let known: Set<String> = {
        let dated = ["purchase-date", "original-purchase-date", "cancellation-date"]
        let plain = [
            "bid", "bvrs", "item-id", "product-id", "quantity", "transaction-id",
            "original-transaction-id", "unique-identifier", "unique-vendor-identifier",
            "app-item-id", "version-external-identifier", "expires-date",
            "expires-date-formatted", "expires-date-formatted-pst", "web-order-line-item-id",
            "is-trial-period", "is-in-intro-offer-period", "subscription-group-identifier",
        ]
        return Set(plain + dated.flatMap { [$0, "\($0)-ms", "\($0)-pst"] })
    }()
}
