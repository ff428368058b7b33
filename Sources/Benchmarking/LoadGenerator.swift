import CounterfoilBasics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Sends requests over connections that stay open, as many at a time as there are connections, and
/// measures the answers.
///
/// One thread serves all connections, so that the load takes one processor at most.
package struct LoadGenerator: Sendable {
    /// Where to.
    package let target: LoadTarget
    /// The requests' bodies, sent in turn.
    package let bodies: [[UInt8]]
    /// How many connections there are.
    package let connections: Int

    /// How long a quiet server is waited for before the end is looked for again.
    fileprivate static let patienceMilliseconds: Int32 = 50

    /// Describes a load; there must be a body and a connection.
    package init(_ target: LoadTarget, bodies: [[UInt8]], connections: Int) {
        precondition(!bodies.isEmpty && connections > 0, "a load has a body and a connection")
        self.target = target
        self.bodies = bodies
        self.connections = connections
    }

    /// Sends load for so long, on a thread of its own.
    ///
    /// - Parameters:
    ///   - duration: how long; answers that come later do not count.
    ///   - isStopped: asked now and then whether to end sooner.
    /// - Returns: what came back in that time.
    /// - Throws: `LoadError` when no connection can be made.
    package func run(
        for duration: Duration,
        until isStopped: @escaping @Sendable () -> Bool = { false }
    ) async throws -> LoadResult {
        try await withCheckedThrowingContinuation { continuation in
            do throws(ThreadRefusal) {
                try OwnThread.start {
                    continuation.resume(with: result(of: duration, until: isStopped))
                }
            } catch {
                continuation.resume(throwing: LoadError(error.description))
            }
        }
    }

    /// Sends load on the thread that calls.
    private func result(
        of duration: Duration,
        until isStopped: () -> Bool
    ) -> Result<LoadResult, LoadError> {
        Result { () throws(LoadError) in
            var load = try RunningLoad(self)
            try load.run(for: duration, until: isStopped)
            return load.result
        }
    }
}

/// The connections of a load and how far each is.
private struct RunningLoad: ~Copyable {
    private(set) var result = LoadResult()

    private let generator: LoadGenerator
    private let requests: [[UInt8]]
    private var links: [LoadLink] = []
    private var nextRequest = 0
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private let watch = Stopwatch()

    init(_ generator: LoadGenerator) throws(LoadError) {
        self.generator = generator
        requests = generator.bodies.map { generator.target.head(bodyBytes: $0.count) + $0 }
        for _ in 0..<generator.connections {
            links.append(LoadLink(socket: try generator.target.connect()))
        }
    }

    deinit { for link in links { close(link.socket) } }

    mutating func run(for duration: Duration, until isStopped: () -> Bool) throws(LoadError) {
        for index in links.indices { send(on: index) }
        var polled = links.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        while watch.elapsed < duration, !isStopped() {
            for (index, link) in links.enumerated() {
                let events = link.isSent(requests) ? POLLIN : POLLOUT
                polled[index] = pollfd(fd: link.socket, events: Int16(events), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), LoadGenerator.patienceMilliseconds) > 0 else {
                continue
            }
            for index in polled.indices where polled[index].revents != 0 { try advance(index) }
        }
        result.seconds = watch.elapsed.inSeconds
    }

    private mutating func send(on index: Int) {
        links[index].begin(nextRequest, at: watch.elapsed.inMicroseconds)
        nextRequest = (nextRequest + 1) % requests.count
        links[index].write(requests)
    }

    private mutating func advance(_ index: Int) throws(LoadError) {
        guard links[index].isSent(requests) else { return links[index].write(requests) }
        switch links[index].read(&buffer) {
        case .incomplete: return
        case .complete(let accepted, let keepsAlive):
            if accepted {
                result.answers += 1
                let microseconds = watch.elapsed.inMicroseconds - links[index].begun
                result.latencies.add(microseconds: microseconds)
            } else {
                result.errors += 1
            }
            if !keepsAlive { try reconnect(index) }
        case .unreadable:
            result.errors += 1
            try reconnect(index)
        }
        send(on: index)
    }

    private mutating func reconnect(_ index: Int) throws(LoadError) {
        let socket = try generator.target.connect()
        close(links[index].socket)
        links[index] = LoadLink(socket: socket)
    }
}

/// One connection: a request on its way out, or its answer on its way in.
private struct LoadLink {
    let socket: Int32
    /// When the request was begun, in microseconds of the load's own watch.
    private(set) var begun = 0
    private var request = 0
    private var sent = 0
    private var answer = LoadAnswer()

    init(socket: Int32) { self.socket = socket }

    func isSent(_ requests: [[UInt8]]) -> Bool { sent >= requests[request].count }

    mutating func begin(_ request: Int, at microseconds: Int) {
        self.request = request
        begun = microseconds
        sent = 0
        answer.reset()
    }

    /// Writes what the socket takes; what breaks is seen when the answer is read.
    mutating func write(_ requests: [[UInt8]]) {
        let bytes = requests[request]
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket,
                    UnsafeRawBufferPointer(rebasing: buffer[sent...]).baseAddress,
                    buffer.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else {
                sent = bytes.count
                return
            }
            sent += count
        }
    }

    mutating func read(_ buffer: inout [UInt8]) -> LoadAnswer.Progress {
        while true {
            let count = buffer.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress, $0.count, 0)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return .incomplete }
            guard count > 0 else { return .unreadable }
            buffer.withUnsafeBytes {
                answer.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            let progress = answer.progress()
            if progress != .incomplete || count < buffer.count { return progress }
        }
    }
}

extension Duration {
    fileprivate var inMicroseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }

    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
