/// A request method (RFC 9110 §9): a case-sensitive token, known or not.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as sent.
    package let rawValue: String

    /// Takes a method as it was sent; engines let only tokens through.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
}

extension HTTPMethod: CustomStringConvertible {
    package var description: String { rawValue }
}
