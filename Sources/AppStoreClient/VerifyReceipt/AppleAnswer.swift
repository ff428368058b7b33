package import AppStoreModel
import CounterfoilBasics
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
