import CounterfoilBasics

/// Ways to spoil bytes that every reader must survive.
package enum Spoiling {
    /// How many lengths to cut to and bits to flip in bytes of some length: all of them at full
    /// size, else a seeded sample.
    package static func sample(_ count: Int, atMost small: Int, seed: UInt64) -> [Int] {
        guard !Soak.isOn, count > small else { return Array(0..<count) }
        var random = SeededRandom(seed: seed)
        // The first bytes hold the structure, so all of them are taken.
        let dense = small / 4
        let rest = (0..<(small - dense)).map { _ in Int.random(in: dense..<count, using: &random) }
        return Array(0..<dense) + rest
    }

    /// The bytes with one bit turned over.
    package static func flip(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
