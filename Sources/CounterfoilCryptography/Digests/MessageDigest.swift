import CCounterfoilOpenSSL
package import CounterfoilBasics

/// The digest of some bytes under one of the ``DigestAlgorithm``s, held without an allocation.
package struct MessageDigest: Sendable {
    /// The function that made it.
    package let algorithm: DigestAlgorithm

    // The digest, and zeros behind it up to the longest one's length.
    private var storage: InlineArray<64, UInt8>

    /// Hashes bytes.
    package init(of bytes: Span<UInt8>, _ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        storage = InlineArray(repeating: 0)
        var count: UInt32 = 0
        var span = storage.mutableSpan
        let succeeded = unsafe span.withUnsafeMutableBufferPointer { digest in
            unsafe bytes.withUnsafeBufferPointer { message in
                // OpenSSL wants a place to read from even when there is nothing to read.
                let start = unsafe message.baseAddress ?? UnsafePointer(digest.baseAddress)
                return unsafe EVP_Digest(
                    start,
                    message.count,
                    digest.baseAddress,
                    &count,
                    algorithm.implementation,
                    nil
                )
            }
        }
        precondition(
            succeeded == 1 && Int(count) == algorithm.byteCount,
            "OpenSSL hashes any bytes"
        )
    }

    /// The bytes of the digest, as many as its algorithm makes.
    package var bytes: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }

    /// Hands the digest's bytes to a closure.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.span.extracting(first: algorithm.byteCount))
    }

    /// Whether these are the digest's bytes, compared in constant time.
    package func equals(_ other: Span<UInt8>) -> Bool {
        withBytes { constantTimeEqual($0, other) }
    }
}

extension MessageDigest: Hashable {
    package static func == (left: MessageDigest, right: MessageDigest) -> Bool {
        left.algorithm == right.algorithm && right.withBytes { left.equals($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        withBytes { for index in $0.indices { hasher.combine($0[index]) } }
    }
}

extension MessageDigest: CustomStringConvertible {
    package var description: String { Hexadecimal.encode(bytes) }
}

extension SHA256Digest {
    /// The SHA-256 digest of bytes.
    package init(of bytes: Span<UInt8>) {
        let digest = MessageDigest(of: bytes, .sha256)
        guard let value = digest.withBytes({ SHA256Digest($0) }) else {
            preconditionFailure("a SHA-256 digest has 32 bytes")
        }
        self = value
    }
}

/// Whether two runs of bytes are the same, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard !left.isEmpty else { return true }
    return unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
            unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}

/// Bytes that nobody can guess, from OpenSSL's generator.
package enum SecureRandom {
    /// That many random bytes, fit for keys, tokens and nonces.
    package static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a count is not negative")
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let succeeded = unsafe RAND_priv_bytes_ex(
                OpenSSL.context,
                buffer.baseAddress,
                count,
                256
            )
            // As with Swift's own generator, there is no going on without randomness.
            precondition(succeeded == 1, "OpenSSL seeds its generator from the system")
            filled = count
        }
    }
}
