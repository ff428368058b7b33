import CMicroHTTPD
import CounterfoilBasics
import Glibc
import HTTP
import Synchronization

/// What all connections of one server share, and its way from start to stop.
final class Engine: Sendable {
    let handler: HTTPHandler
    let limits: HTTPLimits
    let deadlines: Deadlines
    private let observer: (@Sendable (HTTPServerEvent) -> Void)?
    private let draining = Atomic(false)
    private let cutting = Atomic(false)
    private let table = Mutex(Table())
    private let bodyBytes = Atomic(0)
    let lifecycle = Mutex(Lifecycle.initial)
    /// Wakes the watch before its time.
    let bell: Bell

    init(
        limits: HTTPLimits,
        observer: (@Sendable (HTTPServerEvent) -> Void)?,
        bell: Bell,
        handler: @escaping HTTPHandler
    ) {
        self.limits = limits
        deadlines = Deadlines(limits)
        self.observer = observer
        self.bell = bell
        self.handler = handler
    }

    /// Whether the server has begun to stop: each answer is the last of its connection.
    var isDraining: Bool { draining.load(ordering: .acquiring) }

    /// Whether what is still in flight is being cut off.
    var isCutting: Bool { cutting.load(ordering: .acquiring) }

    func startDraining() { draining.store(true, ordering: .releasing) }

    func startCutting() { cutting.store(true, ordering: .releasing) }

    func report(_ event: HTTPServerEvent) { observer?(event) }

    func deadline(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime.now.advanced(byMilliseconds: milliseconds)
    }

    /// Counts bytes of a body in; false when they would be too many, and then does not.
    func reserve(bodyBytes count: Int) -> Bool {
        let (_, sum) = bodyBytes.add(count, ordering: .relaxed)
        guard sum > limits.bodyBytesInFlight else { return true }
        release(bodyBytes: count)
        return false
    }

    func release(bodyBytes count: Int) { bodyBytes.subtract(count, ordering: .relaxed) }

    // MARK: Connections

    private struct Table {
        var connections: [ObjectIdentifier: Connection] = [:]
        var perAddress: [IPAddress: Int] = [:]
        var leftovers: [Int32] = []
    }

    /// How many connections over the limit are still answered before they are closed.
    private var courtesy: Int { max(4, min(64, limits.connections / 4)) }

    /// The library's own limit, which the engine's are always reached before.
    var libraryLimit: UInt32 { UInt32(clamping: limits.connections + courtesy + 8) }

    /// Open connections.
    var connectionCount: Int { table.withLock { $0.connections.count } }

    var connections: [Connection] { table.withLock { Array($0.connections.values) } }

    /// Whether a new connection gets as much as an answer.
    func admits() -> Bool {
        guard connectionCount >= limits.connections + courtesy else { return true }
        report(.connectionDropped)
        return false
    }

    /// Enters a new connection.
    func open(_ handle: ConnectionHandle, descriptor: Int32, peer: SocketAddress?) -> Connection {
        table.withLock { table in
            var ofAddress = 0
            if let address = peer?.address {
                table.perAddress[address, default: 0] += 1
                let isExempt = limits.exemptNetworks.contains { $0.contains(address) }
                ofAddress = isExempt ? 0 : table.perAddress[address] ?? 0
            }
            let connection = Connection(
                handle: handle,
                descriptor: descriptor,
                peer: peer,
                isOverLimit: table.connections.count >= limits.connections
                    || ofAddress > limits.connectionsPerAddress,
                engine: self
            )
            table.connections[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    /// Strikes out a connection whose descriptor the library is about to close.
    func close(_ connection: Connection) {
        let lingers = connection.state.withLock { state in
            state.phase = .closed
            return state.lingers
        }
        // A copy of the descriptor keeps the socket open; the watch reads it to its end, because
        // closing a socket with unread bytes would destroy the answer on its way to the peer.
        let leftover = lingers ? fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0) : -1
        let isLast = table.withLock { table in
            table.connections[ObjectIdentifier(connection)] = nil
            if leftover >= 0 { table.leftovers.append(leftover) }
            if let address = connection.peer?.address, let count = table.perAddress[address] {
                table.perAddress[address] = count > 1 ? count - 1 : nil
            }
            return table.connections.isEmpty
        }
        if leftover >= 0 || isLast && isDraining { bell.ring() }
    }

    /// Sockets that have been answered and must be read to their end, handed over once.
    func takeLeftovers() -> [Int32] {
        table.withLock { table in
            guard !table.leftovers.isEmpty else { return [] }
            defer { table.leftovers = [] }
            return table.leftovers
        }
    }
}

/// A pipe with which any thread wakes one that polls.
struct Bell: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(HTTPServingError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw HTTPServingError(HTTPServingError.engineFailed, "no pipe: errno \(errno)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Wakes the poller; a full pipe has woken it already.
    func ring() {
        var byte: UInt8 = 0
        _ = unsafe write(writeEnd, &byte, 1)
    }

    /// Takes what has been rung so far.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(readEnd, &bytes, bytes.count) == bytes.count {}
    }

    func close() {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }
}
