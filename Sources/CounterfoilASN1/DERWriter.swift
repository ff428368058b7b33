package import CounterfoilBasics

/// Writes elements one after another, in the distinguished encoding rules unless told otherwise.
///
/// Constructed elements are closures, so that structure in code is structure in bytes:
///
///     var writer = DERWriter()
///     writer.sequence { attribute in
///         attribute.integer(2)
///         attribute.integer(1)
///         attribute.octetString { $0.utf8String("com.example.app") }
///     }
package struct DERWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// The bytes that a closure writes.
    package static func bytes<Failure: Error>(
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var writer = DERWriter()
        try body(&writer)
        return writer.bytes
    }

    // MARK: Constructed elements

    /// Writes a constructed element around what the closure writes.
    package mutating func constructed<Failure: Error>(
        _ tag: ASN1Tag,
        length: ASN1LengthForm = .minimal,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        appendIdentifier(tag, isConstructed: true)
        try appendLengthAndContent(length, body)
    }

    /// Writes a SEQUENCE around what the closure writes.
    package mutating func sequence<Failure: Error>(
        length: ASN1LengthForm = .minimal,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try constructed(.sequence, length: length, body)
    }

    /// Writes a SET around what the closure writes, in the order in which it is written; for the
    /// order of DER see ``setOf(_:tag:write:)``.
    package mutating func set<Failure: Error>(
        length: ASN1LengthForm = .minimal,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try constructed(.set, length: length, body)
    }

    /// Writes the tag `[number]` around what the closure writes, as EXPLICIT tagging does.
    package mutating func explicit<Failure: Error>(
        _ number: Int,
        length: ASN1LengthForm = .minimal,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try constructed(.contextSpecific(number), length: length, body)
    }

    /// Writes a SET OF with one element for each item, in the order of DER: ascending by their
    /// encodings (X.690 §11.6).
    package mutating func setOf<Items: Sequence, Failure: Error>(
        _ items: Items,
        tag: ASN1Tag = .set,
        write: (inout DERWriter, Items.Element) throws(Failure) -> Void
    ) throws(Failure) {
        var encodings: [[UInt8]] = []
        for item in items {
            var writer = DERWriter()
            try write(&writer, item)
            encodings.append(writer.bytes)
        }
        encodings.sort { $0.lexicographicallyPrecedes($1) }
        constructed(tag) { writer in
            for encoding in encodings { writer.raw(encoding) }
        }
    }

    // MARK: Primitive elements

    /// Writes a primitive element with this content.
    package mutating func primitive(
        _ tag: ASN1Tag,
        _ content: some Sequence<UInt8>,
        length: ASN1LengthForm = .minimal
    ) {
        precondition(length != .indefinite, "a primitive element has a definite length")
        appendIdentifier(tag, isConstructed: false)
        appendLengthAndContent(length) { $0.bytes += content }
    }

    /// Writes an INTEGER.
    package mutating func integer(_ value: Int64, tag: ASN1Tag = .integer) {
        // X.690 §8.3.2: as few bytes as hold the value and its sign.
        let bits = Int64.bitWidth - (value < 0 ? ~value : value).leadingZeroBitCount + 1
        let count = (bits + 7) / 8
        appendIdentifier(tag, isConstructed: false)
        bytes.append(UInt8(count))
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    /// Writes an INTEGER of any size that is not negative, given as big-endian magnitude; leading
    /// zeros do not matter.
    package mutating func naturalNumber(
        _ magnitude: some Collection<UInt8>,
        tag: ASN1Tag = .integer
    ) {
        var content = Array(magnitude.drop { $0 == 0 })
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        primitive(tag, content)
    }

    /// Writes a BOOLEAN.
    package mutating func boolean(_ value: Bool, tag: ASN1Tag = .boolean) {
        primitive(tag, CollectionOfOne(value ? 0xFF : 0x00))
    }

    /// Writes a NULL.
    package mutating func null() { primitive(.null, EmptyCollection()) }

    /// Writes an OBJECT IDENTIFIER.
    package mutating func objectIdentifier(
        _ identifier: ASN1ObjectIdentifier,
        tag: ASN1Tag = .objectIdentifier
    ) {
        primitive(tag, identifier.contentBytes)
    }

    /// Writes an OCTET STRING.
    package mutating func octetString(
        _ octets: some Sequence<UInt8>,
        tag: ASN1Tag = .octetString
    ) {
        primitive(tag, octets)
    }

    /// Writes an OCTET STRING whose octets are the elements that the closure writes.
    package mutating func octetString<Failure: Error>(
        tag: ASN1Tag = .octetString,
        length: ASN1LengthForm = .minimal,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(length != .indefinite, "a primitive element has a definite length")
        appendIdentifier(tag, isConstructed: false)
        try appendLengthAndContent(length, body)
    }

    /// Writes a BIT STRING; the unused bits of the last byte must be zero.
    package mutating func bitString(
        _ octets: some Collection<UInt8>,
        unusedBits: Int = 0,
        tag: ASN1Tag = .bitString
    ) {
        precondition((0...7).contains(unusedBits), "a byte has at most 7 unused bits")
        primitive(tag, [UInt8(unusedBits)] + octets)
    }

    /// Writes a UTF8String.
    package mutating func utf8String(_ text: String) { primitive(.utf8String, text.utf8) }

    /// Writes an IA5String; the text must be ASCII.
    package mutating func ia5String(_ text: String) { ascii(.ia5String, text) }

    /// Writes a PrintableString; the text must be of its letters, digits and signs.
    package mutating func printableString(_ text: String) { ascii(.printableString, text) }

    /// Writes a time as RFC 5280 §4.1.2.5 wants it: UTCTime from 1950 to 2049, GeneralizedTime
    /// otherwise, in whole seconds (rounded down).
    package mutating func time(_ instant: Instant) {
        let year = CivilTime(instant).year
        if (1950...2049).contains(year) { utcTime(instant) } else { generalizedTime(instant) }
    }

    /// Writes a UTCTime; the year must be 1950 to 2049.
    package mutating func utcTime(_ instant: Instant) {
        let civil = CivilTime(instant)
        precondition((1950...2049).contains(civil.year), "UTCTime covers 1950 to 2049")
        let fields = [civil.year % 100, civil.month, civil.day] + Self.timeOfDay(civil)
        ascii(.utcTime, fields.map { CivilTime.padded($0, 2) }.joined() + "Z")
    }

    /// Writes a GeneralizedTime in whole seconds; the year must be 0 to 9999.
    package mutating func generalizedTime(_ instant: Instant) {
        let civil = CivilTime(instant)
        precondition((0...9999).contains(civil.year), "GeneralizedTime covers 0 to 9999")
        let fields = [civil.month, civil.day] + Self.timeOfDay(civil)
        let rest = fields.map { CivilTime.padded($0, 2) }.joined()
        ascii(.generalizedTime, CivilTime.padded(civil.year, 4) + rest + "Z")
    }

    /// Appends bytes that are already encoded.
    package mutating func raw(_ encoding: some Sequence<UInt8>) { bytes += encoding }

    private mutating func ascii(_ tag: ASN1Tag, _ text: String) {
        precondition(text.utf8.allSatisfy { $0 < 0x80 }, "\(tag) holds ASCII alone")
        primitive(tag, text.utf8)
    }

    private static func timeOfDay(_ civil: CivilTime) -> [Int] {
        [civil.hour, civil.minute, civil.second]
    }
}

extension DERWriter {
    fileprivate mutating func appendIdentifier(_ tag: ASN1Tag, isConstructed: Bool) {
        let first =
            UInt8(truncatingIfNeeded: tag.tagClass.rawValue << 6) | (isConstructed ? 0x20 : 0)
        guard tag.number >= 0x1F else {
            bytes.append(first | UInt8(tag.number))
            return
        }
        bytes.append(first | 0x1F)
        let digits = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: tag.number >> $0) & 0x7F }
        let significant = digits.drop { $0 == 0 }
        bytes += significant.dropLast().map { $0 | 0x80 } + significant.suffix(1)
    }

    fileprivate mutating func appendLengthAndContent<Failure: Error>(
        _ form: ASN1LengthForm,
        _ body: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        let lengthStart = bytes.count
        bytes.append(0x80)
        try body(&self)
        switch form {
        case .indefinite:
            bytes += [0, 0]
        case .minimal:
            let length = bytes.count - lengthStart - 1
            guard length >= 0x80 else {
                bytes[lengthStart] = UInt8(length)
                return
            }
            setLongLength(length, at: lengthStart, minimumCount: 1)
        case .padded(let count):
            precondition((1...126).contains(count), "a length has 1 to 126 bytes")
            setLongLength(bytes.count - lengthStart - 1, at: lengthStart, minimumCount: count)
        }
    }

    /// Replaces the byte kept for the length by the long form (X.690 §8.1.3.5).
    private mutating func setLongLength(_ length: Int, at offset: Int, minimumCount: Int) {
        let digits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        let significant = Array(digits.drop { $0 == 0 })
        let padding = [UInt8](repeating: 0, count: max(0, minimumCount - significant.count))
        let count = UInt8(padding.count + significant.count)
        bytes.replaceSubrange(offset...offset, with: [0x80 | count] + padding + significant)
    }
}
