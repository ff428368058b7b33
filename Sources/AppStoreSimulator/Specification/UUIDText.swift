import CounterfoilBasics

/// The text of a UUID (RFC 9562 §4), in lower case.
enum UUIDText {
    /// The random UUID (§5.4) of sixteen random bytes.
    static func lowercase(_ random: [UInt8]) -> String {
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return text(of: bytes)
    }

    /// Sixteen bytes as they are.
    static func text(of bytes: [UInt8]) -> String {
        let digits = Array(Hexadecimal.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
    }
}
