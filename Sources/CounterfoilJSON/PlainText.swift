extension Span<UInt8> {
    /// Whether every byte is below 0x80.
    var isASCII: Bool {
        unsafe withUnsafeBytes { bytes in
            var offset = 0
            var all: UInt64 = 0
            while offset + 8 <= bytes.count {
                all |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            while offset < bytes.count {
                all |= unsafe UInt64(bytes[offset])
                offset += 1
            }
            return all & 0x8080_8080_8080_8080 == 0
        }
    }

    /// Whether these bytes are a string's.
    func isUTF8(of string: String) -> Bool {
        guard string.utf8.count == count else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe string.utf8.withContiguousStorageIfAvailable { other in
                unsafe areEqual(bytes, UnsafeRawBufferPointer(other))
            }
        } ?? false
    }
}

/// Whether two buffers of one length hold the same bytes.
private func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    var difference: UInt64 = 0
    var offset = 0
    while offset + 8 <= left.count {
        difference |=
            unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
    }
    while offset < left.count {
        difference |= unsafe UInt64(left[offset] ^ right[offset])
        offset += 1
    }
    return difference == 0
}

extension OutputSpan<UInt8> {
    /// Appends the bytes of a buffer, for which there must be room.
    mutating func append(copying source: UnsafeBufferPointer<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            precondition(source.count <= buffer.count - count, "no room for the bytes")
            guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
            unsafe (to + count).initialize(from: from, count: source.count)
            count += source.count
        }
    }

    /// Appends text up to the first byte that must be escaped in a JSON string (RFC 8259 §7), for
    /// which there must be room; the number of bytes that went.
    mutating func appendPlain(_ text: Span<UInt8>) -> Int {
        unsafe text.withUnsafeBytes { source in
            unsafe withUnsafeMutableBufferPointer { buffer, count in
                precondition(source.count <= buffer.count - count, "no room for the text")
                guard let target = buffer.baseAddress else { return 0 }
                let plain = unsafe ByteSearch.copyPlain(source, to: target + count)
                count += plain
                return plain
            }
        }
    }

    /// Appends the escape of a byte that needs one: the short ones where there are some, `\u00XX`
    /// for the other control characters; six bytes at most.
    mutating func appendEscape(of byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            let digit = byte & 15
            append(UInt8(ascii: "u"))
            append(UInt8(ascii: "0"))
            append(UInt8(ascii: "0"))
            append(UInt8(ascii: "0") + byte >> 4)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
