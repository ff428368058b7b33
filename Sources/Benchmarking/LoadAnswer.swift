/// What of an HTTP/1.1 answer has arrived, read just far enough to see where it ends and whether it
/// accepts the receipt.
struct LoadAnswer {
    /// What is known so far.
    enum Progress: Equatable {
        case incomplete
        /// The answer is there; `accepted` is whether it is 200 and its status 0.
        case complete(accepted: Bool, keepsAlive: Bool)
        /// It is not one that this reads: no Content-Length, or no HTTP.
        case unreadable
    }

    /// The most bytes of a head, and of a body.
    private static let mostHeadBytes = 64 << 10
    private static let mostBodyBytes = 256 << 20

    private var bytes: [UInt8] = []
    private var head: (bytes: Int, body: Int, isOK: Bool, keepsAlive: Bool)?

    /// Adds what arrived.
    mutating func append(_ part: UnsafeRawBufferPointer) { bytes.append(contentsOf: part) }

    /// Begins the next answer.
    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        head = nil
    }

    /// How far it is.
    mutating func progress() -> Progress {
        if head == nil {
            guard let end = Self.end(ofHeadIn: bytes) else {
                return bytes.count > Self.mostHeadBytes ? .unreadable : .incomplete
            }
            guard readHead(upTo: end) else { return .unreadable }
        }
        guard let head else { return .unreadable }
        guard bytes.count >= head.bytes + head.body else { return .incomplete }
        let body = bytes[head.bytes..<head.bytes + head.body]
        return .complete(
            accepted: head.isOK && Self.isAccepted(body),
            keepsAlive: head.keepsAlive
        )
    }

    /// Whether a verifyReceipt answer has the status 0, at its beginning or at its end, where Apple
    /// puts it.
    static func isAccepted(_ body: ArraySlice<UInt8>) -> Bool {
        [body.prefix(64), body.suffix(64)].contains { part in
            let text = String(decoding: part, as: UTF8.self)
            return text.contains("\"status\":0") || text.contains("\"status\": 0")
        }
    }

    private mutating func readHead(upTo end: Int) -> Bool {
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(
            whereSeparator: \.isNewline
        )
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 ") else { return false }
        var length: Int?
        var keepsAlive = true
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return false }
            let value = parts[1].trimmingBlanks()
            switch parts[0].lowercased() {
            case "content-length": length = Int(value)
            case "connection": keepsAlive = value.lowercased() != "close"
            default: break
            }
        }
        guard let length, (0...Self.mostBodyBytes).contains(length) else { return false }
        head = (end, length, status.dropFirst(9).hasPrefix("200"), keepsAlive)
        return true
    }

    /// Behind the empty line that ends a head.
    private static func end(ofHeadIn bytes: [UInt8]) -> Int? {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var index = 0
        while let lineFeed = bytes[index...].firstIndex(of: 0x0A) {
            if lineFeed >= 3, bytes[(lineFeed - 3)...lineFeed].elementsEqual(end) {
                return lineFeed + 1
            }
            index = lineFeed + 1
        }
        return nil
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
