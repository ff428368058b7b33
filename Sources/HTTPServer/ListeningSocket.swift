import CMicroHTTPD
import Glibc
import HTTP

/// A TCP socket that listens, and the address it was bound to.
struct ListeningSocket {
    let descriptor: Int32
    let address: SocketAddress

    /// Opens a socket at an address.
    ///
    /// An IPv6 address takes IPv6 peers only, so that `0.0.0.0` and `::` can be served side by
    /// side.
    static func open(
        at address: SocketAddress,
        backlog: Int32
    ) throws(HTTPServingError) -> ListeningSocket {
        let isIPv4 = address.address.isIPv4
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(
            isIPv4 ? AF_INET : AF_INET6,
            kind | Int32(SOCK_NONBLOCK.rawValue),
            Int32(IPPROTO_TCP)
        )
        guard descriptor >= 0 else { throw failure(errno, "opening a socket for", address) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        if !isIPv4 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        var storage = SocketStorage(address)
        let isBound = unsafe storage.withPointer { pointer, count in
            unsafe bind(descriptor, pointer, count) == 0
        }
        guard isBound, listen(descriptor, backlog) == 0 else {
            let number = errno
            close(descriptor)
            throw failure(number, "listening at", address)
        }
        return ListeningSocket(
            descriptor: descriptor,
            address: boundAddress(of: descriptor) ?? address
        )
    }

    /// The error that a failed system call means for whoever wanted to listen.
    static func failure(
        _ number: Int32,
        _ action: String,
        _ address: SocketAddress
    ) -> HTTPServingError {
        let code =
            switch number {
            case EADDRINUSE: HTTPServingError.addressInUse
            case EADDRNOTAVAIL, EACCES, EPERM, EAFNOSUPPORT: HTTPServingError.addressUnavailable
            default: HTTPServingError.engineFailed
            }
        let words = unsafe String(cString: strerror(number))
        return HTTPServingError(code, "\(action) \(address): \(words)")
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = SocketStorage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe storage.withPointer { pointer, _ in
            unsafe getsockname(descriptor, pointer, &size) == 0
        }
        return isKnown ? storage.address : nil
    }
}

/// The system's form of a socket address.
struct SocketStorage {
    private var storage = sockaddr_storage()

    init() {}

    init(_ address: SocketAddress) {
        let bytes = address.address.bytes
        unsafe withUnsafeMutableBytes(of: &storage) { raw in
            if address.address.isIPv4 {
                var form = sockaddr_in()
                form.sin_family = sa_family_t(AF_INET)
                form.sin_port = address.port.bigEndian
                unsafe withUnsafeMutableBytes(of: &form.sin_addr) {
                    unsafe $0.copyBytes(from: bytes)
                }
                unsafe raw.storeBytes(of: form, as: sockaddr_in.self)
            } else {
                var form = sockaddr_in6()
                form.sin6_family = sa_family_t(AF_INET6)
                form.sin6_port = address.port.bigEndian
                unsafe withUnsafeMutableBytes(of: &form.sin6_addr) {
                    unsafe $0.copyBytes(from: bytes)
                }
                unsafe raw.storeBytes(of: form, as: sockaddr_in6.self)
            }
        }
    }

    /// The address that the system wrote here; nil for a family that is not IP.
    var address: SocketAddress? {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.address(of: $0)
            }
        }
    }

    /// The address behind the system's pointer; nil for a family that is not IP.
    static func address(of pointer: UnsafePointer<sockaddr>?) -> SocketAddress? {
        guard let pointer = unsafe pointer else { return nil }
        let raw = unsafe UnsafeRawPointer(pointer)
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            var form = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            let bytes = unsafe withUnsafeBytes(of: &form.sin_addr) { unsafe Array($0) }
            return IPAddress(bytes: bytes).map {
                SocketAddress($0, port: UInt16(bigEndian: form.sin_port))
            }
        case AF_INET6:
            var form = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let bytes = unsafe withUnsafeBytes(of: &form.sin6_addr) { unsafe Array($0) }
            return IPAddress(bytes: bytes).map {
                SocketAddress($0, port: UInt16(bigEndian: form.sin6_port))
            }
        default: return nil
        }
    }

    /// Lends the address to a system call, with the size of its family.
    mutating func withPointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let size =
            Int32(storage.ss_family) == AF_INET
            ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(size))
            }
        }
    }
}
