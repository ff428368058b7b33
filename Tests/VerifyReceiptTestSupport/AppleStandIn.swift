package import CounterfoilJSON
package import HTTP
import HTTPServer
import Synchronization

/// A server in Apple's place, in this process: it answers verifyReceipt as it is told to, rightly or
/// not, and remembers what it was asked.
package final class AppleStandIn: Sendable {
    /// What comes back for a question.
    package indirect enum Reply: Sendable {
        /// 200 with a text.
        case text(String)
        /// 200 with bytes.
        case bytes([UInt8])
        /// Another HTTP status, with a page of HTML.
        case http(Int)
        /// 200 with a page of HTML, as proxies and maintenance answer.
        case html
        /// 200 with nothing.
        case empty
        /// The beginning of an answer, and then the end of the connection.
        case cut
        /// Another reply after a while.
        case after(Duration, Reply)
        /// Another reply when a door is open.
        case behind(Latch, Reply)

        /// A status alone.
        package static func status(_ number: Int) -> Reply { .text("{\"status\":\(number)}") }
    }

    /// A question that came.
    package struct Question: Sendable {
        package let path: String
        package let fields: HTTPFields
        package let body: JSONValue
    }

    /// Decides on a reply, from the path and how many questions came to it before.
    package typealias Script = @Sendable (_ path: String, _ number: Int) -> Reply

    /// The two addresses.
    package static let production = "/verifyReceipt"
    package static let sandbox = "/sandbox/verifyReceipt"

    private let script: Script
    private let asked = Mutex<[Question]>([])

    private init(_ script: @escaping Script) { self.script = script }

    /// Everything that was asked until now.
    package var questions: [Question] { asked.withLock { $0 } }

    /// The paths of these.
    package var paths: [String] { questions.map(\.path) }

    /// Runs a test beside a stand-in on a free port of loopback, and stops it after it.
    package static func with(
        _ script: @escaping Script,
        test: (AppleStandIn, _ address: String) async throws -> Void
    ) async throws {
        let standIn = AppleStandIn(script)
        let server = try MicroHTTPDServer(at: .loopback(port: 0)) { await standIn.answer($0) }
        let address = try await server.start()
        do {
            try await test(standIn, "http://\(address)")
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }

    /// Gives replies one after the other at each address; the last one goes on.
    package static func giving(
        production: [Reply],
        sandbox: [Reply] = [.status(21008)]
    ) -> Script {
        { path, number in
            let replies = path == Self.production ? production : sandbox
            return replies[min(number, replies.count - 1)]
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let number = asked.withLock { asked in
            let before = asked.count { $0.path == request.path }
            let body = (try? JSONValue(parsing: request.body)) ?? .null
            asked.append(Question(path: request.path, fields: request.fields, body: body))
            return before
        }
        return await response(script(request.path, number))
    }

    private func response(_ reply: Reply) async -> HTTPResponse {
        switch reply {
        case .text(let text): return .content(.ok, "application/json", Array(text.utf8))
        case .bytes(let bytes): return .content(.ok, "application/json", bytes)
        case .http(let code):
            let status = HTTPStatus(code: code) ?? .internalServerError
            return .content(status, "text/html", Array(Self.page.utf8))
        case .html: return .content(.ok, "text/html", Array(Self.page.utf8))
        case .empty: return HTTPResponse(.ok)
        case .cut:
            return HTTPResponse(
                .ok,
                stream: HTTPBodyStream(length: 100) { writer in
                    try await writer.write(Array("{\"status\":".utf8))
                    throw CancellationError()
                }
            )
        case .after(let duration, let reply):
            // Whoever asks may have left by then.
            try? await Task.sleep(for: duration)
            return await response(reply)
        case .behind(let latch, let reply):
            await latch.pass()
            return await response(reply)
        }
    }

    private static let page = "\n<!DOCTYPE html><html><body>We'll be back soon.</body></html>\n"
}
