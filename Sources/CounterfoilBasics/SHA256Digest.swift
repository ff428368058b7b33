/// A SHA-256 digest as a value (FIPS 180-4); CounterfoilCryptography computes it.
public struct SHA256Digest: Hashable, Comparable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Makes a digest from its 32 bytes; nil for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (offset, byte) in bytes.enumerated() {
            words[offset / 8] = words[offset / 8] << 8 | UInt64(byte)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// Makes a digest from a span of 32 bytes; nil for any other count.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<start + 8 { word = word << 8 | UInt64(bytes[index]) }
            return word
        }
        words = (word(0), word(8), word(16), word(24))
    }

    private init() { words = (0, 0, 0, 0) }

    /// 32 bytes of nothing, which is nobody's digest.
    package static let zero = SHA256Digest()

    /// The 32 bytes of the digest.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
            func put(_ word: UInt64) {
                for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
                    bytes[count] = UInt8(truncatingIfNeeded: word >> shift)
                    count += 1
                }
            }
            put(words.0)
            put(words.1)
            put(words.2)
            put(words.3)
        }
    }

    /// Two digests are equal when all 32 bytes are.
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        left.words == right.words
    }

    /// The order of the bytes.
    public static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
        left.words < right.words
    }

    /// Feeds the digest's words to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension SHA256Digest: CustomStringConvertible {
    /// The digest as 64 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.encode(bytes) }
}
