import CounterfoilBasics
import CounterfoilCryptography
import Synchronization

/// Chains that held, by the exact bytes that named them.
///
/// A remembered chain saves decoding certificates and judging them, not the check of its window,
/// which every use makes anew. Failures are never remembered. Apple signs with a handful of
/// certificates at a time, so a short list that is compared byte by byte beats hashing.
final class ChainMemory: Sendable {
    /// The bytes of a document that name its signer and bring its certificates along.
    struct Identity: Sendable {
        private let certificates: ArraySlice<UInt8>
        private let signerName: ArraySlice<UInt8>

        /// All certificates of a message, and which of them its signer names.
        init(_ message: CMSSignedData, _ signer: CMSSigner) {
            certificates = message.bytes[message.certificateBag]
            signerName = message.bytes[signer.identifierEncoding]
        }

        /// The encoded header of signed data, whose first certificate is the signer's.
        init(_ header: ArraySlice<UInt8>) {
            certificates = header
            signerName = []
        }

        /// The same in memory of its own, so that it does not keep the whole document.
        fileprivate var copy: Identity { Identity(copying: self) }

        private init(copying other: Identity) {
            certificates = Array(other.certificates)[...]
            signerName = Array(other.signerName)[...]
        }

        fileprivate func isSame(as other: Identity) -> Bool {
            certificates.span.hasSameBytes(as: other.certificates.span)
                && signerName.span.hasSameBytes(as: other.signerName.span)
        }
    }

    private struct Entry: Sendable {
        let identity: Identity
        let chain: SigningChain
    }

    private let capacity: Int
    private let entries = Mutex<[Entry]>([])

    init(capacity: Int) { self.capacity = capacity }

    /// How many chains are remembered.
    var count: Int { entries.withLock { $0.count } }

    /// The chain of a document's signer, if exactly these bytes have held before.
    func chain(of identity: Identity) -> SigningChain? {
        entries.withLock { $0 }.first { $0.identity.isSame(as: identity) }?.chain
    }

    /// Remembers a chain that held; the oldest one makes room.
    func remember(_ chain: SigningChain, of identity: Identity) {
        let entry = Entry(identity: identity.copy, chain: chain)
        entries.withLock { entries in
            // Two threads may have judged the same chain at once.
            entries.removeAll { $0.identity.isSame(as: entry.identity) }
            entries.insert(entry, at: 0)
            if entries.count > capacity { entries.removeLast() }
        }
    }
}
