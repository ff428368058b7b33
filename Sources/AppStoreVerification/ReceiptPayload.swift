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
        var reader: ASN1Reader
        do {
            var document = try ASN1Reader(set.span)
            reader = try document.nextContents(of: .set, in: set.span)
            try document.requireEnd()
        } catch {
            throw malformed(error, place)
        }
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= limit else {
                throw VerificationError(
                    VerificationError.tooManyAttributes,
                    "\(place) has more than \(limit) attributes"
                )
            }
            guard try body(nextAttribute(from: &reader, of: set, place)) else { return }
        }
    }

    private static func nextAttribute(
        from reader: inout ASN1Reader,
        of set: ArraySlice<UInt8>,
        _ place: StaticString
    ) throws(VerificationError) -> ReceiptAttribute {
        let bytes = set.span
        do {
            var fields = try reader.nextContents(of: .sequence, in: bytes)
            let type = try fields.nextInt64(in: bytes)
            let version = try fields.nextInt64(in: bytes)
            let value = slice(try fields.nextOctets(in: bytes), of: set)
            try fields.requireEnd()
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
        case .inPlace(let range):
            whole[(whole.startIndex + range.lowerBound)..<(whole.startIndex + range.upperBound)]
        case .joined(let bytes): bytes[...]
        }
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
        var reader = try ASN1Reader(bytes)
        let number = try reader.nextInt64(in: bytes)
        try reader.requireEnd()
        return number
    }

    /// The text that the value encodes, in any of the four string types.
    func text() throws(ASN1Error) -> String {
        let bytes = value.span
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
