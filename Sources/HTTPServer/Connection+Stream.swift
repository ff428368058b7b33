import CMicroHTTPD
import HTTP
import Synchronization

/// The bytes of a streamed body between its producer and the library's thread.
struct StreamBuffer {
    typealias Waiter = CheckedContinuation<Void, any Error>

    /// Beyond so many unsent bytes a producer has to wait.
    static let highWater = 64 << 10

    /// Bytes of which the first `taken` have been sent.
    private(set) var pending: [UInt8] = []
    private var taken = 0
    private var remaining: Int?
    private var waiters: [Waiter] = []
    private(set) var end: End?

    /// How a body came to its end.
    enum End { case complete, failed }

    init(length: Int?) { remaining = length }

    var isFull: Bool { pending.count - taken >= Self.highWater }

    /// Adds a chunk; bytes beyond a stated length make the body a failure.
    mutating func put(_ chunk: [UInt8]) {
        guard end == nil else { return }
        if let remaining {
            guard chunk.count <= remaining else { return end = .failed }
            self.remaining = remaining - chunk.count
        }
        if taken == pending.count {
            pending = chunk
            taken = 0
        } else {
            pending += chunk
        }
    }

    /// Ends the body; one that is shorter than stated has failed.
    mutating func finish(_ end: End) {
        guard self.end == nil else { return }
        self.end = (remaining ?? 0) > 0 ? .failed : end
    }

    /// Notes a producer that waits for room.
    mutating func wait(_ waiter: Waiter) { waiters.append(waiter) }

    /// Hands over those who wait, to be resumed.
    mutating func takeWaiters() -> [Waiter] {
        let all = waiters
        waiters = []
        return all
    }

    /// Moves bytes to a buffer, as many as there are and it takes.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, pending.count - taken)
        unsafe pending.withUnsafeBytes { bytes in
            unsafe buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count])
            )
        }
        taken += count
        if taken == pending.count {
            pending = []
            taken = 0
        }
        return count
    }
}

/// Streamed bodies.
extension Connection {
    /// Runs a producer to its end.
    func produce(_ stream: HTTPBodyStream, _ number: UInt64) async {
        let writer = HTTPBodyWriter { [self] chunk in try await put(chunk, number) }
        do {
            try await stream.produce(writer)
            finish(.complete, number)
        } catch {
            finish(.failed, number)
        }
    }

    private func put(_ chunk: [UInt8], _ number: UInt64) async throws {
        let (isFull, mustResume) = try state.withLock { state in
            guard state.number == number, state.stream != nil else { throw CancellationError() }
            state.stream?.put(chunk)
            return (state.stream?.isFull == true, endWaiting(&state))
        }
        if mustResume { resume() }
        if isFull { try await roomAgain(number) }
    }

    /// Waits until the library has taken what is pending.
    private func roomAgain(_ number: UInt64) async throws {
        try await withCheckedThrowingContinuation { (waiter: StreamBuffer.Waiter) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                guard state.number == number, let stream = state.stream else {
                    return .failure(CancellationError())
                }
                guard stream.isFull else { return .success(()) }
                state.stream?.wait(waiter)
                return nil
            }
            if let outcome { waiter.resume(with: outcome) }
        }
    }

    private func finish(_ end: StreamBuffer.End, _ number: UInt64) {
        let mustResume = state.withLock { state in
            guard state.number == number else { return false }
            state.stream?.finish(end)
            return endWaiting(&state)
        }
        if mustResume { resume() }
    }

    /// Ends the wait for a chunk, under the lock; when true, the caller must ``resume()``.
    private func endWaiting(_ state: inout State) -> Bool {
        guard state.phase == .awaitingChunk, endSuspension(&state) else { return false }
        state.phase = .answering
        state.deadline = engine.deadline(engine.deadlines.write)
        return true
    }

    /// Ends a body that cannot go on, under the lock; what it returns is done after it.
    func cutStream(_ state: inout State) -> Aftermath {
        state.task?.cancel()
        state.stream?.finish(.failed)
        let waiters = state.stream?.takeWaiters() ?? []
        return Aftermath(mustResume: endWaiting(&state), waiters: waiters)
    }

    /// What is left to do outside the lock after something was ended under it.
    struct Aftermath {
        var mustResume = false
        var waiters: [StreamBuffer.Waiter] = []
    }

    func settle(_ aftermath: Aftermath) {
        for waiter in aftermath.waiters { waiter.resume(throwing: CancellationError()) }
        if aftermath.mustResume { resume() }
    }

    /// Gives the library the next bytes of a body; called on its thread.
    func read(into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        let (result, waiters) = state.withLock { state in unsafe read(into: room, &state) }
        for waiter in waiters { waiter.resume() }
        if result == counterfoil_mhd_end_with_error { engine.report(.streamCut) }
        return result
    }

    /// The number of bytes read or the library's word for an end, and whom to wake.
    private func read(
        into room: UnsafeMutableRawBufferPointer,
        _ state: inout State
    ) -> (Int, [StreamBuffer.Waiter]) {
        guard var stream = state.stream.take() else { return (counterfoil_mhd_end_with_error, []) }
        defer { state.stream = stream }
        guard stream.pending.isEmpty else {
            let count = unsafe stream.take(into: room)
            return (count, stream.isFull ? [] : stream.takeWaiters())
        }
        switch stream.end {
        case .complete: return (counterfoil_mhd_end_of_stream, [])
        case .failed: return (counterfoil_mhd_end_with_error, [])
        case nil:
            state.phase = .awaitingChunk
            state.deadline = engine.deadline(engine.deadlines.handler)
            suspend(&state)
            return (0, [])
        }
    }
}
