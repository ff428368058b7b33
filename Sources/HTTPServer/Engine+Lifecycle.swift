import CounterfoilBasics
import Glibc
import HTTP
import Synchronization

/// Start and stop.
extension Engine {
    /// The way of a server, one step after the other.
    enum Lifecycle {
        case initial
        case running(Daemon, ListeningSocket)
        case stopping(Stop)
        case stopped
    }

    /// A stop under way.
    struct Stop {
        var daemon: Daemon
        var socket: ListeningSocket
        /// When what is still in flight is cut off.
        var deadline: MonotonicTime
        /// When the library is stopped whatever is left; set by the cut.
        var end: MonotonicTime?
        var hasQuiesced = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// After the cut, the time in which last refusals may still reach their peers.
    private static let lastWordsMilliseconds: Int64 = 2_000

    /// Binds, starts the library and the watch.
    func start(at address: SocketAddress) throws(HTTPServingError) -> SocketAddress {
        try lifecycle.withLock { (lifecycle) throws(HTTPServingError) in
            guard case .initial = lifecycle else {
                throw HTTPServingError(
                    HTTPServingError.notStartable,
                    "the server at \(address) has been started or stopped before"
                )
            }
            let socket = try ListeningSocket.open(at: address, backlog: Int32(SOMAXCONN))
            DescriptorLimit.raise(toHold: limits.connections)
            guard let daemon = startDaemon(on: socket) else {
                Glibc.close(socket.descriptor)
                throw HTTPServingError(
                    HTTPServingError.engineFailed,
                    "the library could not start at \(address): errno \(errno)"
                )
            }
            do throws(ThreadRefusal) {
                try startWatch()
            } catch {
                stop(daemon, socket)
                throw HTTPServingError(
                    HTTPServingError.engineFailed,
                    "no watch over the connections at \(address): \(error)"
                )
            }
            lifecycle = .running(daemon, socket)
            return socket.address
        }
    }

    /// Begins to stop, and resumes the waiter when all is closed; the first caller's grace counts.
    func stop(grace: Duration, waiter: CheckedContinuation<Void, Never>?) {
        let isOver = lifecycle.withLock { lifecycle in
            switch lifecycle {
            case .initial:
                lifecycle = .stopped
                bell.close()
                return true
            case .stopped: return true
            case .running(let daemon, let socket):
                var stop = Stop(
                    daemon: daemon,
                    socket: socket,
                    deadline: deadline(max(0, grace.milliseconds))
                )
                if let waiter { stop.waiters.append(waiter) }
                lifecycle = .stopping(stop)
            case .stopping(var stop):
                if let waiter { stop.waiters.append(waiter) }
                lifecycle = .stopping(stop)
            }
            bell.ring()
            return false
        }
        if isOver { waiter?.resume() }
    }

    /// Takes the next step of a stop, on the watch's thread; true when all is over.
    func advanceStop(_ now: MonotonicTime) -> Bool {
        guard var stop = currentStop else { return false }
        if !stop.hasQuiesced {
            startDraining()
            quiesce(stop.daemon, stop.socket)
            for connection in connections { connection.closeIfIdle() }
            update { $0.hasQuiesced = true }
        }
        if connectionCount > 0, now < stop.deadline { return false }
        if connectionCount > 0, stop.end == nil {
            startCutting()
            for connection in connections { connection.cut() }
            stop.end = now.advanced(byMilliseconds: Self.lastWordsMilliseconds)
            update { $0.end = stop.end }
        }
        if connectionCount > 0, let end = stop.end, now < end { return false }
        finish(stop)
        return true
    }

    private var currentStop: Stop? {
        lifecycle.withLock { lifecycle in
            guard case .stopping(let stop) = lifecycle else { return nil }
            return stop
        }
    }

    private func update(_ change: (inout Stop) -> Void) {
        lifecycle.withLock { lifecycle in
            guard case .stopping(var stop) = lifecycle else { return }
            change(&stop)
            lifecycle = .stopping(stop)
        }
    }

    private func finish(_ stop: Stop) {
        // None is left but peers that do not take their last words.
        for connection in connections { connection.cut() }
        self.stop(stop.daemon, stop.socket)
        let waiters = lifecycle.withLock { lifecycle in
            guard case .stopping(let stop) = lifecycle else {
                return [] as [CheckedContinuation<Void, Never>]
            }
            lifecycle = .stopped
            bell.close()
            return stop.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// The process's limit of open descriptors.
enum DescriptorLimit {
    /// Raises the soft limit, as far as the hard one allows, to hold that many connections and
    /// what else a process has open.
    static func raise(toHold connections: Int) {
        let wanted = rlim_t(clamping: connections + 512)
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = unsafe setrlimit(resource, &limit)
    }
}
