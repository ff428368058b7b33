import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// The calls that the library makes, all on its one thread.
extension Engine {
    /// The library's running server.
    @safe
    struct Daemon: @unchecked Sendable {
        // Unchecked: the library allows any thread to quiesce and one to stop; the watch does
        // both.
        let pointer: OpaquePointer
    }

    /// Starts the library on a socket; nil when the system refuses memory or a thread.
    ///
    /// The library borrows this object until ``stop(_:)``.
    func startDaemon(on socket: ListeningSocket) -> Daemon? {
        let context = unsafe Unmanaged.passRetained(self)
        let daemon = unsafe counterfoil_mhd_start(
            socket.descriptor,
            libraryLimit,
            connectionMemory,
            context.toOpaque(),
            // Of all that the library would log, that it is about to refuse a head.
            { context, _, _ in
                guard let engine = unsafe Engine.borrowed(context) else { return }
                for connection in engine.connections where connection.replaceOwnRefusal() {
                    return
                }
            },
            { context, _, _ in
                guard let engine = unsafe Engine.borrowed(context) else { return .NO }
                return engine.admits() ? .YES : .NO
            },
            { _, _, _, method, version, bytes, count, context in
                guard let connection = unsafe Connection.borrowed(context?.pointee),
                    let method = unsafe method, let version = unsafe version,
                    let count = unsafe count
                else { return .NO }
                let isHead = connection.state.withLock { $0.phase == .readingHead }
                if isHead {
                    return unsafe connection.headArrived(method: method, version: version)
                }
                let body = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
                let result = unsafe connection.proceed(body)
                unsafe count.pointee = 0
                return result
            },
            { context, handle, slot, event in
                guard let engine = unsafe Engine.borrowed(context), let slot = unsafe slot,
                    let handle = unsafe handle
                else { return }
                unsafe engine.connectionChanged(ConnectionHandle(handle), slot, event)
            },
            { _, _, slot, _ in
                unsafe Connection.borrowed(slot?.pointee)?.requestEnded()
            },
            { _, target, handle in
                guard let handle = unsafe handle,
                    let context = unsafe counterfoil_mhd_socket_context(handle),
                    let target = unsafe target
                else { return nil }
                unsafe Connection.borrowed(context)?.requestLineArrived(target)
                return unsafe context
            },
            // Targets stay as sent: the router decodes segment by segment.
            { _, _, text in
                guard let text = unsafe text else { return 0 }
                return unsafe strlen(text)
            }
        )
        guard let daemon = unsafe daemon else {
            unsafe context.release()
            return nil
        }
        return unsafe Daemon(pointer: daemon)
    }

    /// Makes the library accept no more connections.
    ///
    /// The socket is shut down but stays open until the library has stopped: its thread may be
    /// about to name it to epoll, and treats a closed descriptor there as a reason to abort.
    func quiesce(_ daemon: Daemon, _ socket: ListeningSocket) {
        unsafe MHD_quiesce_daemon(daemon.pointer)
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the library's thread; no connection may be suspended.
    func stop(_ daemon: Daemon, _ socket: ListeningSocket) {
        unsafe MHD_stop_daemon(daemon.pointer)
        Glibc.close(socket.descriptor)
        unsafe Unmanaged.passUnretained(self).release()
    }

    /// The memory in which the library keeps a head, and one buffer each way, of a connection.
    ///
    /// Half of it is the first read buffer. More than twice the largest head, so that our limit
    /// is reached before the library's.
    private var connectionMemory: Int { max(32 << 10, limits.headBytes * 2 + (8 << 10)) }

    private func connectionChanged(
        _ handle: ConnectionHandle,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
        _ event: MHD_ConnectionNotificationCode
    ) {
        switch event {
        case .CONNECTION_NOTIFY_STARTED:
            let connection = unsafe open(
                handle,
                descriptor: counterfoil_mhd_descriptor(handle.pointer),
                peer: SocketStorage.address(of: counterfoil_mhd_peer(handle.pointer))
            )
            unsafe slot.pointee = Unmanaged.passRetained(connection).toOpaque()
        default:
            guard let context = unsafe slot.pointee else { return }
            let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeRetainedValue()
            unsafe slot.pointee = nil
            close(connection)
        }
    }

    private static func borrowed(_ context: UnsafeMutableRawPointer?) -> Engine? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
    }
}

extension Connection {
    fileprivate static func borrowed(_ context: UnsafeMutableRawPointer?) -> Connection? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    }
}
