import CounterfoilBasics
import CounterfoilCryptography
import Synchronization

/// Chains that held, by the exact bytes of their certificates and of the signer's name.
///
/// A remembered chain saves decoding certificates and judging them, not the check of its window,
/// which every use makes anew. Failures are never remembered. Apple signs with a handful of
/// certificates at a time, so a short list that is compared byte by byte beats hashing.
final class ChainMemory: Sendable {
    private struct Entry: Sendable {
        let certificates: ArraySlice<UInt8>
        let signerName: ArraySlice<UInt8>
        let chain: SigningChain
    }

    private let capacity: Int
    private let entries = Mutex<[Entry]>([])

    init(capacity: Int) { self.capacity = capacity }

    /// How many chains are remembered.
    var count: Int { entries.withLock { $0.count } }

    /// The chain of a message's signer, if exactly these bytes have held before.
    func chain(of message: CMSSignedData, _ signer: CMSSigner) -> SigningChain? {
        let certificates = message.bytes[message.certificateBag]
        let signerName = message.bytes[signer.identifierEncoding]
        return entries.withLock { $0 }.first { entry in
            entry.certificates.span.hasSameBytes(as: certificates.span)
                && entry.signerName.span.hasSameBytes(as: signerName.span)
        }?.chain
    }

    /// Remembers a chain that held; the oldest one makes room.
    func remember(_ chain: SigningChain, of message: CMSSignedData, _ signer: CMSSigner) {
        // Copies, so that a remembered chain does not keep the whole receipt.
        let entry = Entry(
            certificates: Array(message.bytes[message.certificateBag])[...],
            signerName: Array(message.bytes[signer.identifierEncoding])[...],
            chain: chain
        )
        entries.withLock { entries in
            // Two threads may have judged the same chain at once.
            entries.removeAll {
                $0.certificates.span.hasSameBytes(as: entry.certificates.span)
                    && $0.signerName.span.hasSameBytes(as: entry.signerName.span)
            }
            entries.insert(entry, at: 0)
            if entries.count > capacity { entries.removeLast() }
        }
    }
}
