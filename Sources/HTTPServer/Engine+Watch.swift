import CMicroHTTPD
import CounterfoilBasics
import Glibc
import HTTP

/// The watch: one thread that looks at every connection a few times a second and ends what takes
/// too long, because the library's own timeouts know neither slow heads nor suspended requests.
extension Engine {
    /// Starts the watch's thread, which keeps the engine until it ends.
    func startWatch() throws(ThreadRefusal) {
        try OwnThread.start { self.watch() }
    }

    private func watch() {
        var lingering = LingeringSockets()
        while true {
            let now = MonotonicTime.now
            for connection in connections {
                connection.inspect(now, tick: deadlines.tickMilliseconds)
            }
            lingering.adopt(takeLeftovers(), now)
            if advanceStop(now) {
                lingering.closeAll()
                return
            }
            lingering.wait(bell, milliseconds: isDraining ? 5 : deadlines.tickMilliseconds)
        }
    }
}

/// Sockets whose request was refused: read until the peer has seen the answer and closed.
struct LingeringSockets {
    private struct Socket {
        var descriptor: Int32
        var deadline: MonotonicTime
        var budget: Int
    }

    private var sockets: [Socket] = []

    /// How long, how much of each, and of how many sockets: a peer that goes on sending is cut
    /// off all the same.
    private static let milliseconds: Int64 = 2_000
    private static let bytes = 16 << 20
    private static let mostSockets = 256

    mutating func adopt(_ descriptors: [Int32], _ now: MonotonicTime) {
        for descriptor in descriptors {
            guard sockets.count < Self.mostSockets else {
                close(descriptor)
                continue
            }
            let deadline = now.advanced(byMilliseconds: Self.milliseconds)
            sockets.append(Socket(descriptor: descriptor, deadline: deadline, budget: Self.bytes))
        }
    }

    /// Waits for the bell, for bytes of a lingering socket, or for a time; reads what has come.
    mutating func wait(_ bell: Bell, milliseconds: Int32) {
        var interests = [pollfd(fd: bell.readEnd, events: Int16(POLLIN), revents: 0)]
        for socket in sockets {
            interests.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
        }
        _ = unsafe poll(&interests, nfds_t(interests.count), milliseconds)
        if interests[0].revents != 0 { bell.silence() }
        let now = MonotonicTime.now
        var kept: [Socket] = []
        for (index, socket) in sockets.enumerated() {
            var socket = socket
            let isReady = interests[index + 1].revents != 0
            if now >= socket.deadline || isReady && !Self.drain(&socket) {
                close(socket.descriptor)
            } else {
                kept.append(socket)
            }
        }
        sockets = kept
    }

    mutating func closeAll() {
        for socket in sockets { close(socket.descriptor) }
        sockets = []
    }

    /// Reads and forgets; false at the end, at an error, or when the budget is used up.
    private static func drain(_ socket: inout Socket) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while socket.budget > 0 {
            let count = unsafe recv(
                socket.descriptor,
                &buffer,
                buffer.count,
                Int32(MSG_DONTWAIT)
            )
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            socket.budget -= count
        }
        return false
    }
}
