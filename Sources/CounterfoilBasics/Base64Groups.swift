/// The whole groups of base 64 text, four letters to three bytes, by tables.
///
/// Receipts are tens of kilobytes of base 64 in each direction, so these two loops go without a
/// bounds check a letter; what they rely on is checked before them.
struct Base64Groups {
    /// Two letters for each twelve bits, the first in the low byte.
    private let pairs: [UInt16]

    /// For each place in a group and each byte: the letter's six bits where they belong among the
    /// 24, or ``noLetter``.
    private let bits: [UInt32]

    private static let noLetter: UInt32 = 1 << 31

    /// Prepares the tables of an alphabet of 64 letters.
    init(letters: [UInt8]) {
        precondition(letters.count == 64, "base 64 has 64 letters")
        pairs = (0..<4096).map { twelve in
            UInt16(letters[twelve >> 6]) | UInt16(letters[twelve & 63]) << 8
        }
        var bits = [UInt32](repeating: Self.noLetter, count: 4 * 256)
        for place in 0..<4 {
            for (value, letter) in letters.enumerated() {
                bits[place * 256 + Int(letter)] = UInt32(value) << (18 - 6 * place)
            }
        }
        self.bits = bits
    }

    /// Appends the letters of the first `count` groups of three bytes, for which there must be room.
    func encode(_ bytes: Span<UInt8>, groups count: Int, to text: inout OutputSpan<UInt8>) {
        precondition(count >= 0 && count * 3 <= bytes.count, "there are not as many groups")
        precondition(count * 4 <= text.freeCapacity, "there is no room for the letters")
        text.withUnsafeMutableBufferPointer { target, written in
            bytes.withUnsafeBytes { source in
                pairs.withUnsafeBufferPointer { pairs in
                    let room = UnsafeMutableRawBufferPointer(target)
                    var group = 0
                    // Two groups at a time, while the eight bytes that are loaded for them exist.
                    while group + 2 <= count, group * 3 + 8 <= source.count {
                        let all = UInt64(
                            bigEndian: source.loadUnaligned(
                                fromByteOffset: group * 3,
                                as: UInt64.self
                            )
                        )
                        let letters =
                            UInt64(pairs[Int(all >> 52)])
                            | UInt64(pairs[Int(all >> 40 & 0xFFF)]) << 16
                            | UInt64(pairs[Int(all >> 28 & 0xFFF)]) << 32
                            | UInt64(pairs[Int(all >> 16 & 0xFFF)]) << 48
                        room.storeBytes(
                            of: letters.littleEndian,
                            toByteOffset: written,
                            as: UInt64.self
                        )
                        written += 8
                        group += 2
                    }
                    while group < count {
                        let all =
                            Int(source[group * 3]) << 16 | Int(source[group * 3 + 1]) << 8
                            | Int(source[group * 3 + 2])
                        let letters =
                            UInt32(pairs[all >> 12]) | UInt32(pairs[all & 0xFFF]) << 16
                        room.storeBytes(
                            of: letters.littleEndian,
                            toByteOffset: written,
                            as: UInt32.self
                        )
                        written += 4
                        group += 1
                    }
                }
            }
        }
    }

    /// Appends the bytes of the first `count` groups of four letters, up to the first group with a
    /// byte that is no letter.
    ///
    /// - Returns: how many groups went.
    func decode(_ text: Span<UInt8>, groups count: Int, to bytes: inout [UInt8]) -> Int {
        precondition(count >= 0 && count * 4 <= text.count, "there are not as many groups")
        var group = 0
        // Five bytes more, because two groups are stored as one word of eight bytes.
        bytes.append(addingCapacity: count * 3 + 5) { output in
            output.withUnsafeMutableBufferPointer { target, written in
                let room = UnsafeMutableRawBufferPointer(target)
                text.withUnsafeBytes { source in
                    bits.withUnsafeBufferPointer { bits in
                        while group + 2 <= count {
                            let first = Self.bits(of: source, at: group * 4, bits)
                            let second = Self.bits(of: source, at: group * 4 + 4, bits)
                            guard (first | second) & Self.noLetter == 0 else { break }
                            let both = UInt64(first) << 40 | UInt64(second) << 16
                            room.storeBytes(
                                of: both.bigEndian,
                                toByteOffset: written,
                                as: UInt64.self
                            )
                            written += 6
                            group += 2
                        }
                        while group < count {
                            let all = Self.bits(of: source, at: group * 4, bits)
                            guard all & Self.noLetter == 0 else { break }
                            room[written] = UInt8(truncatingIfNeeded: all >> 16)
                            room[written + 1] = UInt8(truncatingIfNeeded: all >> 8)
                            room[written + 2] = UInt8(truncatingIfNeeded: all)
                            written += 3
                            group += 1
                        }
                    }
                }
            }
        }
        return group
    }

    /// The 24 bits of a group of four letters, or ``noLetter`` among them.
    private static func bits(
        of source: UnsafeRawBufferPointer,
        at offset: Int,
        _ bits: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        bits[Int(source[offset])] | bits[256 + Int(source[offset + 1])]
            | bits[512 + Int(source[offset + 2])] | bits[768 + Int(source[offset + 3])]
    }
}
