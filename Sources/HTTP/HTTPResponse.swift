/// An answer: a status, header fields, and a body that is there or still to come.
///
/// Engines write `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` themselves; of
/// these only `Connection: close` is heeded in ``fields``.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: Body

    /// The content of an answer.
    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(HTTPBodyStream)
    }

    /// Makes an answer with a body that is already there.
    package init(_ status: HTTPStatus, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = .bytes(body)
    }

    /// Makes an answer whose body is produced while it is sent.
    package init(_ status: HTTPStatus, fields: HTTPFields = [:], stream: HTTPBodyStream) {
        self.status = status
        self.fields = fields
        body = .stream(stream)
    }

    /// An answer in plain text (UTF-8).
    package static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status,
            fields: [.contentType: "text/plain; charset=utf-8"],
            body: Array(text.utf8)
        )
    }

    /// An answer of a content type.
    package static func content(
        _ status: HTTPStatus,
        _ type: String,
        _ body: [UInt8]
    ) -> HTTPResponse {
        HTTPResponse(status, fields: [.contentType: type], body: body)
    }
}

/// A body that is produced while it is sent, at the pace of the peer.
///
/// The producer runs once, in a task of its own that is cancelled when the peer leaves. When it
/// throws, or ends short of ``length``, the connection is closed without the end of the body, so
/// that the peer can tell.
package struct HTTPBodyStream: Sendable {
    /// The number of bytes, where it is known beforehand; nil sends chunks (RFC 9112 §7.1).
    package let length: Int?

    /// Writes the body, chunk by chunk.
    package let produce: @Sendable (HTTPBodyWriter) async throws -> Void

    package init(
        length: Int? = nil,
        _ produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) {
        self.length = length
        self.produce = produce
    }

    /// A body of the chunks of an asynchronous sequence.
    package init<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        _ chunks: Chunks
    ) where Chunks.Element == [UInt8] {
        self.init(length: length) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
    }
}

/// Where a producer puts the chunks of a body.
package struct HTTPBodyWriter: Sendable {
    private let put: @Sendable ([UInt8]) async throws -> Void

    /// Makes a writer for an engine.
    package init(_ put: @escaping @Sendable ([UInt8]) async throws -> Void) { self.put = put }

    /// Hands a chunk over, and waits while what was written before is still unsent beyond a small
    /// buffer; throws `CancellationError` when the peer is gone.
    package func write(_ chunk: [UInt8]) async throws {
        guard !chunk.isEmpty else { return }
        try await put(chunk)
    }
}
