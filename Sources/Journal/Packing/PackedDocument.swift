package import CounterfoilBasics
import CounterfoilCryptography

/// A document as it is stored: without what other documents have too, and compressed.
///
/// The first byte is the version of the form, so that later versions read what earlier ones
/// stored. In version 1 follow the number of the table's entries, for each the number of its bytes
/// (0 for one that is shared), the bytes of all (the SHA-256 of shared ones), and a zstd frame of
/// the number of bytes of the steps, the steps and the text of a ``Recipe``.
///
/// What comes out is checked by its SHA-256, so damage is never taken for a document.
package struct PackedDocument: Sendable {
    /// The most bytes of a document; no door lets in that many.
    package static let mostBytes = 12 << 20

    /// What is stored.
    package let bytes: [UInt8]

    private let table: [Recipe.Entry]
    private let frame: ArraySlice<UInt8>

    private static let version: UInt8 = 1

    /// Reads what was stored, as far as its table.
    ///
    /// - Throws: `packing.damaged`, `packing.too_new`.
    package init(reading bytes: [UInt8]) throws(PackingError) {
        self.bytes = bytes
        guard let version = bytes.first, version > 0 else {
            throw .damaged("\(bytes.count) bytes that do not begin with a version")
        }
        guard version == Self.version else {
            throw PackingError(
                PackingError.tooNew,
                "found a document packed in version \(version), expected \(Self.version)"
            )
        }
        var rest = StoredBytes(bytes[...])
        _ = try rest.next(1)
        table = try Self.table(&rest)
        frame = rest.rest
    }

    init(_ recipe: Recipe) {
        table = recipe.table
        var bytes = [Self.version]
        VariableLength.append(UInt32(table.count), to: &bytes)
        for entry in table {
            VariableLength.append(UInt32(entry.dense?.count ?? 0), to: &bytes)
        }
        for entry in table { bytes += entry.bytes }
        var plain: [UInt8] = []
        VariableLength.append(UInt32(recipe.steps.count), to: &plain)
        let start = bytes.count
        bytes += Zstandard.compress(plain + recipe.steps + recipe.text)
        frame = bytes[start...]
        self.bytes = bytes
    }

    /// The digests of the bytes that this document shares with others.
    package var sharedDigests: [SHA256Digest] {
        table.compactMap { entry in
            if case .shared(let digest) = entry { digest } else { nil }
        }
    }

    /// The exact bytes of the document, or of one that is nested in it.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 of the bytes that are wanted.
    ///   - shared: The bytes of ``sharedDigests``.
    /// - Returns: Bytes of that digest.
    /// - Throws: ``PackingError``.
    package func document(
        _ digest: SHA256Digest,
        shared: [SHA256Digest: [UInt8]]
    ) throws(PackingError) -> [UInt8] {
        var found: [UInt8]?
        let whole = try unpack(shared) { nested in
            if SHA256Digest(of: nested.span) == digest { found = nested }
            return found == nil
        }
        if let found { return found }
        guard let whole, SHA256Digest(of: whole.span) == digest else {
            throw PackingError(
                PackingError.otherDigest,
                "no document with the digest \(digest) is in \(bytes.count) packed bytes"
            )
        }
        return whole
    }

    /// Puts the document together, and shows every one that is nested in it before it goes on.
    ///
    /// - Returns: The document; nil where a closure's answer ended it early.
    func unpack(
        _ shared: [SHA256Digest: [UInt8]],
        goesOnAfter visit: ([UInt8]) -> Bool
    ) throws(PackingError) -> [UInt8]? {
        let plain = try Zstandard.decompress(frame, most: Self.mostBytes + 1 << 16)
        var reader = try RecipeReader(plain, table: table, shared: shared)
        return try reader.assemble(goesOnAfter: visit)
    }

    private static func table(_ rest: inout StoredBytes) throws(PackingError) -> [Recipe.Entry] {
        let count = try rest.count()
        var lengths: [Int] = []
        for _ in 0..<count { lengths.append(try rest.count()) }
        var table: [Recipe.Entry] = []
        for length in lengths {
            if length > 0 {
                table.append(.dense(Array(try rest.next(length))))
            } else if let digest = SHA256Digest(try rest.next(32)) {
                table.append(.shared(digest))
            }
        }
        return table
    }
}

extension Recipe.Entry {
    /// The bytes themselves; nil where they are stored elsewhere.
    fileprivate var dense: [UInt8]? {
        if case .dense(let bytes) = self { bytes } else { nil }
    }

    fileprivate var bytes: [UInt8] {
        switch self {
        case .dense(let bytes): bytes
        case .shared(let digest): digest.bytes
        }
    }
}
