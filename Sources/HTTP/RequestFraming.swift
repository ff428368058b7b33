/// How the end of a request's body is found (RFC 9112 §6).
///
/// What two readers of a connection could understand differently is refused, so that no request
/// can hide in the body of another ("request smuggling").
package enum RequestFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked

    /// Judges the fields of a head whose syntax has been checked.
    ///
    /// - Throws: the refusal to answer with; the connection must be closed after it.
    package init(
        _ fields: HTTPFields,
        isHTTP10: Bool,
        limits: HTTPLimits
    ) throws(HTTPRefusal) {
        try Self.checkHost(fields, isHTTP10: isHTTP10)
        if let expectation = fields[.expect], expectation.lowercasedASCII != "100-continue" {
            throw .expectationFailed
        }
        let codings = fields.values(of: .transferEncoding)
        let lengths = fields.values(of: .contentLength)
        if codings.isEmpty {
            self = try RequestFraming(contentLengths: lengths, limit: limits.bodyBytes)
            return
        }
        // RFC 9112 §6.1 calls a coding in HTTP/1.0, or beside a length, an attack until proven
        // otherwise.
        guard lengths.isEmpty, !isHTTP10 else { throw .lengthAmbiguous }
        guard codings.count == 1, codings[0].lowercasedASCII == "chunked" else {
            throw .transferCodingUnsupported
        }
        self = .chunked
    }

    /// Judges the values of Content-Length where there is no transfer coding.
    package init(contentLengths lengths: [String], limit: Int) throws(HTTPRefusal) {
        guard let text = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1, !text.utf8.contains(UInt8(ascii: ",")) else {
            throw .lengthAmbiguous
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw .lengthInvalid
        }
        // Digits that overflow are a number all the same, and too large for any limit.
        guard let length = Int(text), length <= limit else { throw .bodyTooLarge }
        self = length == 0 ? .none : .length(length)
    }

    /// RFC 9112 §3.2: exactly one Host in HTTP/1.1, and nothing in it that could be read as
    /// anything but a host and a port.
    private static func checkHost(_ fields: HTTPFields, isHTTP10: Bool) throws(HTTPRefusal) {
        let hosts = fields.values(of: .host)
        guard hosts.count == 1 || hosts.isEmpty && isHTTP10 else { throw .hostInvalid }
        for host in hosts {
            let isClean = host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F, 0x7E, 0x25: true
                default: false
                }
            }
            guard isClean else { throw .hostInvalid }
        }
    }
}
