public import CounterfoilBasics

/// Why bytes are not the ASN.1 that was expected.
@usableFromInline
package struct ASN1Error: CodedError, Hashable {
    @usableFromInline package let code: ErrorCode
    @usableFromInline package let reason: String

    /// The offset, within the bytes read, of the element or byte that is wrong.
    package let offset: Int

    package init(_ code: ErrorCode, at offset: Int, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = "\(reason), at byte \(offset)"
    }
}

extension ASN1Error {
    /// A tag, length or content that goes on behind the end of what encloses it, or an indefinite
    /// length without its end.
    package static let truncated: ErrorCode = "asn1.truncated"
    /// A length of more than 2³¹ − 1 bytes.
    package static let lengthOverflow: ErrorCode = "asn1.length_overflow"
    /// The length byte 0xFF, which X.690 §8.1.3.5 reserves.
    package static let badLength: ErrorCode = "asn1.bad_length"
    /// A tag number that is padded or beyond ``ASN1Tag/maximumNumber``.
    package static let badTag: ErrorCode = "asn1.bad_tag"
    /// Another element than the one that the structure has at this place.
    package static let unexpectedTag: ErrorCode = "asn1.unexpected_tag"
    /// The end, where the structure has one more element.
    package static let missingElement: ErrorCode = "asn1.missing_element"
    /// A primitive encoding where a constructed one is needed, or the reverse.
    package static let unexpectedForm: ErrorCode = "asn1.unexpected_form"
    /// More levels than ``ASN1Limits/nesting``.
    package static let tooDeep: ErrorCode = "asn1.too_deep"
    /// More elements than ``ASN1Limits/elements``.
    package static let tooManyElements: ErrorCode = "asn1.too_many_elements"
    /// More bytes than ``ASN1Limits/bytes``.
    package static let tooLong: ErrorCode = "asn1.too_long"
    /// An indefinite length on a primitive element (X.690 §8.1.3.2).
    package static let indefinitePrimitive: ErrorCode = "asn1.indefinite_primitive"
    /// End-of-contents bytes where no indefinite length is open, or that are not two zeros.
    package static let unexpectedEndOfContents: ErrorCode = "asn1.unexpected_end_of_contents"
    /// Bytes behind the last element.
    package static let trailingBytes: ErrorCode = "asn1.trailing_bytes"
    /// A valid BER encoding that is not the one of DER, where DER is required.
    package static let notDER: ErrorCode = "asn1.not_der"
    /// A BOOLEAN that has not exactly one byte.
    package static let badBoolean: ErrorCode = "asn1.bad_boolean"
    /// An INTEGER without content, or negative where a natural number is needed.
    package static let badInteger: ErrorCode = "asn1.bad_integer"
    /// An INTEGER of more than eight bytes where a 64-bit number is needed.
    package static let integerTooWide: ErrorCode = "asn1.integer_too_wide"
    /// A NULL with content.
    package static let badNull: ErrorCode = "asn1.bad_null"
    /// An OBJECT IDENTIFIER that is empty, too long, padded or cut off.
    package static let badObjectIdentifier: ErrorCode = "asn1.bad_object_identifier"
    /// A BIT STRING without its count of unused bits, or with a wrong one.
    package static let badBitString: ErrorCode = "asn1.bad_bit_string"
    /// Bytes that are not text in the encoding of their type.
    package static let badText: ErrorCode = "asn1.bad_text"
    /// A time that is not in the form of RFC 5280 §4.1.2.5 or not in the calendar.
    package static let badTime: ErrorCode = "asn1.bad_time"

    package static let allCodes: [ErrorCode] = [
        truncated, lengthOverflow, badLength, badTag, unexpectedTag, missingElement,
        unexpectedForm, tooDeep, tooManyElements, tooLong, indefinitePrimitive,
        unexpectedEndOfContents, trailingBytes, notDER, badBoolean, badInteger, integerTooWide,
        badNull, badObjectIdentifier, badBitString, badText, badTime,
    ]
}
