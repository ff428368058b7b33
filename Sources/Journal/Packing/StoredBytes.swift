/// Numbers in as few bytes as they need: seven bits in each, the lowest first, the eighth set where
/// more follow.
enum VariableLength {
    static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads what was stored from the front, within its bounds.
struct StoredBytes {
    /// What is left.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next number.
    mutating func number() throws(PackingError) -> UInt32 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = rest.popFirst() else { throw Self.ended }
            number |= UInt64(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else {
                if let number = UInt32(exactly: number) { return number }
                break
            }
        }
        throw .damaged("a number of more than 32 bits")
    }

    /// The next number, as a count or an index.
    mutating func count() throws(PackingError) -> Int { Int(try number()) }

    /// The next so many bytes.
    mutating func next(_ count: Int) throws(PackingError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Self.ended }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static let ended = PackingError.damaged("the bytes end before what they announce")
}
