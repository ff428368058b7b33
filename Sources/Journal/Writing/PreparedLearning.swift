import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import Ledger

/// A learning with all that can be computed before its turn comes: packed, its claims written out.
package struct PreparedLearning: Sendable {
    let learning: Learning
    /// The document that came in, and those inside it that cannot be read out of it.
    let packed: [DocumentPacking]
    /// What is said of each lineage, in the order of the lineages.
    let lineages: [Said]

    /// What is said of one lineage.
    struct Said: Sendable {
        let lineage: LineageID
        let key: RowKey
        let statements: [Statement]
        /// The claims of each statement, and their digests.
        let claims: [(digest: SHA256Digest, bytes: [UInt8])]
    }

    /// Prepares a learning.
    ///
    /// - Throws: `storage.too_large`.
    package init(_ learning: Learning) throws(StorageError) {
        self.learning = learning
        packed = try Self.packed(learning)
        lineages = Dictionary(grouping: learning.statements, by: \.lineage)
            .map { lineage, statements in Said(lineage, statements) }
            .sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    }

    private static func packed(_ learning: Learning) throws(StorageError) -> [DocumentPacking] {
        do throws(PackingError) {
            let whole = try DocumentPacking(learning.document.bytes)
            var packed = [whole]
            for document in learning.nested
            where !whole.nested.contains(document.evidence.digest) {
                packed.append(try DocumentPacking(document.bytes))
            }
            return packed
        } catch {
            throw StorageError(StorageError.tooLarge, error.reason)
        }
    }
}

extension PreparedLearning.Said {
    fileprivate init(_ lineage: LineageID, _ statements: [Statement]) {
        self.lineage = lineage
        key = .lineage(lineage)
        self.statements = statements
        claims = statements.map { statement in
            let bytes = statement.claims
            return (SHA256Digest(of: bytes.span), bytes)
        }
    }
}
