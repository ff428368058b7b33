/// A range of addresses in CIDR notation (RFC 4632, RFC 4291 §2.3): `10.0.0.0/8`, `::1`.
package struct IPNetwork: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64

    /// Reads an address, which is a range of one, or an address with the length of a prefix.
    ///
    /// Bits beyond the prefix must be zero: a range that is not what it seems is refused.
    package init?(_ text: String) {
        let sides = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(sides[0]) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if sides.count == 2 {
            let digits = sides[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
                let given = Int(sides[1]), given <= width
            else { return nil }
            length = given
        }
        // An IPv4 address fills the last 32 of the 128 bits.
        let bits = length + 128 - width
        highMask = bits >= 64 ? .max : ~(UInt64.max >> UInt64(bits))
        lowMask = bits <= 64 ? 0 : ~(UInt64.max >> UInt64(bits - 64))
        guard address.high & ~highMask == 0, address.low & ~lowMask == 0 else { return nil }
        high = address.high
        low = address.low
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.high & highMask == high && address.low & lowMask == low
    }

    /// This machine's own addresses.
    package static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }
}

/// Whose word about the client's address counts.
///
/// Behind a proxy every connection comes from the proxy, which names its client in a field. Anyone
/// can send such a field, so it counts only as far as trusted proxies have written it: from the
/// right, up to the first address that is not one of theirs.
package struct TrustedProxies: Sendable, Hashable {
    /// The one field in which the proxies name their clients.
    ///
    /// Only one counts: a proxy that appends to the one passes the other on as the client sent it.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case xForwardedFor = "X-Forwarded-For"
        /// RFC 7239.
        case forwarded = "Forwarded"
    }

    private let networks: [IPNetwork]
    private let field: Field

    /// The proxies in some ranges; none means that the peer itself is the client.
    package init(_ networks: [IPNetwork], field: Field = .xForwardedFor) {
        self.networks = networks
        self.field = field
    }

    /// Reads ranges such as `10.0.0.0/8` from a configuration.
    ///
    /// - Throws: `http.network_invalid`, which names the text.
    package init(
        parsing texts: [String],
        field: Field = .xForwardedFor
    ) throws(HTTPServingError) {
        var networks: [IPNetwork] = []
        for text in texts {
            guard let network = IPNetwork(text) else {
                throw HTTPServingError(
                    HTTPServingError.networkInvalid,
                    "\(text.prefix(100).debugDescription) is no range of addresses; "
                        + "expected one like 10.0.0.0/8, with no bits set beyond the prefix"
                )
            }
            networks.append(network)
        }
        self.init(networks, field: field)
    }

    /// The address of the client; the peer's own when it is no trusted proxy.
    ///
    /// A name that is no address ends the walk: the proxy that wrote it is the nearest address
    /// known.
    package func client(of sender: HTTPSender) -> IPAddress? {
        guard var client = sender.peer?.address, isTrusted(client) else {
            return sender.peer?.address
        }
        let name: HTTPFieldName = field == .forwarded ? .forwarded : .xForwardedFor
        let hops = sender.fields.values(of: name).joined(separator: ",").split(separator: ",")
        for hop in hops.reversed() {
            guard let address = address(in: hop) else { return client }
            client = address
            guard isTrusted(address) else { return address }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    private func address(in hop: Substring) -> IPAddress? {
        var node = Self.trimmed(hop)
        if field == .forwarded {
            let pairs = node.split(separator: ";").map(Self.trimmed)
            guard let pair = pairs.first(where: { $0.lowercased().hasPrefix("for=") }) else {
                return nil
            }
            node = Self.trimmed(pair.dropFirst(4))
            if node.first == "\"", node.last == "\"", node.count >= 2 {
                node = node.dropFirst().dropLast()
            }
        }
        // With a port: "192.0.2.1:80", "[2001:db8::1]:80", "[2001:db8::1]".
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            return IPAddress(node[node.index(after: node.startIndex)..<end])
        }
        if node.filter({ $0 == ":" }).count == 1, let colon = node.firstIndex(of: ":") {
            node = node[..<colon]
        }
        return IPAddress(node)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
