/// An absolute address of HTTP (RFC 9110 §4.2): scheme, host, port, and what is asked for there.
///
/// There is nobody's name or password in one, and no fragment.
package struct HTTPURL: Hashable, Sendable {
    /// How the host is spoken to.
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https
    }

    /// How the host is spoken to.
    package let scheme: Scheme

    /// The host in lower case: a name, or an address without brackets.
    package let host: String

    /// The port, where one is stated.
    package let port: UInt16?

    /// Path and query as they are sent; begins with `/`.
    package let target: String

    /// The longest that is read.
    package static let longest = 2048

    /// Reads an address.
    ///
    /// - Throws: `call.address_invalid` for anything but `http://…` or `https://…` in printable
    ///   ASCII, with a user, with a fragment, or too long.
    package init(_ text: some StringProtocol) throws(HTTPCallError) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            !text.utf8.contains(where: { $0 == 0x23 || $0 == 0x22 || $0 == 0x5C }),
            let colon = text.utf8.firstIndex(of: 0x3A),
            let scheme = Scheme(rawValue: String(text[..<colon]).lowercasedASCII),
            text[colon...].hasPrefix("://")
        else { throw .invalid(text) }
        let rest = text[text.utf8.index(colon, offsetBy: 3)...]
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        guard let authority = Self.authority(rest[..<end]) else { throw .invalid(text) }
        self.scheme = scheme
        (host, port) = authority
        let target = rest[end...]
        self.target = target.utf8.first == 0x2F ? String(target) : "/" + target
    }

    /// Makes an address of TLS that is known to be one.
    package init(https host: StaticString, _ target: StaticString) {
        scheme = .https
        self.host = host.description
        port = nil
        self.target = target.description
    }

    private static func authority(
        _ text: some StringProtocol
    ) -> (host: String, port: UInt16?)? {
        let isBracketed = text.utf8.first == 0x5B
        let hostEnd =
            isBracketed
            ? text.utf8.firstIndex(of: 0x5D).map { text.utf8.index(after: $0) }
            : text.utf8.firstIndex(of: 0x3A) ?? text.endIndex
        guard let hostEnd else { return nil }
        let host = text[..<hostEnd].lowercased()
        let isHost =
            isBracketed
            ? host.utf8.contains(0x3A) && IPAddress(host.dropFirst().dropLast()) != nil
            : !host.isEmpty && host.utf8.allSatisfy(\.isHostByte)
        guard isHost, host.utf8.count <= 255 else { return nil }
        let name = isBracketed ? String(host.dropFirst().dropLast()) : host
        let rest = text[hostEnd...]
        guard !rest.isEmpty else { return (name, nil) }
        let digits = rest.dropFirst()
        guard rest.utf8.first == 0x3A, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (name, port)
    }

    /// The host, with its port where one is stated: what may be shown of an address, for paths and
    /// queries can hold secrets.
    package var authority: String {
        let name = host.utf8.contains(0x3A) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// The whole address.
    package var text: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

extension UInt8 {
    /// Whether the name of a host may hold this byte; low lines stand in some.
    fileprivate var isHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}

extension HTTPCallError {
    fileprivate static func invalid(_ text: some StringProtocol) -> HTTPCallError {
        HTTPCallError(
            addressInvalid,
            "found \(text.utf8.count) bytes that are no address like https://example.com/path"
        )
    }
}
