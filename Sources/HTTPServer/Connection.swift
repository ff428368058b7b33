import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// One TCP connection and the request that is being served on it.
///
/// Three kinds of threads meet here: the library's one thread reads and writes, a task's thread
/// brings the answer, the watch ends what takes too long. Everything they share is in ``state``.
/// Whoever takes `isSuspended` from true to false under the lock resumes the connection after it,
/// so that it is resumed exactly once; only the library's own thread suspends. (The library's
/// thread, once woken, needs the lock at once: resuming under it would make that thread wait.)
final class Connection: Sendable {
    let handle: ConnectionHandle
    let descriptor: Int32
    let peer: SocketAddress?
    let engine: Engine

    /// Whether the connection is over a limit and exists only to be told so.
    let isOverLimit: Bool

    let state: Mutex<State>

    /// The size of the buffer in which the library keeps a part of a streamed body of known
    /// length; a chunked one uses the connection's own memory.
    static let streamBlock = 32 << 10

    init(
        handle: ConnectionHandle,
        descriptor: Int32,
        peer: SocketAddress?,
        isOverLimit: Bool,
        engine: Engine
    ) {
        self.handle = handle
        self.descriptor = descriptor
        self.peer = peer
        self.isOverLimit = isOverLimit
        self.engine = engine
        state = Mutex(State(deadline: engine.deadline(engine.deadlines.head)))
    }

    /// Where a connection stands.
    enum Phase: Equatable {
        /// No request line yet. The first request has the head's deadline, later ones the idle
        /// deadline.
        case idle
        case readingHead
        case readingBody
        /// Suspended; a handler is at work.
        case handling
        /// The library is sending.
        case answering
        /// Suspended; a producer has to bring the next chunk.
        case awaitingChunk
        /// The descriptor is about to be closed, and must not be touched any more.
        case closed
    }

    /// What the threads share.
    struct State: ~Copyable {
        var phase = Phase.idle
        var deadline: MonotonicTime
        /// Counts the requests, so that a handler that comes too late is recognized.
        var number: UInt64 = 0
        var target = RequestTarget()
        var incoming: IncomingRequest?
        /// How many bytes of the body the engine has counted in.
        var countedBytes = 0
        var isSuspended = false
        var answer: Answer?
        var task: Task<Void, Never>?
        var stream: StreamBuffer?
        /// Whether the peer has been seen to leave while the handler was at work.
        var hasClientLeft = false
        /// Whether bytes of a refused request may still arrive after the answer.
        var lingers = false
        /// What the peer's TCP had acknowledged when the write deadline was last set.
        var acknowledged: UInt64 = 0

        init(deadline: MonotonicTime) { self.deadline = deadline }
    }

    /// A request line as it lies in the library's buffer.
    struct RequestTarget {
        var text = ""
        /// The address of its first byte, to check what stands around it.
        var start: UInt = 0
        var count = 0
    }

    /// A request whose body is arriving.
    struct IncomingRequest {
        var request: HTTPRequest
        /// The length of the body where it was stated.
        var length: Int?
        var isChunked: Bool

        /// Takes more of the body; a buffer that is too small doubles, but not past the stated
        /// length.
        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            let count = request.body.count + bytes.count
            if let length, count > request.body.capacity, count <= length {
                request.body.reserveCapacity(min(length, max(count, 2 * request.body.capacity)))
            }
            unsafe request.body.append(contentsOf: bytes)
        }
    }

    /// Ends the suspension, under the lock; when true, the caller must ``resume()`` after it.
    func endSuspension(_ state: inout State) -> Bool {
        guard state.isSuspended else { return false }
        state.isSuspended = false
        return true
    }

    /// Lets the library's thread go on with a connection whose suspension the caller has ended.
    func resume() { unsafe MHD_resume_connection(handle.pointer) }

    /// Suspends the connection; to be called under the lock, on the library's thread.
    func suspend(_ state: inout State) {
        state.isSuspended = true
        unsafe MHD_suspend_connection(handle.pointer)
    }

    /// Makes the library find the connection closed by the peer; to be called under the lock.
    func shutDown(_ state: inout State) {
        guard state.phase != .closed else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
