import Foundation
package import HTTP

/// Runs blocking work on a thread of its own, so that no test occupies the threads on which the
/// tasks of a server run.
package func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// A blocking TCP connection that sends exactly the bytes it is given.
package final class RawSocket {
    private let descriptor: Int32
    private var received: [UInt8] = []

    package enum Failure: Error { case refused(Int32), timeout, closed, malformed }

    /// Connects; every read fails with `timeout` after some seconds without a byte.
    package init(
        _ address: SocketAddress,
        timeoutSeconds: Int = 10,
        receiveBuffer: Int32? = nil
    ) throws {
        let isIPv4 = address.address.isIPv4
        descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        // From here on deinit closes the descriptor, also when this initializer throws.
        guard Self.connect(descriptor, address) else { throw Failure.refused(errno) }
    }

    deinit { Glibc.close(descriptor) }

    private static func connect(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
        let bytes = address.address.bytes
        if address.address.isIPv4 {
            var form = sockaddr_in()
            form.sin_family = sa_family_t(AF_INET)
            form.sin_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &form.sin_addr) { $0.copyBytes(from: bytes) }
            return withUnsafePointer(to: &form) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        var form = sockaddr_in6()
        form.sin6_family = sa_family_t(AF_INET6)
        form.sin6_port = address.port.bigEndian
        withUnsafeMutableBytes(of: &form.sin6_addr) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    /// Sends all bytes; throws `closed` when the peer no longer takes them.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.closed }
            sent += count
        }
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Announces that nothing more will be sent.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes closing abort the connection (RST) instead of ending it.
    package func abortOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// One read; an empty array at the end of the connection.
    package func read(atMost count: Int = 64 << 10) throws -> [UInt8] {
        if !received.isEmpty {
            let bytes = Array(received.prefix(count))
            received.removeFirst(bytes.count)
            return bytes
        }
        var buffer = [UInt8](repeating: 0, count: count)
        let result = recv(descriptor, &buffer, count, 0)
        if result < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK { throw Failure.timeout }
            if errno == ECONNRESET { return [] }
            throw Failure.closed
        }
        return Array(buffer.prefix(result))
    }

    /// Everything up to the end of the connection.
    package func readToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try read()
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// The next answer, its body collected by its length, its chunks, or the end; `bodiless` for
    /// an answer to HEAD, `after` the bytes of it that have been read already.
    package func readAnswer(
        bodiless: Bool = false,
        after beginning: [UInt8] = []
    ) throws -> RawAnswer {
        var bytes = beginning
        var headCount: Int?
        while headCount == nil {
            let more = try read()
            guard !more.isEmpty else { throw Failure.closed }
            bytes += more
            headCount = Self.headCount(bytes)
        }
        guard let headCount else { throw Failure.malformed }
        received = Array(bytes[(headCount + 4)...]) + received
        var answer = try RawAnswer(head: String(decoding: bytes[..<headCount], as: UTF8.self))
        if !bodiless, answer.status >= 200, answer.status != 204, answer.status != 304 {
            answer.body = try readBody(answer)
        }
        return answer
    }

    /// The bytes before the first empty line.
    private static func headCount(_ bytes: [UInt8]) -> Int? {
        var lineBreaks = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 10 where lineBreaks == 1: return index - 3
            case 10: lineBreaks = 1
            case 13: break
            default: lineBreaks = 0
            }
        }
        return nil
    }

    private func readBody(_ answer: RawAnswer) throws -> [UInt8] {
        if answer.fields[.transferEncoding] == "chunked" {
            var body: [UInt8] = []
            while true {
                guard let size = Int(try readLine(), radix: 16) else { throw Failure.malformed }
                let chunk = try read(exactly: size)
                guard try readLine().isEmpty else { throw Failure.malformed }
                if size == 0 { return body }
                body += chunk
            }
        }
        guard let length = answer.fields[.contentLength].flatMap({ Int($0) }) else {
            return try readToEnd()
        }
        return try read(exactly: length)
    }

    private func readLine() throws -> String {
        var line: [UInt8] = []
        while !line.ends(with: "\r\n".utf8) { line += try read(exactly: 1) }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    private func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let more = try read(atMost: min(count - bytes.count, 1 << 20))
            guard !more.isEmpty else { throw Failure.closed }
            bytes += more
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: String.UTF8View) -> Bool {
        count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
    }
}

/// An answer as it came over the wire.
package struct RawAnswer: Sendable {
    package let statusLine: String
    package let status: Int
    package var fields: HTTPFields = [:]
    package var body: [UInt8] = []

    package var text: String { String(decoding: body, as: UTF8.self) }

    init(head: String) throws {
        var lines = head.components(separatedBy: "\r\n")
        statusLine = lines.removeFirst()
        let parts = statusLine.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
            throw RawSocket.Failure.malformed
        }
        self.status = status
        for line in lines {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count >= 1, let name = HTTPFieldName(String(sides[0])) else {
                throw RawSocket.Failure.malformed
            }
            fields.append(name, sides.count == 2 ? String(sides[1]) : "")
        }
    }
}

/// Blocks the thread for some milliseconds.
package func block(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }
