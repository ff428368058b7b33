/// A final status code (RFC 9110 §15), 200 to 599.
package struct HTTPStatus: Hashable, Sendable {
    /// The three digits.
    package let code: Int

    /// Takes a code that another party chose; nil outside 200 to 599.
    package init?(code: Int) {
        guard (200...599).contains(code) else { return nil }
        self.code = code
    }

    private init(known code: Int) { self.code = code }

    package static let ok = HTTPStatus(known: 200)
    package static let created = HTTPStatus(known: 201)
    package static let accepted = HTTPStatus(known: 202)
    package static let noContent = HTTPStatus(known: 204)
    package static let seeOther = HTTPStatus(known: 303)
    package static let notModified = HTTPStatus(known: 304)
    package static let badRequest = HTTPStatus(known: 400)
    package static let unauthorized = HTTPStatus(known: 401)
    package static let forbidden = HTTPStatus(known: 403)
    package static let notFound = HTTPStatus(known: 404)
    package static let methodNotAllowed = HTTPStatus(known: 405)
    package static let requestTimeout = HTTPStatus(known: 408)
    package static let conflict = HTTPStatus(known: 409)
    package static let preconditionFailed = HTTPStatus(known: 412)
    package static let contentTooLarge = HTTPStatus(known: 413)
    package static let uriTooLong = HTTPStatus(known: 414)
    package static let unsupportedMediaType = HTTPStatus(known: 415)
    package static let expectationFailed = HTTPStatus(known: 417)
    package static let unprocessableContent = HTTPStatus(known: 422)
    package static let tooManyRequests = HTTPStatus(known: 429)
    package static let requestHeaderFieldsTooLarge = HTTPStatus(known: 431)
    package static let internalServerError = HTTPStatus(known: 500)
    package static let notImplemented = HTTPStatus(known: 501)
    package static let badGateway = HTTPStatus(known: 502)
    package static let serviceUnavailable = HTTPStatus(known: 503)
    package static let gatewayTimeout = HTTPStatus(known: 504)

    /// Whether an answer of this status never has content (RFC 9110 §6.4.1).
    package var forbidsContent: Bool { code == 204 || code == 304 }
}

extension HTTPStatus: CustomStringConvertible {
    package var description: String { String(code) }
}
