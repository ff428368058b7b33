import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

/// A line of a batch: a receipt in base 64, a JWS, either as a JSON string, or a JSON object that is
/// a document or has one under the key of verifyReceipt's requests or of notifications.
struct BatchLine {
    /// A line with more bytes than are read; it is passed over and keeps its place.
    static let tooLong: ErrorCode = "input.line_too_long"

    /// The most bytes of a line: a receipt of the largest size in base 64, and half as much again
    /// for escapes and for what else stands in its object.
    static let mostBytes = 12 << 20

    /// The keys of documents that stand in a JSON object, in the order in which they count.
    private static let keys = ["receipt-data", "signedPayload"]

    let bytes: ArraySlice<UInt8>

    /// The line without a byte order mark and blanks before it; nil when nothing is left.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes.withoutLeadingBlanks
        if self.bytes.isEmpty { return nil }
    }

    /// The verdict about what stands in the line.
    func outcome(by judge: Judge, now: Instant) -> Verdict.Outcome {
        switch bytes[bytes.startIndex] {
        case UInt8(ascii: "{"): return outcome(ofObject: Array(bytes), by: judge, now: now)
        // Only JSON begins so, and base 64 can be all digits.
        case UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            if let refusal = Self.refusal(ofJSON: Array(bytes)) { return refusal }
        default: break
        }
        return .judged(judge.judge(Array(bytes), now: now))
    }

    private func outcome(
        ofObject text: [UInt8],
        by judge: Judge,
        now: Instant
    ) -> Verdict.Outcome {
        let object: JSONEnvelope
        do {
            object = try JSONEnvelope(parsing: text)
        } catch {
            return .refused(error.code, reason: error.reason)
        }
        if let receipt = object.withString(Self.keys[0], { Self.copy($0) }) {
            return .judged(judge.judge(receipt, now: now))
        }
        let judgement = judge.judge(text, now: now)
        let isNoDocument = judgement.objection?.code == VerificationError.unknownDocument
        return isNoDocument ? Self.refusal(of: object) : .judged(judgement)
    }

    private static func copy(_ text: Span<UInt8>) -> [UInt8] {
        text.withUnsafeBufferPointer { Array($0) }
    }

    /// Why a line that is JSON is no document; nil when it is something else, or a string.
    private static func refusal(ofJSON text: [UInt8]) -> Verdict.Outcome? {
        do {
            let value = try JSONValue(parsing: text)
            return .refused(
                JSONError.wrongType,
                reason: "the line is \(value.kindInWords), expected a string or an object"
            )
        } catch {
            guard text.first == UInt8(ascii: "[") else { return nil }
            return .refused(error.code, reason: error.reason)
        }
    }

    private static func refusal(of object: JSONEnvelope) -> Verdict.Outcome {
        for key in keys {
            guard let value = object[key], value.string == nil else { continue }
            return .refused(
                JSONError.wrongType,
                reason: "\"\(key)\" is \(value.kindInWords), expected a string"
            )
        }
        return .refused(
            JSONError.missingMember,
            reason: "the object has no \"receipt-data\" and no signed document; found "
                + words(for: object.keys)
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
