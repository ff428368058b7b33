import Glibc
import Synchronization

/// Where finished log lines go.
package protocol LogSink: Sendable {
    /// Takes one line, which ends with its line feed.
    func write(_ line: [UInt8], level: LogLevel)
}

/// Writes lines to standard error, each with one write(2), so that lines of several threads and
/// processes do not mix.
package final class StandardErrorSink: LogSink {
    private let descriptor: Int32
    private let isLossy: Bool
    private let dropped = Atomic<UInt64>(0)
    /// Keeps a line whole when the system takes only a part of it.
    private let turn = Mutex(())

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - descriptor: where to write; standard error unless told otherwise.
    ///   - isLossy: whether lines below `error` are dropped, and counted, while the reader of a
    ///     full pipe does not read. Otherwise whoever logs waits for it.
    package init(descriptor: Int32 = STDERR_FILENO, isLossy: Bool = false) {
        self.descriptor = descriptor
        self.isLossy = isLossy
    }

    /// How many lines were dropped.
    package var droppedLines: UInt64 { dropped.load(ordering: .relaxed) }

    package func write(_ line: [UInt8], level: LogLevel) {
        turn.withLock { _ in
            guard !isLossy || level >= .error || isReady(milliseconds: 0) else {
                dropped.add(1, ordering: .relaxed)
                return
            }
            var written = 0
            while written < line.count {
                let count = line[written...].withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    written += count
                } else if errno == EAGAIN {
                    // Another owner of the descriptor has made it non-blocking.
                    _ = isReady(milliseconds: 1000)
                } else if errno != EINTR {
                    dropped.add(1, ordering: .relaxed)
                    return
                }
            }
        }
    }

    private func isReady(milliseconds: Int32) -> Bool {
        var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&interest, 1, milliseconds) == 1
    }
}

/// Keeps lines in memory, for tests.
package final class MemorySink: LogSink {
    private let kept = Mutex<[String]>([])

    package init() {}

    /// The lines so far, without their line feeds.
    package var lines: [String] { kept.withLock { $0 } }

    package func write(_ line: [UInt8], level: LogLevel) {
        kept.withLock { $0.append(String(decoding: line.dropLast(), as: UTF8.self)) }
    }
}
