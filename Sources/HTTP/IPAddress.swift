/// An IPv4 or IPv6 address as a value; an IPv4 address mapped into IPv6 equals the plain one.
package struct IPAddress: Hashable, Sendable {
    /// The 16 bytes of the IPv6 form (RFC 4291 §2.5.5.2 for IPv4), high half first.
    let high: UInt64
    let low: UInt64

    /// Makes an address from its 4 or 16 bytes in network order; nil for another count.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4:
            high = 0
            low = bytes.reduce(0xFFFF) { $0 << 8 | UInt64($1) }
        case 16:
            high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
        default: return nil
        }
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Whether this is an IPv4 address.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether only this machine can be at the other end: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
    }

    /// The 4 or 16 bytes in network order.
    package var bytes: [UInt8] {
        let all = [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
        return isIPv4 ? Array(all.suffix(4)) : all
    }

    /// Reads an address in dotted decimal or in the forms of RFC 4291 §2.2, without a zone.
    package init?(_ text: some StringProtocol) {
        guard (2...45).contains(text.utf8.count) else { return nil }
        if text.contains(":") {
            guard let groups = Self.ipv6Groups(text) else { return nil }
            self.init(
                high: groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) },
                low: groups.suffix(4).reduce(0) { $0 << 16 | UInt64($1) }
            )
        } else {
            guard let bytes = Self.ipv4Bytes(text) else { return nil }
            self.init(bytes: bytes)
        }
    }

    private static func ipv4Bytes(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            // A leading zero would be octal to some readers; it is refused.
            guard part.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), part == "0" || part.first != "0",
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func ipv6Groups(_ text: some StringProtocol) -> [UInt16]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var sides: [[UInt16]] = []
        for (index, half) in halves.enumerated() {
            guard let groups = groups(half, isLast: index == halves.count - 1) else { return nil }
            sides.append(groups)
        }
        let count = sides.reduce(0) { $0 + $1.count }
        guard sides.count == 2 else { return count == 8 ? sides[0] : nil }
        guard count <= 7 else { return nil }
        return sides[0] + [UInt16](repeating: 0, count: 8 - count) + sides[1]
    }

    /// The groups between colons; the last may be an IPv4 address that stands for two.
    private static func groups(_ text: some StringProtocol, isLast: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", maxSplits: 8, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.contains(".") {
                guard let bytes = ipv4Bytes(part) else { return nil }
                groups.append(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
                groups.append(UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
            } else {
                guard (1...4).contains(part.utf8.count), part.first != "+", part.first != "-",
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the canonical text of RFC 5952.
    package var description: String {
        let bytes = bytes
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        // The longest run of two or more zero groups, the first of equals, becomes "::".
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(1, best.count) { best = start..<end }
            start = max(end, start + 1)
        }
        func text(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !best.isEmpty else { return text(groups[...]) }
        return text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
    }
}

/// An address and a TCP port.
package struct SocketAddress: Hashable, Sendable {
    package var address: IPAddress
    package var port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// 127.0.0.1 with a port; 0 asks the system for a free one.
    package static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(IPAddress(high: 0, low: 0xFFFF_7F00_0001), port: port)
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080` (which is 127.0.0.1).
    package init(parsing text: String) throws(HTTPServingError) {
        let separator = text.lastIndex(of: ":") ?? text.startIndex
        let host = text[..<separator]
        let port = text[separator...].dropFirst()
        let isBracketed = host.first == "[" && host.last == "]" && host.count > 2
        let name = isBracketed ? host.dropFirst().dropLast() : host
        let address = name == "localhost" ? IPAddress("127.0.0.1") : IPAddress(name)
        guard let address, isBracketed == name.contains(":"),
            port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(port)
        else {
            throw HTTPServingError(
                HTTPServingError.addressInvalid,
                "\(text.prefix(100).debugDescription) is no address to listen at; "
                    + "expected one like 127.0.0.1:8080 or [::1]:8080"
            )
        }
        self.init(address, port: port)
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String {
        address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}
