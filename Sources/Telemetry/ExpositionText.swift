/// Writes Prometheus' text format 0.0.4.
struct ExpositionText {
    private(set) var bytes: [UInt8] = []

    /// The two lines before the samples of a family.
    mutating func head(name: String, kind: String, help: String) {
        append("# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind)\n")
    }

    /// One line: a name, labels, and a value that is already a number's text.
    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        append(name)
        if !labels.isEmpty {
            let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }
            append("{\(list.joined(separator: ","))}")
        }
        append(" \(value)\n")
    }

    /// A number as the format writes it; the infinities and NaN have names.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }

    /// Backslash and line feed are escaped everywhere, the quotation mark in label values.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || quotes && $0 == 0x22 }) else {
            return text
        }
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x5C: escaped += [0x5C, 0x5C]
            case 0x0A: escaped += [0x5C, 0x6E]
            case 0x22 where quotes: escaped += [0x5C, 0x22]
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

/// The characters that names may have.
enum MetricName {
    /// Whether a metric may have the name: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func isValid(_ name: String) -> Bool { check(name, allowsColon: true) }

    /// Whether a label may have the name: `[a-zA-Z_][a-zA-Z0-9_]*`, without the two underscores
    /// and the `le` that Prometheus keeps for itself.
    static func isValidLabel(_ name: String) -> Bool {
        check(name, allowsColon: false) && !name.hasPrefix("__") && name != "le"
    }

    private static func check(_ name: String, allowsColon: Bool) -> Bool {
        !name.isEmpty
            && name.utf8.enumerated().allSatisfy { index, byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A, 0x5F: true
                case 0x30...0x39: index > 0
                case 0x3A: allowsColon
                default: false
                }
            }
    }
}
