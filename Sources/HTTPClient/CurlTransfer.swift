import CCurl
import CounterfoilBasics
import Glibc
import HTTP

/// One request on its way: libcurl's handle, and what has come of the answer.
///
/// It lives on the client's thread alone.
@safe final class CurlTransfer {
    let order: Order
    let handle: UnsafeMutableRawPointer
    private let settings: HTTPClientSettings
    private let fieldList: CurlFieldList
    private var fields = HTTPFields()
    private var fieldBytes = 0
    private var body: [UInt8] = []
    private var isTooLarge = false
    private var forbidden: SocketAddress?

    /// Prepares a transfer that is still to be added to the others.
    init(_ order: Order, _ settings: HTTPClientSettings) throws(HTTPCallError) {
        let settings = settings.bounded(by: order.call)
        let left = (settings.deadline - order.stopwatch.elapsed).milliseconds
        guard let list = CurlFieldList(order.call.fields, userAgent: settings.userAgent),
            let handle = unsafe curl_easy_init()
        else { throw HTTPCallError(HTTPCallError.failed, "libcurl refuses a handle") }
        self.order = order
        self.settings = settings
        unsafe self.handle = handle
        fieldList = list
        let result = prepare(milliseconds: max(1, left))
        guard result == CURLE_OK else {
            throw HTTPCallError(HTTPCallError.failed, Self.words(for: result))
        }
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    private func prepare(milliseconds: Int64) -> CURLcode {
        let call = order.call
        var request = unsafe counterfoil_curl_request()
        unsafe request.fields = fieldList.pointer
        unsafe request.connect_milliseconds =
            Int(min(milliseconds, max(1, settings.connectDeadline.milliseconds)))
        unsafe request.whole_milliseconds = Int(milliseconds)
        unsafe request.most_bytes = curl_off_t(settings.responseBytes)
        unsafe request.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe request.take_body = { bytes, size, count, context in
            unsafe CurlTransfer.of(context).take(body: bytes, size * count)
        }
        unsafe request.take_field = { bytes, size, count, context in
            unsafe CurlTransfer.of(context).take(field: bytes, size * count)
        }
        unsafe request.open_socket = { context, purpose, address in
            unsafe CurlTransfer.of(context).openSocket(address)
        }
        return unsafe withAuthorities { authorities in
            unsafe request.authorities = authorities.baseAddress.map { unsafe UnsafeRawPointer($0) }
            unsafe request.authorities_size = authorities.count
            return unsafe Self.prepare(handle, &request, call, proxy: proxy)
        }
    }

    /// Nothing for libcurl to read in the environment, unless that was asked for.
    private var proxy: String? {
        switch settings.route {
        case .direct: ""
        case .proxy(let address): address
        case .environment: nil
        }
    }

    private func withAuthorities<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard let authorities = settings.authorities else {
            return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
        }
        return unsafe authorities.withUnsafeBufferPointer { unsafe body($0) }
    }

    private static func prepare(
        _ handle: UnsafeMutableRawPointer,
        _ request: inout counterfoil_curl_request,
        _ call: HTTPCall,
        proxy: String?
    ) -> CURLcode {
        unsafe call.url.text.withCString { url in
            unsafe call.method.rawValue.withCString { method in
                unsafe withOptionalCString(proxy) { proxy in
                    // libcurl takes a body of no bytes for none where there is no place.
                    unsafe ((call.body ?? []) + [0]).withUnsafeBytes { body in
                        unsafe request.url = url
                        unsafe request.method = method
                        unsafe request.proxy = proxy
                        unsafe request.body = call.body == nil ? nil : body.baseAddress
                        unsafe request.body_size = body.count - 1
                        return unsafe counterfoil_curl_prepare(handle, &request)
                    }
                }
            }
        }
    }

    private static func withOptionalCString<Result>(
        _ text: String?,
        _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return unsafe text.withCString { unsafe body($0) }
    }
}

// MARK: - What libcurl calls

extension CurlTransfer {
    /// The transfer that libcurl was given; it is alive as long as its handle is.
    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context = unsafe context else {
            preconditionFailure("every handle was given its transfer")
        }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Takes a piece of the content; any number but the piece's own ends the transfer.
    private func take(body bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard count <= settings.responseBytes - body.count else {
            isTooLarge = true
            return -1
        }
        unsafe body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    /// Takes a line of an answer's head; the last head counts, for interim answers and a proxy's
    /// come before it.
    private func take(field bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        fieldBytes += count
        guard fieldBytes <= settings.fieldBytes else {
            isTooLarge = true
            return -1
        }
        let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
        if line.starts(with: "HTTP/".utf8) {
            fields = HTTPFields()
            return count
        }
        guard let colon = line.firstIndex(of: 0x3A), (1...256).contains(colon),
            line[..<colon].allSatisfy(\.isHTTPTokenByte)
        else { return count }
        fields.append(name: line[..<colon], value: line[(colon + 1)...].trimmingLineEnd)
        return count
    }

    private func openSocket(_ target: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let target = unsafe target else { return counterfoil_curl_bad_socket }
        if case .direct(let check?) = settings.route {
            let address = unsafe SocketAddress(target)
            guard let address, check(address) else {
                forbidden = address ?? .loopback(port: 0)
                return counterfoil_curl_bad_socket
            }
        }
        return unsafe socket(
            target.pointee.family,
            target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            target.pointee.protocol
        )
    }
}

// MARK: - The end

extension CurlTransfer {
    /// Says what came of it.
    func finish(_ result: CURLcode) {
        guard result == CURLE_OK else {
            let (code, reason) = failure(result)
            return order.fail(code, reason)
        }
        let code = unsafe counterfoil_curl_status(handle)
        guard let status = HTTPStatus(code: code) else {
            return order.fail(
                HTTPCallError.malformed,
                "found the status \(code), expected 200 to 599"
            )
        }
        order.finish(.success(HTTPResponse(status, fields: fields, body: body)))
    }

    private func failure(_ result: CURLcode) -> (ErrorCode, String) {
        if isTooLarge || result == CURLE_FILESIZE_EXCEEDED {
            return (
                HTTPCallError.tooLarge,
                "the answer has more than \(settings.responseBytes) bytes, or more than "
                    + "\(settings.fieldBytes) of fields"
            )
        }
        if result == CURLE_COULDNT_CONNECT, let forbidden {
            return (
                HTTPCallError.addressForbidden,
                "the host is at \(forbidden.address), which is not to be spoken to"
            )
        }
        if result == CURLE_OPERATION_TIMEDOUT {
            let wasConnected = unsafe counterfoil_curl_was_connected(handle) != 0
            return wasConnected
                ? (HTTPCallError.timeout, "no whole answer in \(settings.deadline)")
                : (
                    HTTPCallError.connectTimeout,
                    "no connection in \(min(settings.connectDeadline, settings.deadline))"
                )
        }
        return (Self.code(of: result), Self.words(for: result))
    }

    private static func code(of result: CURLcode) -> ErrorCode {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: HTTPCallError.hostUnknown
        case CURLE_COULDNT_CONNECT: HTTPCallError.unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS:
            HTTPCallError.untrusted
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            HTTPCallError.cut
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP_RETURNED_ERROR,
            CURLE_BAD_CONTENT_ENCODING, CURLE_PROXY:
            HTTPCallError.malformed
        default: HTTPCallError.failed
        }
    }

    /// libcurl's words for a kind of failure, which hold nothing of the request.
    private static func words(for result: CURLcode) -> String {
        unsafe String(cString: curl_easy_strerror(result))
    }
}

/// Fields in the form in which libcurl takes them.
@safe private final class CurlFieldList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// Fields that libcurl writes itself, or that would have it do something else.
    private static let own: Set<HTTPFieldName> = [
        .host, .contentLength, .transferEncoding, .connection, .expect,
    ]

    /// Nil when there is no memory.
    init?(_ fields: HTTPFields, userAgent: String) {
        // No waiting for an interim answer before a large body.
        guard append("Expect:") else { return nil }
        if fields[.userAgent] == nil {
            guard append("User-Agent: \(userAgent)") else { return nil }
        }
        for (name, value) in fields {
            guard let known = HTTPFieldName(name), !Self.own.contains(known) else { continue }
            // A name with nothing behind its colon would take the field out.
            guard append(value.isEmpty ? "\(name);" : "\(name): \(value)") else {
                return nil
            }
        }
    }

    deinit { unsafe curl_slist_free_all(pointer) }

    private func append(_ line: String) -> Bool {
        guard let longer = unsafe curl_slist_append(pointer, line) else { return false }
        unsafe pointer = longer
        return true
    }
}

extension SocketAddress {
    /// The address that libcurl is about to connect to; nil for another family than IP.
    fileprivate init?(_ target: UnsafeMutablePointer<curl_sockaddr>) {
        let start = unsafe UnsafeRawPointer(target)
            .advanced(by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        switch unsafe target.pointee.family {
        case AF_INET:
            let form = unsafe start.loadUnaligned(as: sockaddr_in.self)
            let bytes = unsafe withUnsafeBytes(of: form.sin_addr) { unsafe Array($0) }
            guard let address = IPAddress(bytes: bytes) else { return nil }
            self.init(address, port: UInt16(bigEndian: form.sin_port))
        case AF_INET6:
            let form = unsafe start.loadUnaligned(as: sockaddr_in6.self)
            let bytes = unsafe withUnsafeBytes(of: form.sin6_addr) { unsafe Array($0) }
            guard let address = IPAddress(bytes: bytes) else { return nil }
            self.init(address, port: UInt16(bigEndian: form.sin6_port))
        default: return nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the line break at their end.
    fileprivate var trimmingLineEnd: ArraySlice<UInt8> {
        var line = self
        while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
        return line
    }
}
