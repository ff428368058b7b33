/// A tag: the class and number that say what an element is (X.680 §8).
///
/// Whether an element is constructed belongs to the element, not to its tag: BER may write one
/// and the same string either way.
@usableFromInline
package struct ASN1Tag: Hashable, Sendable {
    /// The namespace of a tag number.
    package enum Class: UInt32, Hashable, Sendable {
        case universal = 0
        case application = 1
        case contextSpecific = 2
        case `private` = 3
    }

    /// The largest number that is read; X.680 sets no bound and practice stays below 100.
    package static let maximumNumber = 0xFF_FFFF

    /// The class in the two highest bits and the number in the 24 lowest.
    @usableFromInline let packed: UInt32

    /// Makes a tag; the number is 0 to ``maximumNumber``.
    package init(_ tagClass: Class, _ number: Int) {
        precondition((0...Self.maximumNumber).contains(number), "tag number out of range")
        packed = tagClass.rawValue << 30 | UInt32(number)
    }

    @usableFromInline
    init(packed: UInt32) { self.packed = packed & 0xC0FF_FFFF }

    /// The class.
    package var tagClass: Class {
        switch packed >> 30 {
        case 0: .universal
        case 1: .application
        case 2: .contextSpecific
        default: .private
        }
    }

    /// The number within the class.
    package var number: Int { Int(packed & 0xFF_FFFF) }

    /// The tag `[number]` that a schema gives to a field of a SEQUENCE, SET or CHOICE.
    package static func contextSpecific(_ number: Int) -> ASN1Tag {
        ASN1Tag(.contextSpecific, number)
    }
}

extension ASN1Tag {
    @inlinable package static var endOfContents: ASN1Tag { ASN1Tag(packed: 0) }
    @inlinable package static var boolean: ASN1Tag { ASN1Tag(packed: 1) }
    @inlinable package static var integer: ASN1Tag { ASN1Tag(packed: 2) }
    @inlinable package static var bitString: ASN1Tag { ASN1Tag(packed: 3) }
    @inlinable package static var octetString: ASN1Tag { ASN1Tag(packed: 4) }
    @inlinable package static var null: ASN1Tag { ASN1Tag(packed: 5) }
    @inlinable package static var objectIdentifier: ASN1Tag { ASN1Tag(packed: 6) }
    @inlinable package static var enumerated: ASN1Tag { ASN1Tag(packed: 10) }
    @inlinable package static var utf8String: ASN1Tag { ASN1Tag(packed: 12) }
    @inlinable package static var sequence: ASN1Tag { ASN1Tag(packed: 16) }
    @inlinable package static var set: ASN1Tag { ASN1Tag(packed: 17) }
    @inlinable package static var numericString: ASN1Tag { ASN1Tag(packed: 18) }
    @inlinable package static var printableString: ASN1Tag { ASN1Tag(packed: 19) }
    @inlinable package static var teletexString: ASN1Tag { ASN1Tag(packed: 20) }
    @inlinable package static var ia5String: ASN1Tag { ASN1Tag(packed: 22) }
    @inlinable package static var utcTime: ASN1Tag { ASN1Tag(packed: 23) }
    @inlinable package static var generalizedTime: ASN1Tag { ASN1Tag(packed: 24) }
    @inlinable package static var visibleString: ASN1Tag { ASN1Tag(packed: 26) }
    @inlinable package static var universalString: ASN1Tag { ASN1Tag(packed: 28) }
    @inlinable package static var bmpString: ASN1Tag { ASN1Tag(packed: 30) }
}

extension ASN1Tag: CustomStringConvertible {
    /// The name that X.680 gives to the type, or the tag in its notation: `[APPLICATION 3]`.
    @usableFromInline package var description: String {
        switch tagClass {
        case .universal: Self.universalNames[number] ?? "[UNIVERSAL \(number)]"
        case .application: "[APPLICATION \(number)]"
        case .contextSpecific: "[\(number)]"
        case .private: "[PRIVATE \(number)]"
        }
    }

    private static let universalNames: [Int: String] = [
        0: "end-of-contents", 1: "BOOLEAN", 2: "INTEGER", 3: "BIT STRING", 4: "OCTET STRING",
        5: "NULL", 6: "OBJECT IDENTIFIER", 7: "ObjectDescriptor", 8: "EXTERNAL", 9: "REAL",
        10: "ENUMERATED", 11: "EMBEDDED PDV", 12: "UTF8String", 13: "RELATIVE-OID", 14: "TIME",
        16: "SEQUENCE", 17: "SET", 18: "NumericString", 19: "PrintableString",
        20: "TeletexString", 21: "VideotexString", 22: "IA5String", 23: "UTCTime",
        24: "GeneralizedTime", 25: "GraphicString", 26: "VisibleString", 27: "GeneralString",
        28: "UniversalString", 29: "CHARACTER STRING", 30: "BMPString",
    ]
}
