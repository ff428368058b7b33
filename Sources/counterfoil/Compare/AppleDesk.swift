import AppStoreClient
import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import HTTPClient

/// Apple's verifyReceipt, or a stand-in for it, as the options say.
struct AppleDesk: Sendable {
    static let url = Option.value(
        "apple-url",
        ValueReader<VerifyReceiptAddresses>(
            "an address of https, or one of http on this machine",
            placeholder: "URL",
            read: { VerifyReceiptAddresses(below: $0) }
        ),
        "ask URL/verifyReceipt and so on, not Apple"
    )

    private let client: VerifyReceiptClient
    private let password: Redacted<String>?
    private let isStandIn: Bool

    /// Prepares to ask as the options say; the first file with a shared secret has the password.
    ///
    /// The way out is the one that `https_proxy` and its like say in the environment.
    init(_ invocation: Invocation) throws {
        let addresses = invocation[Self.url]
        isStandIn = addresses != nil
        password = try invocation[TrustOptions.secretFiles].first.map { file in
            Redacted(try SecretFile.secret(in: file))
        }
        var settings = HTTPClientSettings()
        settings.route = addresses?.areOnThisMachine == true ? .direct() : .environment
        client = VerifyReceiptClient(try CurlClient(settings), at: addresses ?? .apple)
    }

    /// What came of asking about a document.
    enum Finding: Sendable {
        case answered(AppleAnswer)
        case failed(AppleFailure)
        /// Nobody was asked: it is no receipt, or one that Apple knows nothing of.
        case notAsked(StaticString)
    }

    /// Asks production first, and the sandbox where that says so.
    func ask(about judgement: Judgement?) async -> Finding {
        guard let document = judgement?.document,
            document.kind == .appReceipt || document.kind == .transactionReceipt
        else { return .notAsked("it is no receipt, and Apple's endpoint reads nothing else") }
        switch judgement?.proof?.realm {
        case .xcode: return .notAsked("nobody but Xcode knows the receipts that it signs")
        case .rehearsal where !isStandIn:
            return .notAsked("Apple knows nothing of a local App Store's receipts")
        default: break
        }
        do {
            let question = VerifyReceiptQuestion(about: document.bytes, password: password)
            return .answered(try await client.ask(question))
        } catch {
            return .failed(error)
        }
    }
}

extension AppleDesk.Finding {
    /// What is printed of it: Apple's status and from where, or why there is none; null where
    /// nobody was asked.
    var json: JSONValue {
        switch self {
        case .notAsked: .null
        case .answered(let answer): .object(Self.object(answer))
        case .failed(let failure): .object(Self.object(failure.code, failure.reason))
        }
    }

    /// Whose status it is.
    static func object(_ answer: AppleAnswer) -> JSONObject {
        [
            "status": JSONValue(answer.statusNumber), "address": .string(answer.side.rawValue),
            "host": .string(answer.host), "code": .null, "reason": .null,
        ]
    }

    /// Why there is no status.
    static func object(_ code: ErrorCode?, _ reason: String) -> JSONObject {
        [
            "status": .null, "address": .null, "host": .null,
            "code": code.map { .string($0.rawValue) } ?? .null, "reason": .string(reason),
        ]
    }
}
