package import HTTP

/// A plain client of a running server: one connection for each request.
package struct SocketClient: HTTPExchanging {
    private let address: SocketAddress

    package init(_ address: SocketAddress) { self.address = address }

    package func exchange(_ request: HTTPRequest) async throws -> HTTPExchange {
        let bytes = Self.serialize(request)
        let isHead = request.method == .head
        let answer = try await blocking {
            let socket = try RawSocket(address)
            try socket.send(bytes)
            return try socket.readAnswer(bodiless: isHead)
        }
        guard let status = HTTPStatus(code: answer.status) else {
            throw RawSocket.Failure.malformed
        }
        return HTTPExchange(status: status, fields: answer.fields, body: answer.body)
    }

    /// The request as HTTP/1.1, with Host and Content-Length where they are missing.
    package static func serialize(_ request: HTTPRequest) -> [UInt8] {
        var fields = request.fields
        if fields[.host] == nil { fields.append(.host, "localhost") }
        if fields[.contentLength] == nil, !request.body.isEmpty {
            fields.append(.contentLength, String(request.body.count))
        }
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        var head = "\(request.method) \(target) HTTP/1.1\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        return Array("\(head)\r\n".utf8) + request.body
    }
}
