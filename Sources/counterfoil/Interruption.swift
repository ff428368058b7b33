import HTTPServer
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The wish that work end early and in order: the first SIGINT or SIGTERM.
final class Interruption: Sendable {
    private let first = Mutex<Int32?>(nil)

    /// The signal that arrived; nil while the work may go on.
    var signal: Int32? { first.withLock { $0 } }

    private init() {}

    /// Does work that looks at an interruption now and then; a second signal ends the process at
    /// once.
    static func watched<Result>(
        _ work: (Interruption) async throws -> Result
    ) async throws -> Result {
        let interruption = Interruption()
        let signals = TerminationSignals.stream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await exitAtSecond(of: signals) { signal in
                    interruption.first.withLock { $0 = signal }
                }
            }
            defer { group.cancelAll() }
            return try await work(interruption)
        }
    }

    /// Hands over the first signal and ends the process at the second, as a shell reports it when a
    /// signal ends a process.
    static func exitAtSecond(
        of signals: AsyncStream<Int32>,
        first: (Int32) -> Void = { _ in }
    ) async {
        var count = 0
        for await signal in signals {
            count += 1
            if count == 2 { exit(128 + signal) }
            first(signal)
        }
    }
}
