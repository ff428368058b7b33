/// How much of a document a reader is willing to follow.
///
/// Reading costs at most `bytes` × `nesting` steps: an element of indefinite length is searched
/// for its end once by every level that encloses it, and every other element is passed once.
package struct ASN1Limits: Hashable, Sendable {
    /// The longest document or part that is read, in bytes; never more than 2³¹ − 1.
    package var bytes: Int

    /// How many levels of elements may be entered below the outermost one; never more than 255.
    package var nesting: Int

    /// How many elements one constructed value may hold, and how many the search for the end of
    /// an indefinite length may pass.
    package var elements: Int

    package init(bytes: Int, nesting: Int, elements: Int) {
        self.bytes = bytes
        self.nesting = nesting
        self.elements = elements
    }

    /// 16 MiB, 32 levels and 65,536 elements.
    ///
    /// The largest receipts known have 80 KB and 200 in-app purchases, and certificates reach
    /// about 12 levels.
    package static let `default` = ASN1Limits(bytes: 16 << 20, nesting: 32, elements: 65_536)
}

/// Which encodings of a value a reader accepts.
package enum ASN1Rules: Hashable, Sendable {
    /// The basic encoding rules (X.690 §8): indefinite and padded lengths, strings in chunks.
    case ber
    /// The distinguished encoding rules (X.690 §10 and §11): one encoding for each value.
    case der
}
