import CounterfoilBasics
package import HTTP
import HTTPServer
import PurchaseServer
import PurchaseService
package import Telemetry

/// A server in this process to be measured: the real one, or one of the same engine whose handler
/// does nothing but return as many bytes.
package struct MeasuredServer: Sendable {
    /// Which of the two.
    package enum Kind: String, Sendable {
        case verifyReceipt = "verify-receipt"
        case empty
    }

    /// The path that is asked.
    package static let path = "/sandbox/verifyReceipt"

    /// The bytes of an answer.
    package let answerBytes: Int
    /// What answers; to be called without a socket.
    package let handler: HTTPHandler
    private let engine: MicroHTTPDServer

    /// Makes a server that believes the authority of some receipts.
    ///
    /// - Parameters:
    ///   - kind: the real one, or the empty one.
    ///   - anchors: the authority's root, in PEM.
    ///   - sample: a request, whose answer the empty server gives to all.
    ///   - log: where log lines go.
    /// - Throws: `ConfigurationError`, `HTTPServingError`.
    package init(
        _ kind: Kind,
        anchors: [UInt8],
        sample: [UInt8],
        log: any LogSink
    ) async throws {
        let configuration = try Configuration(
            parsing: Array(
                """
                {"listen": "127.0.0.1:0", "apps": [{"bundleId": "\(SampleReceipts.bundleId)",
                 "realm": "rehearsal", "anchors": ["root.pem"]}]}
                """.utf8
            ),
            folder: ""
        )
        let server = try Server(configuration, reading: { _ in anchors }, log: log)
        let answer = await server.handler(HTTPRequest(.post, Self.path, body: sample))
        guard case .bytes(let body) = answer.body, LoadAnswer.isAccepted(body[...]) else {
            preconditionFailure("the server does not verify its own receipts")
        }
        answerBytes = body.count
        let fields = answer.fields
        let empty: HTTPHandler = { _ in HTTPResponse(.ok, fields: fields, body: body) }
        handler = kind == .empty ? empty : server.handler
        engine = try MicroHTTPDServer(at: SocketAddress.loopback(port: 0), handler: handler)
    }

    /// Begins to serve at any free port of this machine alone.
    ///
    /// - Returns: where.
    package func start() async throws -> SocketAddress {
        // As `counterfoil serve` does.
        ProcessMemory.keepFreed()
        return try await engine.start()
    }

    /// Ends serving.
    package func stop() async { await engine.stop(grace: .seconds(5)) }
}
