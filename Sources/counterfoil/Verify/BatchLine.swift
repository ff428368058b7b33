import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

/// A line of a batch: a receipt in base 64 or as a JSON string, or a JSON object that has one under
/// the key of verifyReceipt's requests.
struct BatchLine {
    /// A line with more bytes than are read; it is passed over and keeps its place.
    static let tooLong: ErrorCode = "input.line_too_long"

    /// The most bytes of a line: a receipt of the largest size in base 64, and half as much again
    /// for escapes and for what else stands in its object.
    static let mostBytes = 12 << 20

    private static let key = "receipt-data"

    let bytes: ArraySlice<UInt8>

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The line without a byte order mark and blanks before it; nil when nothing is left.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }) else { return nil }
        self.bytes = bytes[first...]
    }

    /// The verdict about what stands in the line.
    func outcome(by judge: Judge, now: Instant) -> Verdict.Outcome {
        guard bytes.first == UInt8(ascii: "{") else {
            return .judged(judge.judge(Array(bytes), now: now))
        }
        do {
            let object = try JSONEnvelope(parsing: Array(bytes))
            guard let receipt = object.withString(Self.key, { Self.copy($0) }) else {
                return Self.refusal(of: object)
            }
            return .judged(judge.judge(receipt, now: now))
        } catch {
            return .refused(error.code, reason: error.reason)
        }
    }

    private static func copy(_ text: Span<UInt8>) -> [UInt8] {
        text.withUnsafeBufferPointer { Array($0) }
    }

    private static func refusal(of object: JSONEnvelope) -> Verdict.Outcome {
        if let value = object[key] {
            return .refused(
                JSONError.wrongType,
                reason: "\"\(key)\" is \(value.kindInWords), expected a string"
            )
        }
        return .refused(
            JSONError.missingMember,
            reason: "the object has no \"\(key)\"; found \(words(for: object.keys))"
        )
    }

    /// The first few keys, each cut where it is long.
    private static func words(for keys: [String]) -> String {
        guard !keys.isEmpty else { return "no key at all" }
        let shown = keys.prefix(3).map { key in
            let short = key.unicodeScalars.prefix(32)
            let isCut = short.endIndex < key.unicodeScalars.endIndex
            return "\"\(String(short))\(isCut ? "…" : "")\""
        }
        let more = keys.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
