import CounterfoilBasics
import CounterfoilJSON

/// Signed data in its compact form (RFC 7515 §7.1) before it is text: every part can be exchanged,
/// before and after signing.
struct CompactDraft: Sendable {
    /// The bytes of the header.
    var header: [UInt8]
    /// The bytes of the payload.
    var payload: [UInt8]
    var key: SigningKey
    var digest = SigningDigest.sha256
    /// The bytes of the signature.
    var signature: [UInt8] = []
    /// The letters of the payload, when they are not its base64url.
    var payloadLetters: String?

    /// What is signed: the letters of header and payload with a dot between them (§5.1).
    var signed: String {
        Base64.encode(header.span, .urlSafe) + "."
            + (payloadLetters ?? Base64.encode(payload.span, .urlSafe))
    }

    mutating func sign() throws(SimulatorError) {
        signature = try key.signPlain(Array(signed.utf8).span, digest)
    }

    /// The three segments with dots between them.
    var text: String { signed + "." + Base64.encode(signature.span, .urlSafe) }

    /// Changes the members of the header.
    mutating func changeHeader(_ change: (inout JSONObject) -> Void) throws(SimulatorError) {
        header = try Self.changing(header, change)
    }

    /// Changes the members of the payload.
    mutating func changePayload(_ change: (inout JSONObject) -> Void) throws(SimulatorError) {
        payload = try Self.changing(payload, change)
    }

    private static func changing(
        _ bytes: [UInt8],
        _ change: (inout JSONObject) -> Void
    ) throws(SimulatorError) -> [UInt8] {
        var object: JSONObject
        do {
            object = try JSONMembers(JSONValue(parsing: bytes)).object
        } catch {
            throw SimulatorError(
                SimulatorError.notRepresentable,
                "found signed data whose members cannot be changed: \(error.reason)"
            )
        }
        change(&object)
        return JSONValue.object(object).document()
    }
}
