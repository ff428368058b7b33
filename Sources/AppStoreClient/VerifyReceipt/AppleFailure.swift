package import CounterfoilBasics
import HTTP

/// Why Apple gave no answer that could be read.
package struct AppleFailure: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String
    /// Whether the same question may be answered in a moment.
    package let isPassing: Bool

    package init(_ code: ErrorCode, _ reason: String) {
        self.init(code, reason, isPassing: Self.passing.contains(code))
    }

    private init(_ code: ErrorCode, _ reason: String, isPassing: Bool) {
        self.code = code
        self.reason = reason
        self.isPassing = isPassing
    }

    init(_ status: HTTPStatus, from host: String) {
        self.init(
            Self.httpStatus,
            "\(host) answers with the status \(status), expected 200",
            isPassing: status.code >= 500 || status == .requestTimeout
                || status == .tooManyRequests
        )
    }

    init(_ error: HTTPCallError) {
        let code =
            switch error.code {
            case HTTPCallError.timeout: Self.timedOut
            case HTTPCallError.hostUnknown, HTTPCallError.unreachable,
                HTTPCallError.connectTimeout:
                Self.unreachable
            case HTTPCallError.cut, HTTPCallError.malformed: Self.cut
            case HTTPCallError.untrusted: Self.untrusted
            case HTTPCallError.tooLarge: Self.tooLarge
            case HTTPCallError.tooMany: Self.busy
            default: Self.failed
            }
        self.init(code, "\(error.code) \(error.reason)")
    }

    private static let passing: Set = [unreachable, timedOut, cut, empty, notJSON, noStatus]
}

extension AppleFailure {
    /// Nobody answers at the address, or its name leads nowhere.
    package static let unreachable: ErrorCode = "apple.unreachable"
    /// There was no whole answer in time.
    package static let timedOut: ErrorCode = "apple.timed_out"
    /// The connection ended before the answer did, or what came is no HTTP.
    package static let cut: ErrorCode = "apple.cut"
    /// The host could not show that it is the one asked for (TLS).
    package static let untrusted: ErrorCode = "apple.untrusted"
    /// The answer has another HTTP status than 200, which Apple's has whatever it says.
    package static let httpStatus: ErrorCode = "apple.http_status"
    /// The answer is larger than is read.
    package static let tooLarge: ErrorCode = "apple.too_large"
    /// The answer has no content.
    package static let empty: ErrorCode = "apple.empty"
    /// The answer is no JSON object; a page of a maintenance or of a proxy, as a rule.
    package static let notJSON: ErrorCode = "apple.not_json"
    /// The answer is JSON without a status that is a number.
    package static let noStatus: ErrorCode = "apple.no_status"
    /// The answer has no receipt that could be believed, or one of another app or environment than
    /// the receipt that was sent.
    package static let otherReceipt: ErrorCode = "apple.other_receipt"
    /// As many questions are on their way as may be, so this one was not asked.
    package static let busy: ErrorCode = "apple.busy"
    /// The question could not be sent, or nobody waits for its answer any more.
    package static let failed: ErrorCode = "apple.failed"

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [
        unreachable, timedOut, cut, untrusted, httpStatus, tooLarge, empty, notJSON, noStatus,
        otherReceipt, busy, failed,
    ]
}
