/// Searches of a string's bytes, many at a time; on the way of every string that is read or written.
///
/// Eight bytes are looked at as one word. For bytes x below 0x80, x − n borrows into the eighth bit
/// exactly when x < n, and x XOR c is below 1 exactly when x is c. Bytes from 0x80 on are masked
/// out; a borrow from a neighbour is possible only behind a byte that was found, and so changes no
/// answer. (Swift's own SIMD types cost ten times as much here: their comparisons are calls.)
enum ByteSearch {
    /// Copies bytes up to the first that must be escaped in a JSON string (RFC 8259 §7).
    ///
    /// The answer is their number; the target must have room for all.
    static func copyPlain(
        _ source: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        var offset = 0
        while offset + 8 <= source.count {
            let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard escaped(in: word) & eighthBits == 0 else { break }
            unsafe target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        // The last eight bytes again as one word, rather than the last few one by one.
        if offset < source.count, source.count >= 8 {
            let last = source.count - 8
            let word = unsafe source.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            if last < offset, escaped(in: word) & eighthBits == 0 {
                unsafe target.storeBytes(of: word, toByteOffset: last, as: UInt64.self)
                return source.count
            }
        }
        while offset < source.count {
            let byte = unsafe source[offset]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                break
            }
            unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            offset += 1
        }
        return offset
    }

    /// The offset of the first backslash, or the number of bytes, and whether the bytes before it
    /// are all ASCII.
    static func firstBackslash(
        in bytes: UnsafeRawBufferPointer
    ) -> (offset: Int, isASCII: Bool) {
        var seen: UInt64 = 0
        var offset = 0
        // Without a branch in it, the compiler makes vector instructions of the inner loop.
        while offset + 64 <= bytes.count {
            var found: UInt64 = 0
            var seenHere: UInt64 = 0
            for position in stride(from: offset, to: offset + 64, by: 8) {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                found |= backslashes(in: word)
                seenHere |= word
            }
            guard found & eighthBits == 0 else { break }
            seen |= seenHere
            offset += 64
        }
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard backslashes(in: word) & eighthBits == 0 else { break }
            seen |= word
            offset += 8
        }
        if offset < bytes.count, bytes.count >= 8 {
            let last = bytes.count - 8
            let word = unsafe bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            if last < offset, backslashes(in: word) & eighthBits == 0 {
                return (bytes.count, (seen | word) & eighthBits == 0)
            }
        }
        while offset < bytes.count {
            let byte = unsafe bytes[offset]
            guard byte != UInt8(ascii: "\\") else { break }
            seen |= UInt64(byte)
            offset += 1
        }
        return (offset, seen & eighthBits == 0)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let eighthBits: UInt64 = 0x8080_8080_8080_8080

    /// A word whose eighth bits are all 0 unless a byte is below 0x20, a quotation mark or a
    /// backslash.
    private static func escaped(in word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let controls = (word &- ones &* 0x20) & ~word
        return controls | ((quotes &- ones) & ~quotes) | backslashes(in: word)
    }

    /// A word whose eighth bits are all 0 unless a byte is a backslash.
    private static func backslashes(in word: UInt64) -> UInt64 {
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (backslashes &- ones) & ~backslashes
    }
}
