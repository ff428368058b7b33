import CounterfoilBasics

/// Builds one JSON object on one line.
struct JSONLine {
    private var bytes: [UInt8] = [0x7B]

    /// Longer strings are cut, so that no request can make a line of any length.
    static let longestString = 4096

    /// Longer lists are cut.
    static let longestList = 64

    init() { bytes.reserveCapacity(1024) }

    /// Adds a member; a reserved key gets an underscore.
    ///
    /// Keys are texts of ours that need no escapes.
    mutating func add(_ key: StaticString, isReserved: Bool = false, _ value: LogValue) {
        if bytes.count > 1 { bytes.append(0x2C) }
        bytes.append(0x22)
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        if isReserved { bytes.append(0x5F) }
        bytes.append(0x22)
        bytes.append(0x3A)
        append(value)
    }

    /// The line, with its brace and line feed.
    consuming func finished() -> [UInt8] {
        bytes += [0x7D, 0x0A]
        return bytes
    }

    private mutating func append(_ value: LogValue) {
        switch value {
        case .string(let text): append(string: text)
        case .integer(let number): append(raw: String(number))
        case .number(let number): append(raw: number.isFinite ? "\(number)" : "null")
        case .boolean(let isTrue): append(raw: isTrue ? "true" : "false")
        case .duration(let duration): append(raw: Self.milliseconds(duration))
        case .instant(let instant): append(string: Self.timestamp(instant))
        case .null: append(raw: "null")
        case .redacted: append(string: Redacted(()).description)
        case .list(let values):
            bytes.append(0x5B)
            for (index, value) in values.prefix(Self.longestList).enumerated() {
                if index > 0 { bytes.append(0x2C) }
                // A list in a list is shown by its size: depth stays one.
                if case .list(let inner) = value {
                    append(string: "\(inner.count) values")
                } else {
                    append(value)
                }
            }
            bytes.append(0x5D)
        }
    }

    /// RFC 3339 with three digits of the second always, so that lines sort by their text.
    static func timestamp(_ instant: Instant) -> String {
        let text = instant.description
        return text.utf8.contains(0x2E) ? text : text.dropLast() + ".000Z"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let whole = seconds.multipliedReportingOverflow(by: 1000)
        guard !whole.overflow else { return "null" }
        let micros = attoseconds / 1_000_000_000_000
        let isNegative = seconds < 0 || attoseconds < 0
        let millis = (whole.partialValue &+ micros / 1000).magnitude
        let fraction = CivilTime.padded(Int((micros % 1000).magnitude), 3)
        return "\(isNegative ? "-" : "")\(millis).\(fraction)"
    }

    /// Whether a character stands for itself, in JSON and on a terminal: nearly all do.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
    }

    private mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

    /// Quotes a string: besides what JSON demands, every character is escaped that could move a
    /// terminal's cursor, end a line for some reader, or turn the direction of what follows.
    private mutating func append(string text: String) {
        if text.utf8.count <= Self.longestString, text.utf8.allSatisfy(Self.isPlain) {
            bytes.append(0x22)
            bytes.append(contentsOf: text.utf8)
            bytes.append(0x22)
            return
        }
        bytes.append(0x22)
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= Self.longestString else {
                append(raw: "… (\(text.utf8.count) bytes)")
                break
            }
            switch scalar.value {
            case 0x22: append(raw: "\\\"")
            case 0x5C: append(raw: "\\\\")
            case 0x0A: append(raw: "\\n")
            case 0x0D: append(raw: "\\r")
            case 0x09: append(raw: "\\t")
            case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                let digits = String(scalar.value, radix: 16)
                append(raw: "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            default:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        bytes.append(0x22)
    }
}
