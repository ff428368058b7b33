package import CounterfoilBasics

/// What answers requests; it never throws, so that every request has an answer.
package typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse

/// An engine that brings requests to a handler and answers back.
///
/// A server starts once and stops once.
package protocol HTTPServing: Sendable {
    /// Begins to accept connections.
    ///
    /// - Returns: the address bound, with the port that the system chose where 0 was asked for.
    /// - Throws: `http.address_in_use`, `http.address_unavailable`, `http.not_startable` or
    ///   `http.engine_failed`.
    func start() async throws(HTTPServingError) -> SocketAddress

    /// Stops accepting, lets requests in flight finish for a while, cuts off the others, and
    /// returns when every connection is closed.
    func stop(grace: Duration) async
}

/// What happens to an engine besides answers of its handler; for counters and log lines.
///
/// Observers are called on the engine's own threads and must return at once.
package enum HTTPServerEvent: Sendable, Equatable {
    /// A request was refused before any handler saw it.
    case refused(HTTPRefusal, from: HTTPSender)

    /// A connection over the limits was closed without a word.
    case connectionDropped

    /// A deadline ended a connection: of the head, the body, the answer or the idle time.
    case deadlinePassed(Deadline)

    /// The client left while its handler was at work; the handler's task was cancelled.
    case clientLeft

    /// A producer failed or stalled, and the body it was writing was cut off.
    case streamCut

    /// Which deadline passed.
    package enum Deadline: String, Sendable, Hashable, CaseIterable {
        case idle, head, body, handler, write, chunk
    }
}

/// Why a server could not start.
package struct HTTPServingError: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String

    package init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension HTTPServingError {
    /// The text names no address to listen at.
    package static let addressInvalid: ErrorCode = "http.address_invalid"
    /// The text names no range of addresses.
    package static let networkInvalid: ErrorCode = "http.network_invalid"
    /// Another socket listens there.
    package static let addressInUse: ErrorCode = "http.address_in_use"
    /// This machine has no such address, or does not let us use it.
    package static let addressUnavailable: ErrorCode = "http.address_unavailable"
    /// The server has been started or stopped before.
    package static let notStartable: ErrorCode = "http.not_startable"
    /// The system or the library refused a socket, a thread or memory.
    package static let engineFailed: ErrorCode = "http.engine_failed"

    /// Every code that this layer throws.
    package static let allCodes: [ErrorCode] = [
        addressInvalid, networkInvalid, addressInUse, addressUnavailable, notStartable,
        engineFailed,
    ]
}
