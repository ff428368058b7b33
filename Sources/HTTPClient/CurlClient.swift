import CounterfoilBasics
package import HTTP
import Synchronization

/// A client of HTTP/1.1 over TCP and TLS, on libcurl.
///
/// One thread of its own drives all requests, so that waiting for other servers occupies no thread
/// on which tasks run. Names are looked up on threads of the library. No redirect is followed and
/// no content is decompressed.
package final class CurlClient: HTTPCalling {
    private let engine: CurlEngine

    /// Starts a client.
    ///
    /// - Throws: `call.failed` when the system refuses a thread or the library a handle.
    package init(_ settings: HTTPClientSettings = HTTPClientSettings()) throws(HTTPCallError) {
        engine = try CurlEngine(settings)
        try engine.start()
    }

    /// A client that nobody holds any more stops at once.
    deinit { engine.stop(waiter: nil) }

    package func call(_ call: HTTPCall) async throws(HTTPCallError) -> HTTPResponse {
        let ticket = Ticket()
        let engine = engine
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.submit(Order(call: call, ticket: ticket, continuation: continuation))
            }
        } onCancel: {
            ticket.cancel()
            engine.wake()
        }
        return try result.get()
    }

    /// Gives up what is on its way and returns when nothing is left.
    package func stop() async {
        await withCheckedContinuation { waiter in engine.stop(waiter: waiter) }
    }
}

/// What a caller and its request have in common: whether somebody still waits.
final class Ticket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// A request that waits for its turn.
struct Order: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPCallError>

    let call: HTTPCall
    let ticket: Ticket
    let continuation: CheckedContinuation<Outcome, Never>
    let stopwatch = Stopwatch()

    func finish(_ outcome: Outcome) { continuation.resume(returning: outcome) }

    /// Says why there is no answer; the host is all that is shown of the address.
    func fail(_ code: ErrorCode, _ reason: String) {
        finish(.failure(HTTPCallError(code, "\(call.url.authority): \(reason)")))
    }

    func failCancelled() { fail(HTTPCallError.cancelled, "the caller no longer waits") }
}
