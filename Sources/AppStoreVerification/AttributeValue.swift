import AppStoreModel
import CounterfoilASN1
import CounterfoilBasics

/// Reads the values of attributes, each of which is one ASN.1 element.
enum AttributeValue {
    /// The number that the value encodes.
    static func integer(_ bytes: Span<UInt8>) throws(ASN1Error) -> Int64 {
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
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - recent: a text that is given back when it is the same, which saves making it anew.
    /// - Returns: the text.
    /// - Throws: what reading a text throws.
    static func text(_ bytes: Span<UInt8>, recent: String = "") throws(ASN1Error) -> String {
        if let content = PlainEncoding.wholeContent(of: PlainEncoding.utf8String, in: bytes),
            !content.isEmpty, recent.utf8Span.span.hasSameBytes(as: bytes.extracting(content))
        {
            return recent
        }
        return try newText(bytes)
    }

    private static func newText(_ bytes: Span<UInt8>) throws(ASN1Error) -> String {
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
    static func date(_ bytes: Span<UInt8>) throws(ASN1Error) -> Instant? {
        if let content = PlainEncoding.wholeContent(of: PlainEncoding.ia5String, in: bytes) {
            if content.isEmpty { return nil }
            if let date = AppStoreDate.parse(bytes.extracting(content)) { return date }
        }
        var reader = try ASN1Reader(bytes)
        guard let element = try reader.next(in: bytes) else {
            throw ASN1Error.missing(.ia5String, at: 0)
        }
        try reader.requireEnd()
        guard textTags.contains(element.tag) else {
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
