import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

/// The signed content of an app receipt as attributes, before any of them is understood.
///
///     ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
///     Payload ::= SET OF ReceiptAttribute
struct ReceiptPayload {
    private let set: ArraySlice<UInt8>

    /// Finds the SET in the content octets; one more OCTET STRING around it is taken off.
    init(_ content: ArraySlice<UInt8>) throws(VerificationError) {
        do throws(ASN1Error) {
            var reader = try ASN1Reader(content.span)
            guard let element = try reader.peek(in: content.span) else {
                throw ASN1Error.missing(.set, at: 0)
            }
            guard element.tag == .octetString else {
                set = content
                return
            }
            switch try reader.nextOctets(in: content.span) {
            case .inPlace(let place): set = content.slice(at: place)
            case .joined(let joined): set = joined[...]
            }
            try reader.requireEnd()
        } catch {
            throw Self.malformed(error, "the payload")
        }
    }

    /// The attributes of the set, none read yet.
    var attributes: ReceiptAttributes { ReceiptAttributes(lyingIn: set) }

    /// Hands each attribute of the set to a closure, which says whether to go on.
    func forEachAttribute(limit: Int, _ body: Body) throws(VerificationError) {
        try Self.forEachAttribute(of: set, limit: limit, "the payload", body)
    }

    /// Hands each attribute of a purchase, which is the value of an attribute of type 17, to a
    /// closure.
    static func forEachAttribute(
        ofPurchase value: ArraySlice<UInt8>,
        limit: Int,
        _ body: Body
    ) throws(VerificationError) {
        try forEachAttribute(of: value, limit: limit, "a purchase", body)
    }

    /// The bytes of a value that was found in the set.
    func bytes(of attribute: FoundAttribute, _ value: Span<UInt8>) -> ArraySlice<UInt8> {
        attribute.place.map { set.slice(at: $0) } ?? value.copied[...]
    }

    /// What looks at an attribute and the bytes of its value, and says whether to go on.
    typealias Body = (FoundAttribute, Span<UInt8>) throws(VerificationError) -> Bool

    private static func forEachAttribute(
        of set: ArraySlice<UInt8>,
        limit: Int,
        _ place: StaticString,
        _ body: Body
    ) throws(VerificationError) {
        let bytes = set.span
        var (position, end) = try contents(of: bytes, place)
        var count = 0
        while position < end {
            count += 1
            guard count <= limit else {
                throw VerificationError(
                    VerificationError.tooManyAttributes,
                    "\(place) has more than \(limit) attributes"
                )
            }
            let goesOn =
                if let (attribute, value) = plainAttribute(in: bytes, at: &position, end: end) {
                    try body(attribute, bytes.extracting(value))
                } else {
                    try anyAttribute(in: bytes, at: &position, end: end, place, body)
                }
            guard goesOn else { return }
        }
    }

    private static func contents(
        of bytes: Span<UInt8>,
        _ place: StaticString
    ) throws(VerificationError) -> (position: Int, end: Int) {
        do {
            var document = try ASN1Reader(bytes)
            let reader = try document.nextContents(of: .set, in: bytes)
            try document.requireEnd()
            return (reader.position, reader.end)
        } catch {
            throw malformed(error, place)
        }
    }

    @inline(__always)
    private static func plainAttribute(
        in bytes: Span<UInt8>,
        at position: inout Int,
        end: Int
    ) -> (FoundAttribute, value: Range<Int>)? {
        guard
            let fields = PlainEncoding.content(
                of: PlainEncoding.sequence,
                in: bytes,
                at: position,
                end: end
            ),
            let type = PlainEncoding.content(
                of: PlainEncoding.integer,
                in: bytes,
                at: fields.lowerBound,
                end: fields.upperBound
            ),
            let version = PlainEncoding.content(
                of: PlainEncoding.integer,
                in: bytes,
                at: type.upperBound,
                end: fields.upperBound
            ),
            let value = PlainEncoding.content(
                of: PlainEncoding.octetString,
                in: bytes,
                at: version.upperBound,
                end: fields.upperBound
            ),
            value.upperBound == fields.upperBound,
            let typeNumber = PlainEncoding.int64(type, in: bytes),
            let versionNumber = PlainEncoding.int64(version, in: bytes)
        else { return nil }
        position = fields.upperBound
        return (FoundAttribute(type: typeNumber, version: versionNumber, place: value), value)
    }

    private static func anyAttribute(
        in bytes: Span<UInt8>,
        at position: inout Int,
        end: Int,
        _ place: StaticString,
        _ body: Body
    ) throws(VerificationError) -> Bool {
        let type: Int64
        let version: Int64
        let value: ASN1Octets
        do {
            var reader = try ASN1Reader(position..<end)
            var fields = try reader.nextContents(of: .sequence, in: bytes)
            type = try fields.nextInt64(in: bytes)
            version = try fields.nextInt64(in: bytes)
            value = try fields.nextOctets(in: bytes)
            try fields.requireEnd()
            position = reader.position
        } catch {
            throw malformed(error, place)
        }
        switch value {
        case .inPlace(let range):
            let attribute = FoundAttribute(type: type, version: version, place: range)
            return try body(attribute, bytes.extracting(range))
        case .joined(let joined):
            let attribute = FoundAttribute(type: type, version: version, place: nil)
            return try body(attribute, joined.span)
        }
    }

    private static func malformed(_ error: ASN1Error, _ place: StaticString) -> VerificationError {
        VerificationError(
            VerificationError.payloadMalformed,
            "\(place) is no SET of receipt attributes: \(error.reason)"
        )
    }
}

/// An attribute where it was found.
struct FoundAttribute {
    let type: Int64
    let version: Int64
    /// Where the value lies in the set; nil when it does not lie there in one piece.
    let place: Range<Int>?
}

extension ReceiptAttributes {
    /// Adds an attribute that was found in the set that these lie in.
    mutating func append(_ attribute: FoundAttribute, _ value: Span<UInt8>) {
        if let place = attribute.place {
            append(type: attribute.type, version: attribute.version, at: place)
        } else {
            append(
                ReceiptAttribute(
                    type: attribute.type,
                    version: attribute.version,
                    value: value.copied[...]
                )
            )
        }
    }
}

extension ArraySlice<UInt8> {
    /// The slice at a place that is counted from the first of these bytes.
    fileprivate func slice(at place: Range<Int>) -> ArraySlice<UInt8> {
        self[(startIndex + place.lowerBound)..<(startIndex + place.upperBound)]
    }
}
