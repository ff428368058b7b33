import CounterfoilBasics
import Foundation
import Testing

@Suite("Threads of their own")
struct OwnThreadTests {
    /// Says when it is let go of.
    private final class Guest: Sendable {
        let onLeaving: @Sendable () -> Void

        init(onLeaving: @escaping @Sendable () -> Void) { self.onLeaving = onLeaving }

        deinit { onLeaving() }
    }

    /// Does work on a thread of its own, and waits for what it gives.
    private func result<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try OwnThread.start { continuation.resume(returning: work()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test("Threads that block hold up neither each other nor Swift's pool")
    func blocking() async throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<processors * 4 {
                group.addTask { try await result { gate.wait() } }
            }
            // Would never run if the pool's threads were those that wait.
            for _ in 0..<processors * 4 {
                group.addTask { _ = gate.signal() }
            }
            try await group.waitForAll()
        }
    }

    @Test("What the work holds is let go of when it is done")
    func letGo() async {
        await withCheckedContinuation { continuation in
            let guest = Guest { continuation.resume() }
            do {
                try OwnThread.start { withExtendedLifetime(guest) {} }
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("A thread that has ended leaves nothing behind")
    func stacks() async throws {
        let before = try mappedPages()
        // A thread that somebody could still ask how it ended would keep its stack of 8 MB.
        for _ in 0..<400 { try await result {} }
        #expect(try mappedPages() - before < 400 * (4 << 20) / Int(getpagesize()))
    }

    /// How much of its address space the process uses.
    private func mappedPages() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(pages.prefix { $0 != " " }))
    }
}
