import AppStoreClient
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import HTTP
import Synchronization

/// A question about the signer of signed data of a local App Store.
enum Questions {
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant

    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 3))
    }

    static func question(
        at addresses: [String] = ["http://ocsp.example.com/a"],
        serial: UInt8 = 1
    ) throws -> OCSPQuestion {
        let authority = try authority.get().changing(.signedDataSigner) { profile in
            profile.serialNumber = [serial]
            if let address = addresses.first {
                profile.setExtension(.authorityInfoAccess(ocspResponder: address))
            }
        }
        return OCSPQuestion(
            about: try Certificate(authority[.signedDataSigner].certificate.der),
            issuedBy: try Certificate(authority[.signedDataIntermediate].certificate.der)
        )
    }
}

/// A client that answers what it is told, and remembers what it was asked.
final class FakeClient: HTTPCalling {
    typealias Answer = Result<HTTPResponse, HTTPCallError>

    private let calls = Mutex<[HTTPCall]>([])
    private let answer: @Sendable (HTTPCall) async -> Answer

    init(_ answer: @escaping @Sendable (HTTPCall) async -> Answer) { self.answer = answer }

    var asked: [HTTPCall] { calls.withLock { $0 } }

    func call(_ call: HTTPCall) async throws(HTTPCallError) -> HTTPResponse {
        calls.withLock { $0.append(call) }
        return try await answer(call).get()
    }
}

/// A desk with given questions, which takes every answer that is not empty for an hour.
final class FakeDesk: RevocationDesk {
    struct Refusal: CodedError {
        let code = HTTPCallError.failed
        let reason = "empty"
    }

    private let asked: Mutex<[OCSPQuestion]>
    private let answers = Mutex<[OCSPQuestion]>([])

    init(_ questions: [OCSPQuestion]) { asked = Mutex(questions) }

    var answered: [OCSPQuestion] { answers.withLock { $0 } }

    func add(_ question: OCSPQuestion) { asked.withLock { $0.append(question) } }

    func questions() -> [OCSPQuestion] { asked.withLock { $0 } }

    func take(
        _ response: [UInt8],
        answering question: OCSPQuestion,
        now: Instant
    ) throws(Refusal) -> Instant {
        guard !response.isEmpty else { throw Refusal() }
        answers.withLock { $0.append(question) }
        return now.advanced(by: .seconds(3600))
    }
}

/// Counts the turns of each of several.
final class Turns: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// How many turns it had before this one.
    func next(_ name: String) -> Int {
        counts.withLock { counts in
            defer { counts[name, default: 0] += 1 }
            return counts[name, default: 0]
        }
    }
}
