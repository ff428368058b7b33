import AppStoreSimulator
import CounterfoilBasics
import Testing

@testable import AppStoreVerification

/// Genuinely signed documents that are larger than any of the App Store's.
@Suite("Limits of signed data")
struct SignedDataLimitTests {
    private let authority: SigningAuthority
    private let trust: Trust

    init() throws {
        authority = try SignedDataShape.authority.get()
        trust = try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
    }

    /// A genuine transaction with one more member, whose value is given as JSON.
    private func text(_ member: String) throws -> String {
        let payload = """
            {"transactionId":"1","originalTransactionId":"1","productId":"month",\
            "bundleId":"com.example.app","environment":"Sandbox",\
            "signedDate":\(SignedDataShape.now.millisecondsSince1970),"rehearsal":\(member)}
            """
        return try SignedDataIssuer(authority: authority).sign(payload: Array(payload.utf8))
    }

    /// The code of the refusal; nil where it is verified.
    private func code(of text: String, limits: VerificationLimits = .default) -> String? {
        do throws(VerificationError) {
            let verifier = SignedDataVerifier(trust: trust, limits: limits)
            _ = try verifier.verify(CompactJWS(text, limits: limits), now: SignedDataShape.now)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    private func filling(_ bytes: Int) -> String {
        "\"" + String(repeating: "x", count: bytes) + "\""
    }

    @Test("A payload of 8 MiB is refused before anything of it is read, one of 5 MiB is read")
    func large() throws {
        #expect(try code(of: text(filling(8 << 20))) == "limit.input_bytes")
        #expect(try code(of: text(filling(5 << 20))) == nil)
    }

    @Test("A document may have as many bytes as the limit says, and not one more")
    func bytes() throws {
        let text = try text("true")
        var limits = VerificationLimits.default
        limits.inputBytes = text.utf8.count
        #expect(code(of: text, limits: limits) == nil)
        limits.inputBytes -= 1
        #expect(code(of: text, limits: limits) == "limit.input_bytes")
    }

    @Test("A header may have as many letters as the limit says, and not one more")
    func header() throws {
        let text = try text("true")
        var limits = VerificationLimits.default
        limits.headerBytes = text.utf8.firstIndex(of: UInt8(ascii: "."))!.utf16Offset(in: text)
        #expect(code(of: text, limits: limits) == nil)
        limits.headerBytes -= 1
        #expect(code(of: text, limits: limits) == "limit.header_bytes")
    }

    @Test("Values and nesting are counted")
    func values() throws {
        // The object, its six other members, and the array itself.
        let room = VerificationLimits.default.payloadValues - 8
        let values = { (count: Int) in
            "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        }
        #expect(try code(of: text(values(room))) == nil)
        #expect(try code(of: text(values(room + 1))) == "payload.malformed")
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let deepest = VerificationLimits.default.payloadDepth - 1
        #expect(try code(of: text(nested(deepest))) == nil)
        #expect(try code(of: text(nested(deepest + 1))) == "payload.malformed")
        #expect(try code(of: text(nested(1_000_000))) == "payload.malformed")
    }
}
