/// A request, complete: its body has arrived whole and within the limits.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod

    /// The path as sent, still percent-encoded; begins with `/`, except for `OPTIONS *`.
    package var path: String

    /// What followed the `?`, still percent-encoded; nil when there was none.
    package var query: String?

    package var fields: HTTPFields

    /// The content, with any chunked coding taken off.
    package var body: [UInt8]

    /// The peer of the connection: behind a proxy, the proxy (see ``TrustedProxies``).
    package var remoteAddress: SocketAddress?

    /// What the names of the route's pattern stand for, decoded; filled by ``Router``.
    package var pathParameters = PathParameters()

    /// Makes a request from a target in origin form, such as `/v1/events?after=12`.
    package init(
        _ method: HTTPMethod,
        _ target: String,
        fields: HTTPFields = [:],
        body: [UInt8] = [],
        from remoteAddress: SocketAddress? = nil
    ) {
        self.method = method
        (path, query) = Self.split(target)
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// Who sent it, as far as the connection and the fields say.
    package var sender: HTTPSender { HTTPSender(peer: remoteAddress, fields: fields) }

    /// The parameters of the query, decoded.
    package var queryParameters: QueryParameters { QueryParameters(query ?? "") }

    /// Path and query of a target (RFC 9112 §3.2).
    ///
    /// A server must take the absolute form too; its authority is dropped here, because the Host
    /// field has been demanded besides.
    private static func split(_ target: String) -> (path: String, query: String?) {
        var rest = Substring(target)
        if rest.utf8.first != UInt8(ascii: "/"), let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
            if rest.first != "/" { rest = "/" + rest }
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(rest), nil)
        }
        return (String(rest[..<mark]), String(rest[rest.utf8.index(after: mark)...]))
    }
}

/// What is known of who sent a request, also one of which no more than a part was read.
package struct HTTPSender: Sendable, Equatable {
    /// The peer of the connection: behind a proxy, the proxy.
    package let peer: SocketAddress?

    /// The fields of the head as far as they were read, in which a proxy may name its client (see
    /// ``TrustedProxies``).
    package let fields: HTTPFields

    package init(peer: SocketAddress?, fields: HTTPFields = [:]) {
        self.peer = peer
        self.fields = fields
    }
}

/// What the names of a route's pattern stood for in one request.
package struct PathParameters: Sendable, Hashable {
    private var names: [String] = []
    private var values: [String] = []

    package init() {}

    /// The decoded segments, in the order of a pattern that is still to name them.
    init(values: [String]) { self.values = values }

    /// Gives the value at an index its name.
    mutating func name(_ index: Int, _ name: String) {
        guard index == names.count, index < values.count else { return }
        names.append(name)
    }

    /// The decoded segment that a name of the pattern stands for; nil when it has no such name.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

/// The parameters of a query in `application/x-www-form-urlencoded`, decoded, in order.
package struct QueryParameters: Sendable, Hashable {
    /// Names and values as written; a parameter without `=` has an empty value.
    package let pairs: [Pair]

    /// Whether some part held an invalid percent escape or bytes that are not UTF-8; such a part
    /// is left out of ``pairs``.
    package let isMalformed: Bool

    /// A name and its value.
    package struct Pair: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Decodes a query, or a form's body; at most the first 256 parameters are read.
    package init(_ encoded: String) {
        var pairs: [Pair] = []
        var malformed = false
        let parts = encoded.split(separator: "&", maxSplits: 256, omittingEmptySubsequences: true)
        for part in parts.prefix(256) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(sides[0], plusIsSpace: true)
            let value = PercentEncoding.decode(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            if let name, let value {
                pairs.append(Pair(name: name, value: value))
            } else {
                malformed = true
            }
        }
        self.pairs = pairs
        isMalformed = malformed || parts.count > 256
    }

    /// The first value of a name, or nil.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of a name, in order.
    package func values(of name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }
}

/// Percent encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The text that encoded text stands for; nil when an escape is not `%` and two hexadecimal
    /// digits, or the bytes are not UTF-8, or there is a NUL among them.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 == 0x25 || $0 == 0x2B || $0 == 0 }) else {
            return String(text)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case 0x25:
                guard let high = iterator.next()?.hexadecimalValue,
                    let low = iterator.next()?.hexadecimalValue
                else { return nil }
                decoded.append(high << 4 | low)
            case 0x2B where plusIsSpace: decoded.append(0x20)
            default: decoded.append(byte)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Text made safe as one path segment or query value: all but the unreserved characters
    /// (RFC 3986 §2.3) are escaped.
    package static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.append(byte)
            default:
                encoded += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
