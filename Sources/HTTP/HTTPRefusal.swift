package import CounterfoilBasics

/// An answer that the engine or the router gives in place of a handler: status, code, sentence.
package struct HTTPRefusal: Error, Sendable, Hashable {
    package let status: HTTPStatus
    package let code: ErrorCode

    /// One sentence for the person who reads the answer; fixed text, nothing of the request.
    package let sentence: StaticString

    private init(_ status: HTTPStatus, _ code: ErrorCode, _ sentence: StaticString) {
        self.status = status
        self.code = code
        self.sentence = sentence
    }

    package static func == (left: HTTPRefusal, right: HTTPRefusal) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The refusal as a problem document (RFC 9457).
    package var response: HTTPResponse { response() }

    /// The refusal as a problem document, with an identifier that also stands in the log.
    package func response(correlation: CorrelationIdentifier? = nil) -> HTTPResponse {
        // Fixed ASCII without quotes or backslashes, and hexadecimal digits: nothing to escape.
        var body = "{\"title\":\"\(sentence)\",\"status\":\(status.code),\"code\":\"\(code)\""
        if let correlation { body += ",\"correlationId\":\"\(correlation)\"" }
        body += "}"
        var response = HTTPResponse.content(status, "application/problem+json", Array(body.utf8))
        if status == .serviceUnavailable {
            response.fields[.retryAfter] = String(Self.retrySeconds)
        }
        return response
    }

    /// How long a client should wait before it repeats what was answered 503, in seconds.
    private static let retrySeconds = 5

    package static let malformed = HTTPRefusal(
        .badRequest,
        Code.malformed,
        "The request is not well-formed HTTP."
    )
    package static let hostInvalid = HTTPRefusal(
        .badRequest,
        Code.hostInvalid,
        "A request carries exactly one valid Host field."
    )
    package static let lengthAmbiguous = HTTPRefusal(
        .badRequest,
        Code.lengthAmbiguous,
        "The length of the body is stated more than once."
    )
    package static let lengthInvalid = HTTPRefusal(
        .badRequest,
        Code.lengthInvalid,
        "Content-Length is not a decimal number."
    )
    package static let transferCodingUnsupported = HTTPRefusal(
        .notImplemented,
        Code.transferCodingUnsupported,
        "The only transfer coding understood is chunked."
    )
    package static let expectationFailed = HTTPRefusal(
        .expectationFailed,
        Code.expectationFailed,
        "The only expectation understood is 100-continue."
    )
    package static let bodyTooLarge = HTTPRefusal(
        .contentTooLarge,
        Code.bodyTooLarge,
        "The body is larger than this server takes."
    )
    package static let headTooLarge = HTTPRefusal(
        .requestHeaderFieldsTooLarge,
        Code.headTooLarge,
        "The header fields are larger than this server takes."
    )
    package static let requestTimeout = HTTPRefusal(
        .requestTimeout,
        Code.requestTimeout,
        "The request did not arrive in time."
    )
    package static let handlerTimeout = HTTPRefusal(
        .serviceUnavailable,
        Code.handlerTimeout,
        "The answer was not ready in time."
    )
    package static let tooManyConnections = HTTPRefusal(
        .serviceUnavailable,
        Code.tooManyConnections,
        "There are too many connections."
    )
    package static let stopping = HTTPRefusal(
        .serviceUnavailable,
        Code.stopping,
        "The server is stopping."
    )
    package static let overloaded = HTTPRefusal(
        .serviceUnavailable,
        Code.overloaded,
        "The server is at the limit of its work."
    )
    package static let notFound = HTTPRefusal(
        .notFound,
        Code.notFound,
        "There is nothing at this path."
    )
    package static let methodNotAllowed = HTTPRefusal(
        .methodNotAllowed,
        Code.methodNotAllowed,
        "This path does not take this method."
    )
    package static let internalError = HTTPRefusal(
        .internalServerError,
        Code.internalError,
        "The server met an error of its own."
    )

    /// Every refusal.
    package static let all: [HTTPRefusal] = [
        malformed, hostInvalid, lengthAmbiguous, lengthInvalid, transferCodingUnsupported,
        expectationFailed, bodyTooLarge, headTooLarge, requestTimeout, handlerTimeout,
        tooManyConnections, stopping, overloaded, notFound, methodNotAllowed, internalError,
    ]
}

/// An error that knows its HTTP answer; any other error of a handler becomes a bare 500.
package protocol HTTPErrorAnswer: Error {
    /// The answer, safe to show to the client.
    var httpAnswer: HTTPResponse { get }
}

extension HTTPRefusal: HTTPErrorAnswer {
    package var httpAnswer: HTTPResponse { response }
}

/// What joins an answer to its log line: 32 random hexadecimal digits.
package struct CorrelationIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Makes a new identifier.
    package init() {
        let number = UInt128.random(in: 0...UInt128.max)
        description = String(unsafeUninitializedCapacity: 32) { digits in
            for place in 0..<32 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt128(4 * (31 - place))) & 15
                digits[place] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
            }
            return 32
        }
    }
}

extension HTTPRefusal {
    /// The codes of refusals, each with what its answer says.
    private enum Code {
        /// The request is not well-formed HTTP.
        static let malformed: ErrorCode = "http.malformed"
        /// A request carries exactly one valid Host field.
        static let hostInvalid: ErrorCode = "http.host_invalid"
        /// The length of the body is stated more than once.
        static let lengthAmbiguous: ErrorCode = "http.length_ambiguous"
        /// Content-Length is not a decimal number.
        static let lengthInvalid: ErrorCode = "http.length_invalid"
        /// The only transfer coding understood is chunked.
        static let transferCodingUnsupported: ErrorCode = "http.transfer_coding_unsupported"
        /// The only expectation understood is 100-continue.
        static let expectationFailed: ErrorCode = "http.expectation_failed"
        /// The body is larger than this server takes.
        static let bodyTooLarge: ErrorCode = "http.body_too_large"
        /// The header fields are larger than this server takes.
        static let headTooLarge: ErrorCode = "http.head_too_large"
        /// The request did not arrive in time.
        static let requestTimeout: ErrorCode = "http.request_timeout"
        /// The answer was not ready in time.
        static let handlerTimeout: ErrorCode = "http.handler_timeout"
        /// There are too many connections.
        static let tooManyConnections: ErrorCode = "http.too_many_connections"
        /// The server is stopping.
        static let stopping: ErrorCode = "http.stopping"
        /// The server is at the limit of its work.
        static let overloaded: ErrorCode = "http.overloaded"
        /// There is nothing at this path.
        static let notFound: ErrorCode = "http.not_found"
        /// This path does not take this method.
        static let methodNotAllowed: ErrorCode = "http.method_not_allowed"
        /// The server met an error of its own.
        static let internalError: ErrorCode = "http.internal_error"
    }
}
