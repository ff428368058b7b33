/// A cursor over the elements of a document, or of the content of one element.
///
/// The bytes are not held but handed to each call, always the same ones:
///
///     var document = try ASN1Reader(bytes)
///     var contentInfo = try document.nextContents(of: .sequence, in: bytes)
///     let contentType = try contentInfo.nextRequired(.objectIdentifier, in: bytes)
///     var signedData = try contentInfo.nextContents(of: .contextSpecific(0), in: bytes)
///
/// A copy of a reader is a bookmark. A reader is of no further use after an error.
// A package type can be inlined into other targets only when it is usable from inlined code.
@usableFromInline
package struct ASN1Reader: Sendable {
    /// The offset of the next element.
    @usableFromInline package internal(set) var position: Int
    /// The offset behind the last element.
    @usableFromInline package let end: Int
    // Four words in all, because a reader is made for every constructed element.
    @usableFromInline var elementsLeft: UInt32
    @usableFromInline let elementLimit: UInt32
    @usableFromInline let nesting: Nesting
    @usableFromInline let flags: UInt32

    /// Starts reading a whole document.
    ///
    /// - Throws: `asn1.too_long` when there are more bytes than the limit.
    package init(
        _ bytes: Span<UInt8>,
        rules: ASN1Rules = .ber,
        limits: ASN1Limits = .default
    ) throws(ASN1Error) {
        try self.init(0..<bytes.count, rules: rules, limits: limits)
    }

    /// Starts reading a part of some bytes as a document of its own.
    ///
    /// - Throws: `asn1.too_long` when the part ends behind the limit.
    package init(
        _ range: Range<Int>,
        rules: ASN1Rules = .ber,
        limits: ASN1Limits = .default
    ) throws(ASN1Error) {
        let most = min(limits.bytes, Int(Int32.max))
        guard range.upperBound <= most else {
            throw ASN1Error(
                ASN1Error.tooLong,
                at: range.lowerBound,
                "found \(range.upperBound) bytes, expected at most \(most)"
            )
        }
        self.init(range, flags: rules == .der ? ASN1Element.derFlag : 0, limits: limits)
    }

    /// Starts reading a range that is known to be short enough.
    init(_ range: Range<Int>, flags: UInt32, limits: ASN1Limits) {
        position = range.lowerBound
        end = range.upperBound
        elementLimit = UInt32(clamping: limits.elements)
        elementsLeft = elementLimit
        nesting = Nesting(depth: 0, limit: UInt8(clamping: limits.nesting))
        self.flags = flags
    }

    /// Starts reading a part of what another reader reads, under other rules.
    init(_ range: Range<Int>, flags: UInt32, like outer: ASN1Reader) {
        position = range.lowerBound
        end = range.upperBound
        elementLimit = outer.elementLimit
        elementsLeft = outer.elementsLeft
        nesting = outer.nesting
        self.flags = flags
    }

    /// Starts reading inside an element that another reader has read.
    @inlinable
    init(inside element: ASN1Element, of outer: ASN1Reader) {
        position = Int(element.contentStart)
        end = Int(element.contentEnd)
        elementLimit = outer.elementLimit
        elementsLeft = outer.elementLimit
        nesting = Nesting(depth: outer.nesting.depth + 1, limit: outer.nesting.limit)
        flags = outer.flags
    }

    /// How many elements enclose what is read, and how many may.
    @usableFromInline
    struct Nesting: Sendable {
        @usableFromInline let depth: UInt8
        @usableFromInline let limit: UInt8

        @inlinable
        init(depth: UInt8, limit: UInt8) {
            self.depth = depth
            self.limit = limit
        }
    }

    /// How many elements enclose what this reader reads.
    package var depth: Int { Int(nesting.depth) }

    /// The limits that the reader keeps to; the document's length was checked at its start.
    package var limits: ASN1Limits {
        ASN1Limits(
            bytes: Int(Int32.max),
            nesting: Int(nesting.limit),
            elements: Int(elementLimit)
        )
    }

    /// The encodings that the reader accepts.
    package var rules: ASN1Rules { flags & ASN1Element.derFlag != 0 ? .der : .ber }

    /// Whether no element follows.
    @inlinable package var isAtEnd: Bool { position == end }

    /// Reads the next element, or returns nil at the end.
    @inlinable
    package mutating func next(in bytes: Span<UInt8>) throws(ASN1Error) -> ASN1Element? {
        // The common case first: a low tag number and a length below 128. Offsets stay below 2³¹,
        // so that sums of two cannot overflow.
        let start = position
        let left = end &- start
        if left >= 2, elementsLeft > 0 {
            let identifier = bytes[start]
            let length = bytes[start &+ 1]
            if identifier & 0x1F != 0x1F, identifier & 0xDF != 0, length < 0x80,
                left &- 2 >= Int(length)
            {
                let contentStart = start &+ 2
                let contentEnd = contentStart &+ Int(length)
                position = contentEnd
                elementsLeft &-= 1
                return ASN1Element(
                    tagAndFlags: ASN1Header.tagAndForm(identifier) | flags,
                    start: start,
                    contentStart: contentStart,
                    contentEnd: contentEnd
                )
            }
        }
        guard left > 0 else { return nil }
        return try nextOfAnyForm(in: bytes)
    }

    /// Reads the next element, which must have the tag.
    ///
    /// - Throws: `asn1.missing_element` at the end, `asn1.unexpected_tag`, or what ``next(in:)``
    ///   throws.
    @inlinable
    package mutating func nextRequired(
        _ tag: ASN1Tag,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1Element {
        guard let element = try next(in: bytes) else { throw .missing(tag, at: position) }
        guard element.tag == tag else { throw .unexpected(element, insteadOf: tag) }
        return element
    }

    /// Reads the next element if it has the tag, as an optional field of a structure; otherwise
    /// returns nil and stays before it.
    @inlinable
    package mutating func nextIfPresent(
        _ tag: ASN1Tag,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1Element? {
        let start = self
        guard let element = try next(in: bytes), element.tag == tag else {
            self = start
            return nil
        }
        return element
    }

    /// The next element, without moving on; nil at the end.
    @inlinable
    package func peek(in bytes: Span<UInt8>) throws(ASN1Error) -> ASN1Element? {
        var ahead = self
        return try ahead.next(in: bytes)
    }

    /// Passes the next element, which must have the tag.
    @inlinable
    package mutating func skip(_ tag: ASN1Tag, in bytes: Span<UInt8>) throws(ASN1Error) {
        _ = try nextRequired(tag, in: bytes)
    }

    /// Passes all elements that are left.
    package mutating func skipToEnd(in bytes: Span<UInt8>) throws(ASN1Error) {
        while try next(in: bytes) != nil {}
    }

    /// A reader for the elements inside a constructed element.
    ///
    /// - Throws: `asn1.unexpected_form` for a primitive element, `asn1.too_deep`.
    @inlinable
    package func contents(of element: ASN1Element) throws(ASN1Error) -> ASN1Reader {
        guard element.isConstructed else { throw .notConstructed(element) }
        return try below(element)
    }

    /// A reader for the elements that the octets of a primitive string hold, as the value of a
    /// receipt attribute or of a certificate extension does.
    ///
    /// - Throws: `asn1.unexpected_form` for a constructed string (join it first and read the
    ///   result), `asn1.too_deep`.
    @inlinable
    package func encapsulated(in element: ASN1Element) throws(ASN1Error) -> ASN1Reader {
        guard !element.isConstructed else { throw .notPrimitive(element) }
        return try below(element)
    }

    /// Reads the next element, which must be constructed and have the tag, and returns a reader
    /// for the elements inside it.
    @inlinable
    package mutating func nextContents(
        of tag: ASN1Tag,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> ASN1Reader {
        try contents(of: nextRequired(tag, in: bytes))
    }

    /// Checks that no element or other byte follows.
    ///
    /// - Throws: `asn1.trailing_bytes`.
    @inlinable
    package func requireEnd() throws(ASN1Error) {
        guard isAtEnd else { throw .trailing(end - position, at: position) }
    }

    /// Checks that nothing but zeros and white space follows, which transports add to receipts.
    ///
    /// - Throws: `asn1.trailing_bytes`.
    package func requireOnlyPadding(in bytes: Span<UInt8>) throws(ASN1Error) {
        for offset in position..<end {
            switch bytes[offset] {
            case 0x00, 0x09, 0x0A, 0x0D, 0x20: continue
            default: throw .trailing(end - offset, at: offset)
            }
        }
    }

    @inlinable
    func below(_ element: ASN1Element) throws(ASN1Error) -> ASN1Reader {
        guard nesting.depth < nesting.limit else {
            throw .tooDeep(element, limit: Int(nesting.limit))
        }
        return ASN1Reader(inside: element, of: self)
    }

    @usableFromInline
    mutating func nextOfAnyForm(in bytes: Span<UInt8>) throws(ASN1Error) -> ASN1Element {
        guard elementsLeft > 0 else {
            throw .tooMany(limit: Int(elementLimit), at: position)
        }
        let header = try ASN1Header(in: bytes, at: position, end: end, rules: rules)
        guard !header.isEndOfContents else { throw .endOfContents(at: position) }
        let contentEnd: Int
        var lengthFlag: UInt32 = 0
        if let definite = header.contentEnd {
            contentEnd = definite
        } else {
            contentEnd = try endOfContents(from: header.contentStart, in: bytes)
            lengthFlag = ASN1Element.indefiniteFlag
        }
        let element = ASN1Element(
            tagAndFlags: header.tagAndForm | lengthFlag | flags,
            start: position,
            contentStart: header.contentStart,
            contentEnd: contentEnd
        )
        position = element.end
        elementsLeft -= 1
        return element
    }

    /// Finds the end-of-contents bytes that belong to an indefinite length.
    ///
    /// Only elements that have an indefinite length themselves are entered, so a count of those
    /// that are open takes the place of a stack.
    private func endOfContents(
        from contentStart: Int,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) -> Int {
        var offset = contentStart
        var open = 1
        for _ in 0..<elementLimit {
            guard offset < end else { throw .unended(contentStart, at: offset) }
            let header = try ASN1Header(in: bytes, at: offset, end: end, rules: rules)
            if header.isEndOfContents {
                guard header.contentEnd == offset + 2 else { throw .endOfContents(at: offset) }
                open -= 1
                if open == 0 { return offset }
                offset += 2
            } else if let contentEnd = header.contentEnd {
                offset = contentEnd
            } else {
                open += 1
                guard depth + open <= Int(nesting.limit) else {
                    throw .tooDeep(at: offset, limit: Int(nesting.limit))
                }
                offset = header.contentStart
            }
        }
        throw .tooMany(limit: Int(elementLimit), at: offset)
    }
}
