import CCounterfoilOpenSSL
import Synchronization

/// The OpenSSL contexts that one public key verifies with, kept ready for the next use.
///
/// Making a context ready costs 2 to 5 µs, beside the 21 µs of verifying RSA-2048; OpenSSL allows
/// one to be used again for the same operation, but not by two threads at once. So a verification
/// takes one out, or makes one when all are in use, and puts it back afterwards.
final class VerificationContexts: Sendable {
    private let idle = Mutex<[[Context]]>(
        Array(repeating: [], count: DigestAlgorithm.allCases.count)
    )

    /// How many idle contexts are kept for each digest; more threads than that rarely verify.
    private static let mostIdle = 64

    /// A context that is ready to verify digests of an algorithm, now the caller's alone; nil when
    /// none is idle.
    func take(for digest: DigestAlgorithm) -> Context? {
        idle.withLock { $0[Int(digest.rawValue)].popLast() }
    }

    /// Takes a context back for the next verification.
    func giveBack(_ context: Context, for digest: DigestAlgorithm) {
        idle.withLock { idle in
            guard idle[Int(digest.rawValue)].count < Self.mostIdle else { return }
            idle[Int(digest.rawValue)].append(context)
        }
    }

    /// A context that has been made ready to verify.
    // Handed from thread to thread under the lock, and held by one at a time.
    final class Context: @unchecked Sendable {
        private let context: KeyContext

        /// Makes a context ready for a key; nil when OpenSSL refuses.
        init?(_ key: borrowing KeyHandle, isRSA: Bool, digest: DigestAlgorithm) {
            guard let context = KeyContext(key),
                unsafe EVP_PKEY_verify_init(context.pointer) == 1,
                context.configure(isRSA: isRSA, digest: digest)
            else { return nil }
            self.context = context
        }

        /// Whether the signature is one over the digest.
        func verifies(_ signature: Span<UInt8>, of digest: Span<UInt8>) -> Bool {
            unsafe signature.withUnsafeBufferPointer { signature in
                unsafe digest.withUnsafeBufferPointer { digest in
                    unsafe EVP_PKEY_verify(
                        context.pointer,
                        signature.baseAddress,
                        signature.count,
                        digest.baseAddress,
                        digest.count
                    ) == 1
                }
            }
        }
    }
}
