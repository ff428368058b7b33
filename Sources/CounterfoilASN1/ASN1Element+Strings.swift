import CounterfoilBasics

/// The octets of a string: where they stand, or a copy when the encoding has them in pieces.
package enum ASN1Octets: Hashable, Sendable {
    /// They stand together in the bytes that were read.
    case inPlace(Range<Int>)
    /// They were put together from several chunks.
    case joined([UInt8])

    /// How many there are.
    package var count: Int {
        switch self {
        case .inPlace(let range): range.count
        case .joined(let octets): octets.count
        }
    }

    /// Hands them to a closure without a copy; `bytes` are those that they were read from.
    package func withSpan<Result, Failure: Error>(
        of bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .inPlace(let range): try body(bytes.extracting(range))
        case .joined(let octets): try body(octets.span)
        }
    }

    /// A copy of them.
    package func copy(from bytes: Span<UInt8>) -> [UInt8] {
        switch self {
        case .inPlace(let range): bytes.copy(range)
        case .joined(let octets): octets
        }
    }
}

extension ASN1Element {
    /// The octets of an OCTET STRING, whatever its tag.
    ///
    /// BER may cut a string into chunks, each of them a string that may be cut again (X.690
    /// §8.7.3); where only one chunk is not empty, nothing is copied.
    ///
    /// - Throws: `asn1.unexpected_tag` for a chunk that is neither an OCTET STRING nor of the
    ///   string's own tag, `asn1.not_der` for chunks under DER, and what reading them throws.
    package func octets(
        in bytes: Span<UInt8>,
        limits: ASN1Limits = .default
    ) throws(ASN1Error) -> ASN1Octets {
        guard isConstructed else { return .inPlace(content) }
        guard !mustBeDER else {
            throw ASN1Error.notDER("a string in chunks", at: encoding.lowerBound)
        }
        var chunks = Chunks()
        let outermost = ASN1Reader(content, flags: 0, limits: limits)
        try collect(from: outermost, in: bytes, to: &chunks)
        guard chunks.joined.isEmpty else { return .joined(chunks.joined) }
        return .inPlace(chunks.only ?? content.lowerBound..<content.lowerBound)
    }

    /// The text of a character string, whose type is told by the tag.
    ///
    /// `type` names the type where the schema gives the element another tag.
    ///
    /// - Throws: `asn1.bad_text` for invalid UTF-8 in a UTF8String and for a byte of 0x80 or more
    ///   in an IA5String, PrintableString, VisibleString or NumericString, `asn1.unexpected_tag`
    ///   for any other type, and what reading chunks throws.
    package func text(
        in bytes: Span<UInt8>,
        as type: ASN1Tag? = nil
    ) throws(ASN1Error) -> String {
        let isASCII: Bool
        switch type ?? tag {
        case .utf8String: isASCII = false
        case .ia5String, .printableString, .visibleString, .numericString: isASCII = true
        default: throw ASN1Error.unexpected(self, insteadOf: .utf8String)
        }
        return try octets(in: bytes).withSpan(of: bytes) { octets throws(ASN1Error) in
            try text(octets, isASCII: isASCII)
        }
    }

    private func text(_ octets: Span<UInt8>, isASCII: Bool) throws(ASN1Error) -> String {
        let valid: UTF8Span
        do {
            valid = try UTF8Span(validating: octets)
        } catch {
            throw self.error(
                ASN1Error.badText,
                "found a \(tag) whose content byte \(error.byteOffsets.lowerBound) is not text"
            )
        }
        guard !isASCII || valid.isKnownASCII || octets.isASCII else {
            throw error(ASN1Error.badText, "found a \(tag) with a byte outside ASCII")
        }
        return String(copying: valid)
    }

    private func collect(
        from reader: ASN1Reader,
        in bytes: Span<UInt8>,
        to chunks: inout Chunks
    ) throws(ASN1Error) {
        var reader = reader
        while let chunk = try reader.next(in: bytes) {
            guard chunk.tag == .octetString || chunk.tag == tag else {
                throw ASN1Error.unexpected(chunk, insteadOf: .octetString)
            }
            if chunk.isConstructed {
                try collect(from: reader.contents(of: chunk), in: bytes, to: &chunks)
            } else if !chunk.content.isEmpty {
                chunks.append(chunk.content, of: bytes)
            }
        }
    }

    /// The chunks met so far: at most one in place, or all of them joined.
    private struct Chunks {
        var only: Range<Int>?
        var joined: [UInt8] = []

        mutating func append(_ range: Range<Int>, of bytes: Span<UInt8>) {
            guard let first = only else {
                only = range
                return
            }
            if joined.isEmpty { joined = bytes.copy(first) }
            joined += bytes.copy(range)
        }
    }
}

extension Span where Element == UInt8 {
    fileprivate var isASCII: Bool {
        for index in indices where self[index] >= 0x80 { return false }
        return true
    }
}
