import CounterfoilBasics

/// Finds the handler of a request by method and path.
///
/// A pattern is a path whose segments may be `{name}`, which stands for one segment, or, last,
/// `{name...}`, which stands for one or more. A literal segment is preferred to a name. `HEAD` is
/// served by the handler of `GET`, `OPTIONS` by the router. A path that no pattern fits is
/// answered 404, a method that none of its handlers takes 405 with `Allow` (RFC 9110 §15.5.6).
package struct Router: Sendable {
    /// What a route runs; see ``HTTPErrorAnswer`` for what it may throw.
    package typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// Called with each error that becomes a bare 500, to be logged under its identifier.
    package typealias ErrorObserver =
        @Sendable (any Error, HTTPRequest, CorrelationIdentifier) -> Void

    /// Called with each answer: the pattern that fitted (nil: none), and the time it took.
    package typealias AnswerObserver =
        @Sendable (_ pattern: String?, HTTPRequest, HTTPResponse, Duration) -> Void

    private var nodes = [Node()]
    /// Patterns without names, by their path: one look-up instead of a walk.
    private var literals: [String: Int] = [:]
    private let onError: ErrorObserver?
    private let onAnswer: AnswerObserver?

    package init(onError: ErrorObserver? = nil, onAnswer: AnswerObserver? = nil) {
        self.onError = onError
        self.onAnswer = onAnswer
    }

    /// Adds a handler for some methods of a pattern; no methods means every method.
    package mutating func on(
        _ methods: HTTPMethod...,
        path pattern: String,
        handler: @escaping Handler
    ) {
        precondition(pattern.first == "/", "a pattern begins with a slash")
        var names: [String] = []
        var node = 0
        let segments = Self.segments(pattern)
        for (index, segment) in segments.enumerated() {
            guard segment.first == "{", segment.last == "}" else {
                node = child(of: node, \.literals[String(segment)])
                continue
            }
            let name = segment.dropFirst().dropLast()
            if name.hasSuffix("...") {
                precondition(index == segments.count - 1, "{name...} is the last segment")
                names.append(String(name.dropLast(3)))
                node = child(of: node, \.rest)
            } else {
                names.append(String(name))
                node = child(of: node, \.parameter)
            }
        }
        if names.isEmpty { literals[pattern] = node }
        let route = Route(pattern: pattern, names: names, handler: handler)
        if methods.isEmpty {
            precondition(nodes[node].anyMethod == nil, "\(pattern) has a handler already")
            nodes[node].anyMethod = route
        }
        for method in methods {
            precondition(nodes[node].routes[method] == nil, "\(method) \(pattern) has one already")
            nodes[node].routes[method] = route
        }
    }

    /// The router as a handler.
    package var handler: HTTPHandler { { request in await respond(to: request) } }

    /// Answers a request by its route, or with 404 or 405.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let watch = onAnswer == nil ? nil : Stopwatch()
        var request = request
        let response: HTTPResponse
        var pattern: String?
        switch find(&request) {
        case .route(let route):
            pattern = route.pattern
            response = await run(route, request)
        case .allowed(let methods, let found):
            pattern = found
            response = Self.refuse(request.method, allowing: methods)
        case .nothing: response = HTTPRefusal.notFound.response
        }
        if let onAnswer, let watch { onAnswer(pattern, request, response, watch.elapsed) }
        return response
    }

    private func run(_ route: Route, _ request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await route.handler(request)
        } catch let error as any HTTPErrorAnswer {
            return error.httpAnswer
        } catch {
            let correlation = CorrelationIdentifier()
            onError?(error, request, correlation)
            return HTTPRefusal.internalError.response(correlation: correlation)
        }
    }

    private static func refuse(
        _ method: HTTPMethod,
        allowing allowed: [HTTPMethod]
    ) -> HTTPResponse {
        let list = allowed.map(\.rawValue).joined(separator: ", ")
        guard method != .options else { return HTTPResponse(.noContent, fields: [.allow: list]) }
        var response = HTTPRefusal.methodNotAllowed.response
        response.fields[.allow] = list
        return response
    }

    // MARK: The tree of segments

    private struct Route: Sendable {
        var pattern: String
        var names: [String]
        var handler: Handler
    }

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var rest: Int?
        var routes: [HTTPMethod: Route] = [:]
        var anyMethod: Route?

        var hasRoutes: Bool { anyMethod != nil || !routes.isEmpty }

        func route(for method: HTTPMethod) -> Route? {
            routes[method] ?? (method == .head ? routes[.get] : nil) ?? anyMethod
        }

        var allowed: [HTTPMethod] {
            var methods = Set(routes.keys)
            if methods.contains(.get) { methods.insert(.head) }
            methods.insert(.options)
            return methods.sorted { $0.rawValue < $1.rawValue }
        }
    }

    private enum Finding {
        case route(Route)
        case allowed([HTTPMethod], pattern: String?)
        case nothing
    }

    /// More segments than any pattern has need not be walked.
    private static let mostSegments = 64

    private static func segments(_ path: String) -> [Substring] {
        path.dropFirst().split(
            separator: "/",
            maxSplits: mostSegments,
            omittingEmptySubsequences: false
        )
    }

    private mutating func child(of node: Int, _ edge: WritableKeyPath<Node, Int?>) -> Int {
        if let next = nodes[node][keyPath: edge] { return next }
        nodes.append(Node())
        nodes[node][keyPath: edge] = nodes.count - 1
        return nodes.count - 1
    }

    private func find(_ request: inout HTTPRequest) -> Finding {
        guard let node = literals[request.path] ?? walk(&request) else { return .nothing }
        if let route = nodes[node].route(for: request.method) {
            for (index, name) in route.names.enumerated() {
                request.pathParameters.name(index, name)
            }
            return .route(route)
        }
        let pattern = nodes[node].routes.values.first?.pattern
        return .allowed(nodes[node].allowed, pattern: pattern)
    }

    private func walk(_ request: inout HTTPRequest) -> Int? {
        guard request.path.utf8.first == UInt8(ascii: "/") else { return nil }
        let segments = Self.segments(request.path)
        guard segments.count <= Self.mostSegments else { return nil }
        var decoded: [String] = []
        for segment in segments {
            guard let text = PercentEncoding.decode(segment) else { return nil }
            decoded.append(text)
        }
        var values: [String] = []
        guard let node = descend(0, decoded[...], &values) else { return nil }
        request.pathParameters = PathParameters(values: values)
        return node
    }

    /// Depth is bounded by ``mostSegments``, breadth by two branches of which the literal is
    /// tried first.
    private func descend(
        _ node: Int,
        _ segments: ArraySlice<String>,
        _ values: inout [String]
    ) -> Int? {
        guard let segment = segments.first else { return nodes[node].hasRoutes ? node : nil }
        if let next = nodes[node].literals[segment],
            let found = descend(next, segments.dropFirst(), &values)
        {
            return found
        }
        guard !segment.isEmpty else { return nil }
        if let next = nodes[node].parameter {
            values.append(segment)
            if let found = descend(next, segments.dropFirst(), &values) { return found }
            values.removeLast()
        }
        guard let rest = nodes[node].rest else { return nil }
        values.append(segments.joined(separator: "/"))
        return rest
    }
}
