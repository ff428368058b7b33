import Foundation
import HTTP
import HTTPServer
import HTTPTestSupport
import Synchronization
import Testing

/// What a server reported.
final class Events: Sendable {
    private let all = Mutex<[HTTPServerEvent]>([])

    func append(_ event: HTTPServerEvent) { all.withLock { $0.append(event) } }

    var list: [HTTPServerEvent] { all.withLock { $0 } }

    /// The refusals among them.
    var refusals: [HTTPRefusal] {
        list.compactMap { event in
            guard case .refused(let refusal, from: _) = event else { return nil }
            return refusal
        }
    }

    func contains(_ event: HTTPServerEvent) -> Bool { list.contains(event) }
}

/// Runs a test against a server on a free port of loopback, and stops the server after it.
func withServer(
    _ change: (inout HTTPLimits) -> Void = { _ in },
    events: Events = Events(),
    handler: @escaping HTTPHandler,
    _ test: (SocketAddress, MicroHTTPDServer) async throws -> Void
) async throws {
    var limits = HTTPLimits.default
    change(&limits)
    let server = try MicroHTTPDServer(
        at: .loopback(port: 0),
        limits: limits,
        observer: { events.append($0) },
        handler: handler
    )
    let address = try await server.start()
    do {
        try await test(address, server)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
    #expect(server.connectionCount == 0)
}

/// Waits until something holds, at most ten seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}

/// Answers with what arrived: method, path, query and body.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
    let line = "\(request.method) \(request.path) \(request.query ?? "-") \(request.body.count)\n"
    return .content(.ok, "text/plain", Array(line.utf8) + request.body)
}

/// Sends bytes on a connection of its own and reads until the server closes it.
func converse(_ address: SocketAddress, _ text: String) async throws -> String {
    try await blocking {
        let socket = try RawSocket(address)
        try socket.send(text)
        return String(decoding: try socket.readToEnd(), as: UTF8.self)
    }
}
