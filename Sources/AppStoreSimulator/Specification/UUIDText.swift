import CounterfoilBasics

/// The text of a random UUID (RFC 9562 §5.4).
enum UUIDText {
    /// The UUID of sixteen random bytes, in lower case.
    static func lowercase(_ random: [UInt8]) -> String {
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hexadecimal.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
    }
}
