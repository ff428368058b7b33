extension ASN1Reader {
    /// Reads all elements that are left, and everything inside them, and checks that they are
    /// encoded as DER demands.
    ///
    /// Certificates and signed attributes are DER by their standards (RFC 5280 §4.1, RFC 5652
    /// §5.3); this is for asking about a whole part at once. A reader made with ``ASN1Rules/der``
    /// asks the same of every element and value that it reads, save for the order of a SET.
    /// What the octets of a string hold is not looked at.
    ///
    /// - Throws: `asn1.not_der`, or the error of a malformed element or value.
    package mutating func requireDER(in bytes: Span<UInt8>) throws(ASN1Error) {
        var reader = ASN1Reader(position..<end, flags: ASN1Element.derFlag, like: self)
        while let element = try reader.next(in: bytes) {
            try reader.requireDER(element, in: bytes)
        }
        position = end
    }

    private func requireDER(
        _ element: ASN1Element,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) {
        switch element.tag {
        case .sequence: try requireElements(element, in: bytes)
        case .set: try requireOrderedSet(element, in: bytes)
        case .boolean: _ = try element.boolean(in: bytes)
        case .integer, .enumerated: _ = try element.integerBytes(in: bytes)
        case .null: try element.requireNull()
        case .objectIdentifier: _ = try element.objectIdentifier(in: bytes)
        case .utcTime, .generalizedTime: _ = try element.time(in: bytes)
        case let tag where tag.tagClass == .universal:
            // What is left are strings, which only BER may cut into chunks.
            guard !element.isConstructed else {
                throw .notDER("a constructed \(tag)", at: element.encoding.lowerBound)
            }
            if tag == .bitString { _ = try element.bitString(in: bytes) }
        default:
            if element.isConstructed { try requireElements(element, in: bytes) }
        }
    }

    private func requireElements(
        _ element: ASN1Element,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) {
        var elements = try contents(of: element)
        try elements.requireDER(in: bytes)
    }

    private func requireOrderedSet(
        _ set: ASN1Element,
        in bytes: Span<UInt8>
    ) throws(ASN1Error) {
        var elements = try contents(of: set)
        var previous: ASN1Element?
        while let element = try elements.next(in: bytes) {
            if let previous, !previous.mayPrecede(element, in: bytes) {
                throw .notDER("a SET out of order", at: element.encoding.lowerBound)
            }
            try elements.requireDER(element, in: bytes)
            previous = element
        }
    }
}

extension ASN1Element {
    /// Whether DER allows this order of two neighbours: a SET is ordered by tag (X.690 §10.3) and
    /// a SET OF by encoding (§11.6); the bytes do not tell which of the two they are.
    fileprivate func mayPrecede(_ next: ASN1Element, in bytes: Span<UInt8>) -> Bool {
        guard tag == next.tag else { return tag.packed < next.tag.packed }
        let (mine, others) = (encoding, next.encoding)
        for index in 0..<min(mine.count, others.count) {
            let byte = bytes[mine.lowerBound + index]
            let other = bytes[others.lowerBound + index]
            guard byte == other else { return byte < other }
        }
        // The same bytes twice, since no encoding is the beginning of another.
        return true
    }
}
