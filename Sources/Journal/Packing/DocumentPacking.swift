package import CounterfoilBasics
import CounterfoilCryptography

/// A document made ready to be stored.
///
/// ```swift
/// let packing = try DocumentPacking(body)
/// // Store packing.packed.bytes under packing.digest, and each of packing.shared under its digest.
/// let stored = try PackedDocument(reading: bytes)
/// // Read the bytes of stored.sharedDigests.
/// let body = try stored.document(digest, shared: shared)
/// ```
/// The certificates that signed data and receipts bring are the same in thousands of them and are
/// stored once. What is ``nested`` in a document comes out of the same bytes by its own digest, and
/// is not stored again.
package struct DocumentPacking: Sendable {
    /// The SHA-256 of the document.
    package let digest: SHA256Digest
    /// The SHA-256 of the documents in it that come out of its bytes: signed data by their text,
    /// receipts by their bytes, whatever base 64 they stand in.
    package let nested: Set<SHA256Digest>
    /// What is to be stored for it.
    package let packed: PackedDocument
    /// What it shares with others, each to be stored once under its SHA-256.
    package let shared: [SHA256Digest: [UInt8]]

    /// Packs a document, whatever it is; that it comes out again is tried before this returns.
    ///
    /// - Throws: `packing.too_large`.
    package init(_ document: [UInt8]) throws(PackingError) {
        try self.init(document, by: Dissection.write)
    }

    /// Packs a document by a way to take it apart, which need not be right.
    init(
        _ document: [UInt8],
        by dissect: ([UInt8], inout RecipeWriter) -> Void
    ) throws(PackingError) {
        guard document.count <= PackedDocument.mostBytes else {
            throw PackingError(
                PackingError.tooLarge,
                "the document has \(document.count) bytes; at most \(PackedDocument.mostBytes) are "
                    + "packed"
            )
        }
        digest = SHA256Digest(of: document.span)
        var writer = RecipeWriter()
        dissect(document, &writer)
        let dissected = PackedDocument(writer.recipe)
        if let nested = dissected.nested(in: document, writer.shared) {
            (packed, shared) = (dissected, writer.shared)
            self.nested = nested.subtracting([digest])
            return
        }
        var whole = RecipeWriter()
        whole.text(document[...])
        packed = PackedDocument(whole.recipe)
        (shared, nested) = ([:], [])
    }
}

extension PackedDocument {
    /// The digests of the nested documents, if the document comes out as it was; nil otherwise.
    fileprivate func nested(
        in document: [UInt8],
        _ shared: [SHA256Digest: [UInt8]]
    ) -> Set<SHA256Digest>? {
        var nested: Set<SHA256Digest> = []
        do {
            let whole = try unpack(shared) { bytes in
                nested.insert(SHA256Digest(of: bytes.span))
                return true
            }
            guard let whole, whole.span.hasSameBytes(as: document.span) else { return nil }
            return nested
        } catch {
            return nil
        }
    }
}
