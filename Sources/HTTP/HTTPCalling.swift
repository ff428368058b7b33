package import CounterfoilBasics

/// A request to somebody else's server.
package struct HTTPCall: Sendable {
    package var method: HTTPMethod
    package var url: HTTPURL

    /// The fields to send; engines write `Host`, `Content-Length` and `Connection` themselves.
    package var fields: HTTPFields

    /// The content; nil sends none.
    package var body: [UInt8]?

    /// The time until the whole answer is there, in place of the engine's own.
    package var deadline: Duration?

    /// The most bytes of the answer's content, in place of the engine's own.
    package var responseBytes: Int?

    package init(
        _ method: HTTPMethod,
        _ url: HTTPURL,
        fields: HTTPFields = [:],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// An engine that asks other servers.
package protocol HTTPCalling: Sendable {
    /// Sends a request and waits for the whole answer, whatever its status.
    ///
    /// A task that is cancelled has its request given up.
    ///
    /// - Throws: `call.…` when there is no answer. Whether the server has acted on the request
    ///   nobody knows then.
    func call(_ call: HTTPCall) async throws(HTTPCallError) -> HTTPResponse
}

/// Why there is no answer of another server.
package struct HTTPCallError: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String

    package init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension HTTPCallError {
    /// The text is no address of HTTP.
    package static let addressInvalid: ErrorCode = "call.address_invalid"
    /// The host's name leads to no address.
    package static let hostUnknown: ErrorCode = "call.host_unknown"
    /// The host's address is one that is not to be spoken to.
    package static let addressForbidden: ErrorCode = "call.address_forbidden"
    /// Nobody listens at the host's address, or there is no way to it.
    package static let unreachable: ErrorCode = "call.unreachable"
    /// There was no connection in time.
    package static let connectTimeout: ErrorCode = "call.connect_timeout"
    /// The answer was not complete in time.
    package static let timeout: ErrorCode = "call.timeout"
    /// The host could not show that it is the one asked for (TLS).
    package static let untrusted: ErrorCode = "call.untrusted"
    /// The answer is larger than is taken.
    package static let tooLarge: ErrorCode = "call.too_large"
    /// The answer is no HTTP.
    package static let malformed: ErrorCode = "call.malformed"
    /// The connection ended before the answer did.
    package static let cut: ErrorCode = "call.cut"
    /// The caller no longer waits.
    package static let cancelled: ErrorCode = "call.cancelled"
    /// The client is stopping.
    package static let stopped: ErrorCode = "call.stopped"
    /// More requests wait than may.
    package static let tooMany: ErrorCode = "call.too_many"
    /// The system or the library refused something that the request needs.
    package static let failed: ErrorCode = "call.failed"

    /// Every code that this layer throws.
    package static let allCodes: [ErrorCode] = [
        addressInvalid, hostUnknown, addressForbidden, unreachable, connectTimeout, timeout,
        untrusted, tooLarge, malformed, cut, cancelled, stopped, tooMany, failed,
    ]
}
