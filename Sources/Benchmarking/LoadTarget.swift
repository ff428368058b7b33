#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where load is sent: `http://HOST[:PORT][/PATH]`.
package struct LoadTarget: Sendable, Hashable {
    /// The host's name or address, without brackets.
    package let host: String
    /// The port.
    package let port: UInt16
    /// The path, which begins with a slash.
    package let path: String

    /// Reads an address; nil for one of another form, `https` included.
    package init?(_ url: String) {
        let scheme = "http://"
        guard url.hasPrefix(scheme), url.allSatisfy({ $0.isASCII && $0 > " " }) else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        self.path = path.isEmpty ? MeasuredServer.path : String(path)
        let isLiteral = authority.hasPrefix("[")
        guard !isLiteral || authority.contains("]") else { return nil }
        let host =
            isLiteral
            ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count + (isLiteral ? 2 : 0))
        guard !host.isEmpty, !host.contains("@"), port.isEmpty || port.hasPrefix(":"),
            let number = port.isEmpty ? 80 : UInt16(port.dropFirst()), number > 0
        else { return nil }
        self.host = String(host)
        self.port = number
    }

    /// The head of a request with a body of so many bytes.
    func head(bodyBytes: Int) -> [UInt8] {
        let name = host.contains(":") ? "[\(host)]" : host
        return Array(
            ("POST \(path) HTTP/1.1\r\nHost: \(name):\(port)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(bodyBytes)\r\n\r\n").utf8
        )
    }

    /// A socket that is connected there.
    ///
    /// - Throws: `LoadError` when nobody listens there.
    func connect() throws(LoadError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw LoadError("\(host) is not known")
        }
        defer { freeaddrinfo(list) }
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            let number = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
            guard number >= 0 else { continue }
            if Self.connect(number, info) { return number }
            close(number)
        }
        throw LoadError("nobody listens at \(host):\(port)")
    }

    private static func connect(_ number: Int32, _ info: addrinfo) -> Bool {
        guard Glibc.connect(number, info.ai_addr, info.ai_addrlen) == 0,
            fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0
        else { return false }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        // A request is written whole, and waits for no other.
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        return setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size) == 0
    }
}

/// Why load cannot be sent.
package struct LoadError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
