import CMicroHTTPD
import HTTP

/// An answer in the library's form, ready to be queued; owns one reference to it.
///
/// It is made on the thread of the handler, so that the thread of the connections only queues it.
@safe
struct Answer: ~Copyable, @unchecked Sendable {
    // Unchecked: the pointer is used by one owner at a time, and the library's own count of
    // references to a response is guarded by a lock.
    private let response: OpaquePointer
    let status: Int

    /// Makes an answer with its body; nil when memory is short.
    ///
    /// The bytes are copied once, here. `isClosing` announces that the connection will be closed.
    init?(_ answer: HTTPResponse, body: [UInt8], isClosing: Bool) {
        let created = unsafe body.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count,
                // The library takes a mutable pointer but only reads what it is told to copy; it
                // wants one even to no bytes.
                UnsafeMutableRawPointer(
                    mutating: bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
                ),
                .RESPMEM_MUST_COPY
            )
        }
        guard let created = unsafe created else { return nil }
        unsafe response = created
        status = answer.status.code
        addFields(answer.fields, isClosing: isClosing)
    }

    /// Makes an answer whose body the connection will be asked for; nil when memory is short.
    init?(_ answer: HTTPResponse, streamOf connection: Connection, length: Int?, isClosing: Bool) {
        let total = length.map(UInt64.init) ?? counterfoil_mhd_size_unknown
        let created = unsafe MHD_create_response_from_callback(
            total,
            Connection.streamBlock,
            { context, _, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else {
                    return counterfoil_mhd_end_with_error
                }
                let connection = unsafe Unmanaged<Connection>.fromOpaque(context)
                return unsafe connection.takeUnretainedValue().read(into: buffer, capacity)
            },
            Unmanaged.passRetained(connection).toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Connection>.fromOpaque(context).release()
            }
        )
        guard let created = unsafe created else {
            unsafe Unmanaged.passUnretained(connection).release()
            return nil
        }
        unsafe response = created
        status = answer.status.code
        addFields(answer.fields, isClosing: isClosing)
    }

    deinit { unsafe MHD_destroy_response(response) }

    /// Queues the answer on a connection, which keeps its own reference.
    func queue(on handle: ConnectionHandle) -> Bool {
        unsafe MHD_queue_response(handle.pointer, UInt32(status), response) == .YES
    }

    private func addFields(_ fields: HTTPFields, isClosing: Bool) {
        // Content-Length, Transfer-Encoding and Date are the library's to write; a field with an
        // empty value it does not take.
        unsafe fields.withEachCString { name, value in
            guard unsafe !Self.isReserved(name) else { return }
            unsafe MHD_add_response_header(response, name, value)
        }
        if isClosing || Self.asksToClose(fields) {
            unsafe MHD_add_response_header(response, "Connection", "close")
        }
    }

    private static func asksToClose(_ fields: HTTPFields) -> Bool {
        fields[.connection]?.lowercasedASCII == "close"
    }

    private static func isReserved(_ name: UnsafePointer<CChar>) -> Bool {
        switch unsafe name[0] {
        case 0x43, 0x63, 0x44, 0x64, 0x54, 0x74: break
        default: return false
        }
        return reserved.contains { reserved in
            unsafe strcasecmp(name, reserved) == 0
        }
    }

    private static let reserved = ["Connection", "Content-Length", "Transfer-Encoding", "Date"]
}

/// The library's name for a connection.
@safe
struct ConnectionHandle: @unchecked Sendable {
    // Unchecked: a connection's lock says when another thread than the library's may use it, and
    // then only to resume it.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }
}
