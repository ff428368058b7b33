import CMicroHTTPD
import Glibc
import HTTP
import Synchronization

/// The head of a request: what the library has parsed, read with more suspicion.
extension Connection {
    /// Notes the request line, which has just arrived; the head's deadline begins.
    func requestLineArrived(_ text: UnsafePointer<CChar>) {
        let count = unsafe strlen(text)
        let target = unsafe RequestTarget(
            text: String(cString: text),
            start: UInt(bitPattern: text),
            count: count
        )
        let deadline = engine.deadline(engine.deadlines.head)
        state.withLock { state in
            state.phase = .readingHead
            state.deadline = deadline
            state.target = target
        }
    }

    /// Judges the head, which has just arrived, and prepares for the body or refuses.
    func headArrived(
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let target = state.withLock { $0.target }
        var fields = HTTPFields()
        do {
            let incoming = unsafe try readHead(target, method, version, &fields)
            let deadline = engine.deadline(engine.deadlines.body)
            state.withLock { state in
                state.phase = .readingBody
                state.deadline = deadline
                state.incoming = incoming
            }
            return .YES
        } catch {
            return refuse(error, from: fields)
        }
    }

    /// Refuses a head in the library's place, when it is about to do so itself; false when it is
    /// not this head.
    ///
    /// Of a Content-Length that is no length it writes its answer's head twice. When it says in its
    /// log that it refuses something, on its own thread and before it has written a byte, the one
    /// head that is complete and has not come to ``headArrived(method:version:)`` is the one. Our
    /// answer goes past it, and the socket takes nothing more. (It could complain while a lock is
    /// held, in which case it is about something else.)
    func replaceOwnRefusal() -> Bool {
        let isReading = state.withLockIfAvailable { $0.phase == .readingHead } ?? false
        guard isReading, unsafe counterfoil_mhd_head_size(handle.pointer) > 0 else { return false }
        cutShort(with: refusalOfLength())
        state.withLock { state in
            state.phase = .answering
            shutdown(descriptor, Int32(SHUT_WR))
        }
        return true
    }

    /// What is wrong with the lengths of a head whose form nobody has looked at.
    private func refusalOfLength() -> HTTPRefusal {
        var lengths: [String] = []
        _ = unsafe withUnsafeMutablePointer(to: &lengths) { lengths in
            unsafe MHD_get_connection_values(
                handle.pointer,
                .HEADER_KIND,
                { context, _, name, value in
                    guard let name = unsafe name, unsafe strcasecmp(name, "Content-Length") == 0,
                        let lengths = unsafe context?.assumingMemoryBound(to: [String].self)
                    else { return .YES }
                    unsafe lengths.pointee.append(value.map { unsafe String(cString: $0) } ?? "")
                    return .YES
                },
                lengths
            )
        }
        do {
            _ = try RequestFraming(contentLengths: lengths, limit: engine.limits.bodyBytes)
            return .malformed
        } catch {
            return error
        }
    }

    private func readHead(
        _ target: RequestTarget,
        _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>,
        _ fields: inout HTTPFields
    ) throws(HTTPRefusal) -> IncomingRequest {
        guard !isOverLimit else { throw .tooManyConnections }
        let headSize = unsafe counterfoil_mhd_head_size(handle.pointer)
        guard headSize <= engine.limits.headBytes else { throw .headTooLarge }
        let methodName = unsafe String(cString: method)
        guard methodName.utf8.allSatisfy(\.isHTTPTokenByte),
            target.text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { throw .malformed }
        fields = try readFields(
            target,
            method: UInt(bitPattern: method),
            methodCount: methodName.utf8.count,
            version: UInt(bitPattern: version),
            headSize: headSize
        )
        let isHTTP10 = unsafe strcmp(version, "HTTP/1.0") == 0
        let framing = try RequestFraming(fields, isHTTP10: isHTTP10, limits: engine.limits)
        var request = HTTPRequest(
            HTTPMethod(rawValue: methodName),
            target.text,
            fields: fields,
            from: peer
        )
        guard request.path.utf8.first == UInt8(ascii: "/") || request.path == "*" else {
            throw .malformed
        }
        var length: Int?
        if case .length(let count) = framing {
            length = count
            // A length is only a promise: a large buffer grows as its bytes come.
            request.body.reserveCapacity(min(count, engine.limits.freeBodyBytes))
        }
        return IncomingRequest(
            request: request,
            length: length,
            isChunked: framing == .chunked
        )
    }

    /// Copies the fields, and proves that the head was the lines it seems to have been.
    ///
    /// The library takes a bare LF for the end of a line, joins folded lines (in a way that lets
    /// the fold change a field's *name*), and ends names and values at a NUL: each a way to show
    /// one request to it and another to a proxy. It parses in place, though, so every name must
    /// begin exactly where the line before it ended with CR LF, and the last line must end where
    /// the head does. Only addresses are compared, nothing outside the strings is read; if a
    /// later version of the library copied its strings, everything would be refused.
    private func readFields(
        _ target: RequestTarget,
        method: UInt,
        methodCount: Int,
        version: UInt,
        headSize: Int
    ) throws(HTTPRefusal) -> HTTPFields {
        let lineBreak: UInt = 2
        guard method &+ UInt(methodCount) &+ 1 == target.start,
            target.start &+ UInt(target.count) &+ 1 == version
        else { throw .malformed }
        var reader = FieldReader(
            fields: HTTPFields(reservingBytes: headSize),
            lineStart: version &+ UInt("HTTP/1.1".utf8.count) &+ lineBreak
        )
        _ = unsafe withUnsafeMutablePointer(to: &reader) { reader in
            unsafe MHD_get_connection_values_n(
                handle.pointer,
                .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    guard let reader = unsafe context?.assumingMemoryBound(to: FieldReader.self)
                    else { return .NO }
                    let name = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
                    let value = unsafe UnsafeRawBufferPointer(start: value, count: valueCount)
                    return unsafe reader.pointee.read(name, value) ? .YES : .NO
                },
                reader
            )
        }
        guard reader.isWellFormed,
            reader.lineStart &+ lineBreak == method &+ UInt(headSize)
        else { throw .malformed }
        guard reader.count <= engine.limits.fieldCount else { throw .headTooLarge }
        return reader.fields
    }
}

/// Gathers the fields of a head and keeps account of where each line must begin.
private struct FieldReader {
    var fields: HTTPFields
    var lineStart: UInt
    var count = 0
    var isWellFormed = true

    /// Takes one field; false when it is not where or what it must be.
    mutating func read(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        let nameStart = UInt(bitPattern: name.baseAddress)
        let valueStart = UInt(bitPattern: value.baseAddress)
        let isInPlace = nameStart == lineStart && valueStart > nameStart &+ UInt(name.count)
        guard isInPlace, unsafe !name.isEmpty, name.count <= 256,
            unsafe name.allSatisfy(\.isHTTPTokenByte),
            unsafe value.allSatisfy(\.isHTTPFieldValueByte)
        else {
            isWellFormed = false
            return false
        }
        count += 1
        unsafe fields.append(name: name, value: value)
        lineStart = valueStart &+ UInt(value.count) &+ 2
        return true
    }
}
