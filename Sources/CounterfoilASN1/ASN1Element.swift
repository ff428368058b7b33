/// One encoded value: where its tag, length and content stand among the bytes it was read from.
///
/// An element is four words without references, so reading a document allocates nothing. It is
/// meaningful only together with the bytes that it was read from; the methods that look into it
/// take them again.
@usableFromInline
package struct ASN1Element: Hashable, Sendable {
    @usableFromInline static let constructedFlag: UInt32 = 1 << 29
    @usableFromInline static let indefiniteFlag: UInt32 = 1 << 25
    @usableFromInline static let derFlag: UInt32 = 1 << 26

    /// The packed tag with the three flags in the bits that it leaves free.
    @usableFromInline let tagAndFlags: UInt32
    @usableFromInline let start: UInt32
    @usableFromInline let contentStart: UInt32
    @usableFromInline let contentEnd: UInt32

    /// Makes an element from offsets that a reader has checked to ascend and fit 31 bits.
    @inlinable
    init(tagAndFlags: UInt32, start: Int, contentStart: Int, contentEnd: Int) {
        self.tagAndFlags = tagAndFlags
        self.start = UInt32(truncatingIfNeeded: start)
        self.contentStart = UInt32(truncatingIfNeeded: contentStart)
        self.contentEnd = UInt32(truncatingIfNeeded: contentEnd)
    }

    /// What the element is.
    @inlinable package var tag: ASN1Tag { ASN1Tag(packed: tagAndFlags) }

    /// Whether the content is made of elements.
    @inlinable package var isConstructed: Bool { tagAndFlags & Self.constructedFlag != 0 }

    /// Whether the length was left open and the content ends with end-of-contents bytes.
    @inlinable package var isIndefiniteLength: Bool { tagAndFlags & Self.indefiniteFlag != 0 }

    /// Whether it was read under the distinguished encoding rules, which then hold for its value.
    @inlinable package var mustBeDER: Bool { tagAndFlags & Self.derFlag != 0 }

    /// All its bytes: tag, length, content and, if there are some, end-of-contents bytes.
    @inlinable package var encoding: Range<Int> { Int(start)..<end }

    /// The bytes between the length and the end, without end-of-contents bytes.
    @inlinable package var content: Range<Int> { Int(contentStart)..<Int(contentEnd) }

    @inlinable var end: Int { Int(contentEnd) + (isIndefiniteLength ? 2 : 0) }
}

extension Span where Element == UInt8 {
    /// A copy of the bytes in a range.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
