import HTTP
import Synchronization
import Testing

@Suite("The router")
struct RouterTests {
    private static func router() -> Router {
        var router = Router()
        func say(_ text: String) -> Router.Handler {
            { request in
                let id = request.pathParameters["id"] ?? "-"
                let rest = request.pathParameters["rest"] ?? "-"
                return .text(.ok, "\(text) \(id) \(rest)")
            }
        }
        router.on(.get, path: "/", handler: say("root"))
        router.on(.get, .post, path: "/v1/things", handler: say("things"))
        router.on(.get, path: "/v1/things/{id}", handler: say("thing"))
        router.on(.delete, path: "/v1/things/{id}", handler: say("gone"))
        router.on(.get, path: "/v1/things/latest", handler: say("latest"))
        router.on(.get, path: "/v1/things/{id}/parts", handler: say("parts"))
        router.on(.get, path: "/assets/{rest...}", handler: say("asset"))
        router.on(path: "/verifyReceipt", handler: say("any"))
        return router
    }

    private static let table: [(HTTPMethod, String, Int, String)] = [
        (.get, "/", 200, "root - -"),
        (.get, "/v1/things", 200, "things - -"),
        (.post, "/v1/things", 200, "things - -"),
        (.get, "/v1/things?x=1", 200, "things - -"),
        (.get, "/v1/things/17", 200, "thing 17 -"),
        (.get, "/v1/things/a%2Fb%20c", 200, "thing a/b c -"),
        (.get, "/v1/things/latest", 200, "latest - -"),
        (.get, "/v1/things/latest/parts", 200, "parts latest -"),
        (.get, "/v1/%74hings", 200, "things - -"),
        (.delete, "/v1/things/9", 200, "gone 9 -"),
        (.get, "/assets/css/site.css", 200, "asset - css/site.css"),
        (.get, "/verifyReceipt", 200, "any - -"),
        (HTTPMethod(rawValue: "BREW"), "/verifyReceipt", 200, "any - -"),
        (.head, "/v1/things", 200, "things - -"),
        (.get, "/v1/things/", 404, ""),
        (.get, "/assets/", 404, ""),
        (.get, "/v1/things/%zz", 404, ""),
        (.get, "/v1/things/%ff", 404, ""),
        (.get, "/v1/things/a%00b", 404, ""),
        (.get, "/nothing", 404, ""),
        (.get, "/V1/things", 404, ""),
        (.put, "/v1/things", 405, ""),
        (.post, "/", 405, ""),
        (.post, "/v1/things/7", 405, ""),
    ]

    @Test("Method and path decide", arguments: table)
    func routes(method: HTTPMethod, target: String, status: Int, body: String) async {
        let response = await Self.router().respond(to: HTTPRequest(method, target))
        #expect(response.status.code == status)
        if status == 200, case .bytes(let bytes) = response.body {
            #expect(String(decoding: bytes, as: UTF8.self) == body)
        }
    }

    @Test("405 names the methods that the path takes, GET with HEAD")
    func allow() async {
        let response = await Self.router().respond(to: HTTPRequest(.put, "/v1/things/4"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields[.allow] == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test("OPTIONS is answered with the methods of the path")
    func options() async {
        let response = await Self.router().respond(to: HTTPRequest(.options, "/v1/things"))
        #expect(response.status == .noContent)
        #expect(response.fields[.allow] == "GET, HEAD, OPTIONS, POST")
    }

    @Test("A path of very many segments is simply not found")
    func manySegments() async {
        let target = String(repeating: "/a", count: 5000)
        let response = await Self.router().respond(to: HTTPRequest(.get, target))
        #expect(response.status == .notFound)
    }

    @Test(
        "An error that knows its answer gives it, any other becomes a bare 500 with an identifier"
    )
    func errors() async throws {
        struct Secret: Error {}
        let seen = Mutex<[String]>([])
        var router = Router(onError: { error, request, correlation in
            seen.withLock { $0.append("\(type(of: error)) \(request.path) \(correlation)") }
        })
        router.on(.get, path: "/known") { _ in throw HTTPRefusal.overloaded }
        router.on(.get, path: "/unknown") { _ in throw Secret() }
        let known = await router.respond(to: HTTPRequest(.get, "/known"))
        #expect(known.status == .serviceUnavailable)
        let unknown = await router.respond(to: HTTPRequest(.get, "/unknown"))
        #expect(unknown.status == .internalServerError)
        guard case .bytes(let body) = unknown.body else { return }
        let text = String(decoding: body, as: UTF8.self)
        let line = try #require(seen.withLock { $0.first })
        let correlation = try #require(line.split(separator: " ").last)
        #expect(line.hasPrefix("Secret /unknown "))
        #expect(correlation.count == 32)
        #expect(text.contains(correlation))
        #expect(!text.contains("Secret"))
    }

    @Test("An observer learns the pattern, not the path, of each answer")
    func observer() async {
        let seen = Mutex<[String]>([])
        var router = Router(onAnswer: { pattern, _, response, duration in
            seen.withLock { $0.append("\(pattern ?? "-") \(response.status) \(duration >= .zero)") }
        })
        router.on(.get, path: "/things/{id}") { _ in HTTPResponse(.ok) }
        for target in ["/things/1", "/things/2", "/other"] {
            _ = await router.respond(to: HTTPRequest(.get, target))
        }
        _ = await router.respond(to: HTTPRequest(.post, "/things/1"))
        let lines = ["/things/{id} 200 true", "/things/{id} 200 true", "- 404 true"]
        #expect(seen.withLock { $0 } == lines + ["/things/{id} 405 true"])
    }
}
