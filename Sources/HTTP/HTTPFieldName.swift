/// The name of a header field (RFC 9110 §5.1): a token, the same in any case.
package struct HTTPFieldName: Sendable {
    /// The name as it is written into a message.
    package let spelling: String

    /// Takes a name that is not known beforehand; nil when it is no token.
    package init?(_ name: String) {
        guard !name.isEmpty, name.utf8.count <= 256, name.utf8.allSatisfy(\.isHTTPTokenByte) else {
            return nil
        }
        spelling = name
    }

    private init(known name: String) { spelling = name }

    package static let accept = HTTPFieldName(known: "Accept")
    package static let allow = HTTPFieldName(known: "Allow")
    package static let authorization = HTTPFieldName(known: "Authorization")
    package static let cacheControl = HTTPFieldName(known: "Cache-Control")
    package static let connection = HTTPFieldName(known: "Connection")
    package static let contentDisposition = HTTPFieldName(known: "Content-Disposition")
    package static let contentLength = HTTPFieldName(known: "Content-Length")
    package static let contentSecurityPolicy = HTTPFieldName(known: "Content-Security-Policy")
    package static let contentType = HTTPFieldName(known: "Content-Type")
    package static let cookie = HTTPFieldName(known: "Cookie")
    package static let date = HTTPFieldName(known: "Date")
    package static let eTag = HTTPFieldName(known: "ETag")
    package static let expect = HTTPFieldName(known: "Expect")
    package static let forwarded = HTTPFieldName(known: "Forwarded")
    package static let host = HTTPFieldName(known: "Host")
    package static let idempotencyKey = HTTPFieldName(known: "Idempotency-Key")
    package static let ifNoneMatch = HTTPFieldName(known: "If-None-Match")
    package static let link = HTTPFieldName(known: "Link")
    package static let location = HTTPFieldName(known: "Location")
    package static let origin = HTTPFieldName(known: "Origin")
    package static let retryAfter = HTTPFieldName(known: "Retry-After")
    package static let setCookie = HTTPFieldName(known: "Set-Cookie")
    package static let transferEncoding = HTTPFieldName(known: "Transfer-Encoding")
    package static let userAgent = HTTPFieldName(known: "User-Agent")
    package static let vary = HTTPFieldName(known: "Vary")
    package static let wwwAuthenticate = HTTPFieldName(known: "WWW-Authenticate")
    package static let xForwardedFor = HTTPFieldName(known: "X-Forwarded-For")
}

extension HTTPFieldName: Hashable {
    package static func == (left: HTTPFieldName, right: HTTPFieldName) -> Bool {
        left.spelling.utf8.count == right.spelling.utf8.count
            && zip(left.spelling.utf8, right.spelling.utf8)
                .allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 { hasher.combine(byte.lowercasedASCII) }
    }
}

extension UInt8 {
    /// Whether a token may hold this byte (RFC 9110 §5.6.2, tchar).
    package var isHTTPTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        case 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether a field value may hold this byte (RFC 9110 §5.5): no control but the tab.
    package var isHTTPFieldValueByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// The byte with A to Z made a to z.
    package var lowercasedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
