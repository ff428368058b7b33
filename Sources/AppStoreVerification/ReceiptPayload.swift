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
            set = Self.slice(try reader.nextOctets(in: content.span), of: content)
            try reader.requireEnd()
        } catch {
            throw Self.malformed(error, "the payload")
        }
    }

    /// Hands each attribute of the set to a closure, which says whether to go on.
    func forEachAttribute(
        limit: Int,
        _ body: (ReceiptAttribute) throws(VerificationError) -> Bool
    ) throws(VerificationError) {
        try Self.forEachAttribute(of: set, limit: limit, "the payload", body)
    }

    /// Hands each attribute of a purchase, which is the value of an attribute of type 17, to a
    /// closure.
    static func forEachAttribute(
        ofPurchase value: ArraySlice<UInt8>,
        limit: Int,
        _ body: (ReceiptAttribute) throws(VerificationError) -> Void
    ) throws(VerificationError) {
        try forEachAttribute(of: value, limit: limit, "a purchase") {
            (attribute) throws(VerificationError) in
            try body(attribute)
            return true
        }
    }

    private static func forEachAttribute(
        of set: ArraySlice<UInt8>,
        limit: Int,
        _ place: StaticString,
        _ body: (ReceiptAttribute) throws(VerificationError) -> Bool
    ) throws(VerificationError) {
        let bytes = set.span
        var position: Int
        let end: Int
        do {
            var document = try ASN1Reader(bytes)
            let reader = try document.nextContents(of: .set, in: bytes)
            try document.requireEnd()
            (position, end) = (reader.position, reader.end)
        } catch {
            throw malformed(error, place)
        }
        var count = 0
        while position < end {
            count += 1
            guard count <= limit else {
                throw VerificationError(
                    VerificationError.tooManyAttributes,
                    "\(place) has more than \(limit) attributes"
                )
            }
            let attribute =
                if let plain = plainAttribute(of: set, at: &position, end: end) { plain } else {
                    try anyAttribute(of: set, at: &position, end: end, place)
                }
            guard try body(attribute) else { return }
        }
    }

    private static func plainAttribute(
        of set: ArraySlice<UInt8>,
        at position: inout Int,
        end: Int
    ) -> ReceiptAttribute? {
        let bytes = set.span
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
        return ReceiptAttribute(
            type: typeNumber,
            version: versionNumber,
            value: slice(value, of: set)
        )
    }

    private static func anyAttribute(
        of set: ArraySlice<UInt8>,
        at position: inout Int,
        end: Int,
        _ place: StaticString
    ) throws(VerificationError) -> ReceiptAttribute {
        let bytes = set.span
        do {
            var reader = try ASN1Reader(position..<end)
            var fields = try reader.nextContents(of: .sequence, in: bytes)
            let type = try fields.nextInt64(in: bytes)
            let version = try fields.nextInt64(in: bytes)
            let value = slice(try fields.nextOctets(in: bytes), of: set)
            try fields.requireEnd()
            position = reader.position
            return ReceiptAttribute(type: type, version: version, value: value)
        } catch {
            throw malformed(error, place)
        }
    }

    private static func slice(
        _ octets: ASN1Octets,
        of whole: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        switch octets {
        case .inPlace(let range): slice(range, of: whole)
        case .joined(let bytes): bytes[...]
        }
    }

    private static func slice(
        _ range: Range<Int>,
        of whole: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        whole[(whole.startIndex + range.lowerBound)..<(whole.startIndex + range.upperBound)]
    }

    private static func malformed(_ error: ASN1Error, _ place: StaticString) -> VerificationError {
        VerificationError(
            VerificationError.payloadMalformed,
            "\(place) is no SET of receipt attributes: \(error.reason)"
        )
    }
}

extension ReceiptAttribute {
    /// The number that the value encodes.
    func integer() throws(ASN1Error) -> Int64 {
        let bytes = value.span
        if let content = PlainEncoding.wholeContent(of: PlainEncoding.integer, in: bytes),
            let number = PlainEncoding.int64(content, in: bytes)
        {
            return number
        }
        var reader = try ASN1Reader(bytes)
        let number = try reader.nextInt64(in: bytes)
        try reader.requireEnd()
        return number
    }

    /// The text that the value encodes, in any of the four string types.
    func text() throws(ASN1Error) -> String {
        let bytes = value.span
        if let content = PlainEncoding.wholeContent(of: PlainEncoding.utf8String, in: bytes) {
            do {
                return String(copying: try UTF8Span(validating: bytes.extracting(content)))
            } catch {
                // The reader refuses it with the place.
            }
        }
        var reader = try ASN1Reader(bytes)
        guard let element = try reader.next(in: bytes) else {
            throw ASN1Error.missing(.utf8String, at: 0)
        }
        try reader.requireEnd()
        return try element.text(in: bytes)
    }

    /// The date that the value encodes; nil when it is empty, which means that there is none.
    func date() throws(ASN1Error) -> Instant? {
        let bytes = value.span
        if let content = PlainEncoding.wholeContent(of: PlainEncoding.ia5String, in: bytes) {
            if content.isEmpty { return nil }
            if let date = AppStoreDate.parse(bytes.extracting(content)) { return date }
        }
        var reader = try ASN1Reader(bytes)
        guard let element = try reader.next(in: bytes) else {
            throw ASN1Error.missing(.ia5String, at: 0)
        }
        try reader.requireEnd()
        guard Self.textTags.contains(element.tag) else {
            throw ASN1Error.unexpected(element, insteadOf: .ia5String)
        }
        let octets = try element.octets(in: bytes)
        let date =
            switch octets {
            case .inPlace(let range): AppStoreDate.parse(bytes.extracting(range))
            case .joined(let joined): AppStoreDate.parse(joined.span)
            }
        guard let date else {
            guard octets.count == 0 else {
                throw ASN1Error(
                    ASN1Error.badTime,
                    at: 0,
                    "found \(octets.count) characters that are no date"
                )
            }
            return nil
        }
        return date
    }

    private static let textTags: [ASN1Tag] = [
        .ia5String, .utf8String, .printableString, .visibleString,
    ]
}
