/// One attribute as it was signed: number, version and the bytes of its value.
public struct ReceiptAttribute: Hashable, Sendable {
    /// The attribute's number.
    public var type: Int64
    /// The attribute's version, which Apple tells parsers to ignore.
    public var version: Int64
    /// The content of the value's OCTET STRING.
    public var value: ArraySlice<UInt8>

    /// Makes an attribute.
    public init(type: Int64, version: Int64, value: ArraySlice<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }
}

/// The attributes of a receipt or of a purchase, in their own order.
///
/// A receipt has twenty of them for each purchase, and few callers look at one: so they are kept
/// as numbers and places in the bytes that they were read from, and become values when asked for.
public struct ReceiptAttributes: Sendable {
    /// Where an attribute's value lies, counted from the beginning of ``bytes``.
    @usableFromInline
    package struct Place: Sendable {
        @usableFromInline
        package let type: Int64
        @usableFromInline
        package let version: Int64
        @usableFromInline
        package let value: Range<Int>

        @inlinable
        package init(type: Int64, version: Int64, value: Range<Int>) {
            self.type = type
            self.version = version
            self.value = value
        }
    }

    @usableFromInline
    package var bytes: ArraySlice<UInt8>
    @usableFromInline
    package var places: [Place] = []

    /// No attributes.
    public init() { self.init(lyingIn: []) }

    /// The attributes of a sequence.
    public init(_ attributes: some Sequence<ReceiptAttribute>) {
        self.init()
        for attribute in attributes { append(attribute) }
    }

    /// No attributes yet of those whose values lie in some bytes.
    package init(lyingIn bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Adds an attribute at the end.
    public mutating func append(_ attribute: ReceiptAttribute) {
        let start = bytes.count
        bytes.append(contentsOf: attribute.value)
        places.append(
            Place(
                type: attribute.type,
                version: attribute.version,
                value: start..<bytes.count
            )
        )
    }

    /// Adds an attribute whose value lies in the bytes given at the beginning, and is counted from
    /// their first.
    @inlinable
    package mutating func append(type: Int64, version: Int64, at value: Range<Int>) {
        precondition(
            value.lowerBound >= 0 && value.upperBound <= bytes.count,
            "the value does not lie in the bytes"
        )
        places.append(Place(type: type, version: version, value: value))
    }

    /// Makes room for so many attributes.
    package mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }
}

extension ReceiptAttributes: RandomAccessCollection {
    /// The position of the first attribute: 0.
    public var startIndex: Int { 0 }

    /// The number of attributes.
    public var endIndex: Int { places.count }

    /// The attribute at a position.
    public subscript(position: Int) -> ReceiptAttribute {
        let place = places[position]
        let start = bytes.startIndex + place.value.lowerBound
        return ReceiptAttribute(
            type: place.type,
            version: place.version,
            value: bytes[start..<(start + place.value.count)]
        )
    }
}

extension ReceiptAttributes: ExpressibleByArrayLiteral {
    /// The attributes in the order written.
    public init(arrayLiteral elements: ReceiptAttribute...) { self.init(elements) }
}

extension ReceiptAttributes: Hashable {
    /// Equal when the attributes and their order are.
    public static func == (left: ReceiptAttributes, right: ReceiptAttributes) -> Bool {
        left.elementsEqual(right)
    }

    /// Hashes the attributes in their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for attribute in self { hasher.combine(attribute) }
    }
}
