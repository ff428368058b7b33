public import CounterfoilBasics
import CounterfoilJSON

/// Why a body is no notification.
public struct NotificationError: CodedError, Hashable, Sendable {
    /// ``neitherVersion``, or one of `JSONError/allCodes`.
    public let code: ErrorCode

    /// What was found and expected, and where.
    public let reason: String

    /// The body has neither a string `signedPayload` nor a `notification_type`.
    public static let neitherVersion: ErrorCode = "notification.neither_version"

    init(_ error: JSONError) {
        code = error.code
        reason = error.reason
    }

    init(foundNeitherIn found: String) {
        code = Self.neitherVersion
        reason =
            "expected a string signedPayload (version 2) or a notification_type (version 1), "
            + "found \(found)"
    }
}
