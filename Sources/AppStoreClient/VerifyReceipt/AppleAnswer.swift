package import AppStoreModel
package import CounterfoilBasics
package import CounterfoilJSON
import HTTP

/// What Apple's verifyReceipt answered; bytes that nobody signed.
package struct AppleAnswer: Sendable {
    /// The answer, read.
    package let reply: VerifyReceiptReply
    /// The answer as it came.
    package let body: [UInt8]
    /// The address that it came from.
    package let side: VerifyReceiptAddresses.Side
    /// The host of that address, with its port where one is stated.
    package let host: String

    /// The status.
    package var status: VerifyReceiptStatus { reply.status }

    /// Apple's number of the status.
    package var statusNumber: Int { reply.status.rawValue }

    /// More than an answer about the 5,000 purchases of a two-megabyte receipt has.
    package static let limits = JSONLimits(bytes: 24 << 20, depth: 32, values: 1_000_000)

    /// Reads the answer of a host.
    ///
    /// - Throws: `apple.http_status`, `apple.empty`, `apple.not_json` or `apple.no_status`.
    init(
        _ response: HTTPResponse,
        from side: VerifyReceiptAddresses.Side,
        _ host: String
    ) throws(AppleFailure) {
        guard response.status == .ok else {
            throw AppleFailure(response.status, from: host)
        }
        guard case .bytes(let body) = response.body, !body.isEmpty else {
            throw AppleFailure(AppleFailure.empty, "\(host) answers 200 with nothing")
        }
        self.side = side
        self.host = host
        self.body = body
        reply = try Self.reply(in: body, from: host)
    }

    private static func reply(
        in body: [UInt8],
        from host: String
    ) throws(AppleFailure) -> VerifyReceiptReply {
        let members: JSONMembers
        do {
            members = try JSONMembers(JSONValue(parsing: body, limits: limits))
        } catch {
            let kind = looksLikeHTML(body) ? "HTML" : "no JSON object"
            throw AppleFailure(
                AppleFailure.notJSON,
                "\(host) answers with \(body.count) bytes that are \(kind) (\(error.code))"
            )
        }
        do {
            return try VerifyReceiptReply(members.object)
        } catch {
            throw AppleFailure(AppleFailure.noStatus, "\(host): \(error.reason)")
        }
    }

    private static func looksLikeHTML(_ body: [UInt8]) -> Bool {
        body.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
    }
}

/// Why Apple gave no answer that could be read.
package struct AppleFailure: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String
    /// Whether the same question may be answered in a moment.
    package let isPassing: Bool

    package init(_ code: ErrorCode, _ reason: String) {
        self.init(code, reason, isPassing: ![Self.untrusted, Self.tooLarge].contains(code))
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
        let (code, isPassing): (ErrorCode, Bool) =
            switch error.code {
            case HTTPCallError.timeout: (Self.timedOut, true)
            case HTTPCallError.hostUnknown, HTTPCallError.unreachable,
                HTTPCallError.connectTimeout:
                (Self.unreachable, true)
            case HTTPCallError.cut, HTTPCallError.malformed: (Self.cut, true)
            case HTTPCallError.untrusted: (Self.untrusted, false)
            case HTTPCallError.tooLarge: (Self.tooLarge, false)
            case HTTPCallError.tooMany: (Self.busy, false)
            default: (Self.failed, false)
            }
        self.init(code, "\(error.code) \(error.reason)", isPassing: isPassing)
    }
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
