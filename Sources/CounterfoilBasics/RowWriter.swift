/// Writes values one after another, as few bytes as they need: what rows of a storage hold.
///
/// The same values have the same bytes. Numbers are variable-length (LEB128, signed ones in
/// zigzag), texts and bytes follow their length.
package struct RowWriter {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(256) }

    package mutating func write(byte: UInt8) { bytes.append(byte) }

    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Writes a count or another number that is not negative.
    package mutating func write(count: Int) { write(unsigned: UInt64(count)) }

    package mutating func write(unsigned number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func write(_ number: Int64) {
        write(unsigned: UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    package mutating func write(_ instant: Instant) { write(instant.millisecondsSince1970) }

    package mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func write(_ some: [UInt8]) {
        write(count: some.count)
        bytes.append(contentsOf: some)
    }

    package mutating func write(_ digest: SHA256Digest) { bytes.append(contentsOf: digest.bytes) }

    /// Writes whether there is a value, and the value.
    package mutating func write<Value>(
        optional value: Value?,
        _ write: (inout RowWriter, Value) -> Void
    ) {
        self.write(value != nil)
        if let value { write(&self, value) }
    }
}

/// Reads what a ``RowWriter`` wrote.
///
/// Bytes that it did not write never trap: from the first wrong one on every value read is zero or
/// empty, and ``isSound`` is false, which whoever reads asks once, at the end.
package struct RowReader {
    private let bytes: [UInt8]
    private var next = 0
    private var failed = false

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether everything that was read was there.
    package var isSound: Bool { !failed }
    /// Whether everything was there, and nothing is left.
    package var isComplete: Bool { !failed && next == bytes.count }
    /// How many bytes are left, and so how many values at most.
    package var rest: Int { failed ? 0 : bytes.count - next }

    package mutating func byte() -> UInt8 {
        guard next < bytes.count, !failed else {
            failed = true
            return 0
        }
        defer { next += 1 }
        return bytes[next]
    }

    package mutating func flag() -> Bool {
        let byte = byte()
        if byte > 1 { failed = true }
        return byte == 1
    }

    /// A count of things of which each takes a byte or more.
    package mutating func count() -> Int {
        let count = unsigned()
        guard count <= UInt64(rest) else {
            failed = true
            return 0
        }
        return Int(count)
    }

    package mutating func unsigned() -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
            let byte = byte()
            number |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else {
                // The tenth byte has room for one bit; a last byte of nothing is not the shortest.
                if shift == 63 && byte > 1 || shift > 0 && byte == 0 { failed = true }
                return failed ? 0 : number
            }
        }
        failed = true
        return 0
    }

    package mutating func number() -> Int64 {
        let number = unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    package mutating func instant() -> Instant { Instant(millisecondsSince1970: number()) }

    package mutating func text() -> String {
        let range = range(count())
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            failed = true
            return ""
        }
        return text
    }

    package mutating func someBytes() -> [UInt8] { Array(bytes[range(count())]) }

    package mutating func digest() -> SHA256Digest {
        guard let digest = SHA256Digest(bytes[range(32)]) else {
            failed = true
            return SHA256Digest.zero
        }
        return digest
    }

    /// Reads whether there is a value, and the value.
    package mutating func optional<Value>(_ read: (inout RowReader) -> Value) -> Value? {
        flag() ? read(&self) : nil
    }

    /// Notes that what was read means nothing.
    package mutating func refuse() { failed = true }

    private mutating func range(_ count: Int) -> Range<Int> {
        guard count <= rest else {
            failed = true
            return 0..<0
        }
        defer { next += count }
        return next..<next + count
    }
}
