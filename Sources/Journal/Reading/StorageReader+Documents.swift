import CounterfoilBasics
import Ledger

extension StorageReader {
    /// What is kept of a document; nil where it was never learned from.
    func evidence(_ digest: SHA256Digest) throws(StorageError) -> KeptEvidence? {
        guard let row = try value(.evidence, digest.bytes) else { return nil }
        guard let kept = KeptEvidence(digest, row: row) else {
            throw .damagedRow(.evidence, of: digest.description)
        }
        return kept
    }

    /// The exact bytes of a document; nil where they are not kept.
    func document(_ evidence: Evidence) throws(StorageError) -> [UInt8]? {
        var row = try value(.evidenceBytes, evidence.digest.bytes)
        // What came inside another document is kept inside it.
        if row == nil, let envelope = evidence.envelope {
            row = try value(.evidenceBytes, envelope.bytes)
        }
        guard let row else { return nil }
        do throws(PackingError) {
            let packed = try PackedDocument(reading: row)
            var shared: [SHA256Digest: [UInt8]] = [:]
            for digest in packed.sharedDigests {
                shared[digest] = try sharedBytes(digest)
            }
            return try packed.document(evidence.digest, shared: shared)
        } catch {
            throw StorageError(
                StorageError.damaged,
                "the document \(evidence.digest) cannot be unpacked: \(error.reason)"
            )
        }
    }

    private func sharedBytes(_ digest: SHA256Digest) throws(PackingError) -> [UInt8]? {
        do throws(StorageError) {
            return try value(.sharedBytes, digest.bytes)
        } catch {
            throw PackingError(PackingError.missingShared, error.reason)
        }
    }
}
