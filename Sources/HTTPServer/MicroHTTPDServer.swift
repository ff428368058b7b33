package import HTTP

/// An HTTP/1.1 server for one address, on libmicrohttpd.
///
/// One thread of the library reads and writes all connections. A request that has arrived whole
/// is given to the handler in a task of its own while its connection is suspended, and the
/// connection goes on when the answer is there. A second thread keeps the deadlines of
/// ``HTTPLimits``. TLS is left to a proxy in front.
package final class MicroHTTPDServer: HTTPServing {
    private let engine: Engine
    private let address: SocketAddress

    /// Makes a server that is still to be started.
    ///
    /// - Parameters:
    ///   - address: where to listen; port 0 asks the system for a free port.
    ///   - limits: the bounds kept for every connection.
    ///   - observer: called on the server's own threads with what no handler sees.
    ///   - handler: answers the requests.
    /// - Throws: `http.engine_failed` when the process has no descriptor left.
    package init(
        at address: SocketAddress,
        limits: HTTPLimits = .default,
        observer: (@Sendable (HTTPServerEvent) -> Void)? = nil,
        handler: @escaping HTTPHandler
    ) throws(HTTPServingError) {
        self.address = address
        engine = Engine(limits: limits, observer: observer, bell: try Bell(), handler: handler)
    }

    /// A server that nobody holds any more stops at once.
    deinit { engine.stop(grace: .zero, waiter: nil) }

    /// The number of open connections.
    package var connectionCount: Int { engine.connectionCount }

    package func start() async throws(HTTPServingError) -> SocketAddress {
        try engine.start(at: address)
    }

    package func stop(grace: Duration) async {
        await withCheckedContinuation { waiter in engine.stop(grace: grace, waiter: waiter) }
    }
}
