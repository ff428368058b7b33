import Synchronization

/// What takes a request and brings its whole answer back.
///
/// It is a client of a running server, or a handler called in memory; a test written for it runs
/// both ways.
package protocol HTTPExchanging: Sendable {
    /// The answer, its body collected.
    func exchange(_ request: HTTPRequest) async throws -> HTTPExchange
}

/// A collected answer.
package struct HTTPExchange: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: HTTPStatus, fields: HTTPFields, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// Runs a handler in memory, under the same rules for bodies, lengths and answers as an engine.
package struct InMemoryServer: HTTPExchanging {
    private let handler: HTTPHandler
    private let limits: HTTPLimits

    package init(limits: HTTPLimits = .default, handler: @escaping HTTPHandler) {
        self.limits = limits
        self.handler = handler
    }

    /// Hands a request to the handler, unless an engine would refuse it.
    ///
    /// - Throws: what the producer of a streamed body threw, or ``StreamLengthMismatch``.
    package func exchange(_ request: HTTPRequest) async throws -> HTTPExchange {
        var request = request
        if request.fields.count(of: .host) == 0 { request.fields.append(.host, "localhost") }
        if request.fields.count(of: .contentLength) == 0, !request.body.isEmpty {
            request.fields.append(.contentLength, String(request.body.count))
        }
        let response: HTTPResponse
        do {
            _ = try RequestFraming(request.fields, isHTTP10: false, limits: limits)
            response = await handler(request)
        } catch {
            response = error.response
        }
        let isBare = request.method == .head || response.status.forbidsContent
        return HTTPExchange(
            status: response.status,
            fields: response.fields,
            body: isBare ? [] : try await Self.collect(response.body)
        )
    }

    /// A producer wrote more or fewer bytes than it had said.
    package struct StreamLengthMismatch: Error {}

    private static func collect(_ body: HTTPResponse.Body) async throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .stream(let stream):
            let sink = Sink()
            try await stream.produce(
                HTTPBodyWriter { chunk in sink.bytes.withLock { $0 += chunk } }
            )
            let bytes = sink.bytes.withLock { $0 }
            guard stream.length ?? bytes.count == bytes.count else { throw StreamLengthMismatch() }
            return bytes
        }
    }

    private final class Sink: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }
}
