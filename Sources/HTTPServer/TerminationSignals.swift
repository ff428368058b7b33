import CounterfoilBasics
import Glibc
import Synchronization

/// The wish of the system or of a person that the process end: SIGTERM, SIGINT.
///
/// From the first call on, these signals no longer kill the process, and neither does a broken
/// pipe (SIGPIPE), which would end a server whose log reader has gone. The usual reader stops
/// gracefully at the first one and exits at once at a second.
package enum TerminationSignals {
    /// The signals that arrive from now on, to each reader of such a stream.
    ///
    /// - Parameter signals: their numbers.
    /// - Returns: the numbers as they arrive; a stream that has ended where the system refuses a
    ///   pipe or a thread.
    package static func stream(of signals: [Int32] = [SIGTERM, SIGINT]) -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let isReady = readers.withLock { readers in
            guard SignalPipe.start() else { return false }
            readers.append(Reader(signals: signals, continuation: continuation))
            return true
        }
        guard isReady else {
            continuation.finish()
            return stream
        }
        _ = signal(SIGPIPE, SIG_IGN)
        for number in signals { SignalPipe.catchSignal(number) }
        return stream
    }

    private struct Reader {
        var signals: [Int32]
        var continuation: AsyncStream<Int32>.Continuation
    }

    private static let readers = Mutex<[Reader]>([])

    fileprivate static func arrived(_ signal: Int32) {
        readers.withLock { readers in
            for reader in readers where reader.signals.contains(signal) {
                reader.continuation.yield(signal)
            }
        }
    }
}

/// The way out of a signal handler, in which almost nothing is allowed: one byte into a pipe that
/// a thread of ours reads.
private enum SignalPipe {
    /// The pipe's write end; touched before any handler is installed, so that a handler only
    /// loads an integer.
    static let writeEnd = Atomic<Int32>(-1)

    /// Opens the pipe and starts its reader, once; false when the system refuses.
    static func start() -> Bool {
        guard writeEnd.load(ordering: .relaxed) < 0 else { return true }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let readEnd = ends[0]
        do throws(ThreadRefusal) {
            try OwnThread.start { passOn(from: readEnd) }
        } catch {
            for end in ends { close(end) }
            return false
        }
        writeEnd.store(ends[1], ordering: .releasing)
        return true
    }

    /// Hands on what handlers write, for as long as there is a pipe.
    private static func passOn(from readEnd: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(readEnd, &byte, 1)
            if count == 1 { TerminationSignals.arrived(Int32(byte)) }
            if count == 0 || count < 0 && errno != EINTR { return }
        }
    }

    static func catchSignal(_ signal: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: signal)
            _ = unsafe write(SignalPipe.writeEnd.load(ordering: .acquiring), &byte, 1)
            errno = saved
        }
        action.sa_flags = SA_RESTART
        _ = unsafe sigaction(signal, &action, nil)
    }
}
