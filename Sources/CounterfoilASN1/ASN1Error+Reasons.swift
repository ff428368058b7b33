extension ASN1Error {
    @usableFromInline
    package static func missing(_ expected: ASN1Tag, at offset: Int) -> ASN1Error {
        ASN1Error(missingElement, at: offset, "found the end, expected \(expected)")
    }

    @usableFromInline
    package static func unexpected(_ element: ASN1Element, insteadOf expected: ASN1Tag) -> ASN1Error
    {
        ASN1Error(
            unexpectedTag,
            at: element.encoding.lowerBound,
            "found \(element.tag), expected \(expected)"
        )
    }

    @usableFromInline
    static func notConstructed(_ element: ASN1Element) -> ASN1Error {
        ASN1Error(
            unexpectedForm,
            at: element.encoding.lowerBound,
            "found a primitive \(element.tag), expected a constructed one"
        )
    }

    @usableFromInline
    static func notPrimitive(_ element: ASN1Element) -> ASN1Error {
        ASN1Error(
            unexpectedForm,
            at: element.encoding.lowerBound,
            "found a constructed \(element.tag), expected a primitive one"
        )
    }

    @usableFromInline
    static func trailing(_ count: Int, at offset: Int) -> ASN1Error {
        ASN1Error(trailingBytes, at: offset, "found \(count) more bytes, expected the end")
    }

    @usableFromInline
    static func tooDeep(_ element: ASN1Element, limit: Int) -> ASN1Error {
        tooDeep(at: element.encoding.lowerBound, limit: limit)
    }

    static func tooDeep(at offset: Int, limit: Int) -> ASN1Error {
        ASN1Error(tooDeep, at: offset, "found elements more than \(limit) levels deep")
    }

    static func tooMany(limit: Int, at offset: Int) -> ASN1Error {
        ASN1Error(tooManyElements, at: offset, "found more than \(limit) elements in one")
    }

    static func cutOff(_ part: String, at offset: Int) -> ASN1Error {
        ASN1Error(truncated, at: offset, "found the end within a \(part)")
    }

    static func overrun(length: Int, remaining: Int, at offset: Int) -> ASN1Error {
        ASN1Error(truncated, at: offset, "found \(remaining) bytes of content, expected \(length)")
    }

    static func unended(_ contentStart: Int, at offset: Int) -> ASN1Error {
        ASN1Error(
            truncated,
            at: offset,
            "found no end-of-contents for the indefinite length whose content begins at "
                + "\(contentStart)"
        )
    }

    static func endOfContents(at offset: Int) -> ASN1Error {
        ASN1Error(unexpectedEndOfContents, at: offset, "found end-of-contents, expected an element")
    }

    static func indefinitePrimitive(at offset: Int) -> ASN1Error {
        ASN1Error(indefinitePrimitive, at: offset, "found a primitive element of indefinite length")
    }

    static func notDER(_ found: String, at offset: Int) -> ASN1Error {
        ASN1Error(notDER, at: offset, "found \(found), which DER does not allow")
    }
}
