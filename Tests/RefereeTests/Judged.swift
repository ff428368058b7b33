import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilCryptography
import Testing

/// A document with this project's verdict, to be compared with those of the referees.
struct Judged {
    let request: RefereeRequest
    /// The flaw, the shape or the name by which differences are told.
    private(set) var subject: String
    /// The code of our refusal; nil when the receipt is verified.
    let code: String?
    /// The app that it is of, when it is verified.
    let bundleId: String?

    /// Judges a receipt.
    ///
    /// - Parameters:
    ///   - subject: what is special about it.
    ///   - id: tells it from the others of one comparison.
    ///   - input: its bytes, or a text of them.
    ///   - trust: whom we believe.
    ///   - roots: whom the referees shall believe, as PEM.
    ///   - issuers: whom they may put between, as PEM.
    ///   - now: our clock.
    init(
        _ subject: String,
        id: String,
        _ input: [UInt8],
        trust: Trust,
        roots: [String],
        issuers: [String] = [],
        now: Instant
    ) {
        self.subject = subject
        var bytes = input
        var kind = RefereeRequest.Kind.app
        var signedAt: Instant?
        do throws(VerificationError) {
            let document = try Document(detecting: input)
            bytes = document.bytes
            if document.kind == .transactionReceipt { kind = .transaction }
            signedAt = UnprovedReceipt(reading: document).signingDate
            let receipt = try ReceiptVerifier(trust: trust).verify(document, now: now)
            code = nil
            bundleId = receipt.proof.scope.bundleId
        } catch {
            code = error.code.rawValue
            bundleId = nil
        }
        request = RefereeRequest(
            id,
            kind,
            bytes,
            roots: roots,
            issuers: issuers,
            at: signedAt
        )
    }

    /// Judges signed data.
    ///
    /// - Parameters:
    ///   - subject: what is special about it.
    ///   - id: tells it from the others of one comparison.
    ///   - text: the document.
    ///   - expected: what it must be.
    ///   - anchors: whom we and the referees shall believe, as PEM.
    ///   - signedAt: when it says that it was signed.
    ///   - now: our clock.
    /// - Throws: for anchors that are none.
    init(
        _ subject: String,
        id: String,
        _ text: String,
        _ expected: RefereeRequest.Expected,
        anchors: [String],
        signedAt: Instant,
        now: Instant
    ) throws {
        self.subject = subject
        let trust = try Trust.rehearsal(anchors: Array(anchors.joined().utf8))
        do throws(VerificationError) {
            let document = try SignedDataVerifier(trust: trust).verify(
                CompactJWS(text),
                of: ExpectedApp(expected),
                now: now
            )
            code = document.isFor(expected) ? nil : "caller"
            bundleId = document.proof?.scope.bundleId
        } catch {
            code = error.code.rawValue
            bundleId = nil
        }
        request = RefereeRequest(
            id,
            .signed,
            Array(text.utf8),
            roots: anchors,
            at: signedAt,
            expected: expected
        )
    }

    var isVerified: Bool { code == nil }

    /// The same, of a document that is spoiled for a reason for which we must refuse it; a receipt
    /// of another app or environment is for our caller to refuse.
    func spoiled(for reason: ReasonClass) -> Judged {
        let isForCaller = request.kind != .signed && [.app, .environment].contains(reason)
        #expect(!isVerified || isForCaller, "\(request.id) is verified")
        return self
    }

    /// The same under another subject.
    func renamed(_ subject: String) -> Judged {
        var copy = self
        copy.subject = subject
        return copy
    }
}

extension ExpectedApp {
    fileprivate init(_ expected: RefereeRequest.Expected) {
        self.init(
            bundleId: expected.bundleId,
            appAppleId: expected.appAppleId,
            environments: [StoreEnvironment(rawValue: expected.environment)]
        )
    }
}

extension VerifiedSignedData {
    /// Whether the document is what was expected, where only a caller can tell: its kind, and
    /// whether one that names no app is of the right environment and Apple ID.
    fileprivate func isFor(_ expected: RefereeRequest.Expected) -> Bool {
        guard kind.rawValue == expected.kind else { return false }
        return switch self {
        case .renewalInfo(let info): info.environment.rawValue == expected.environment
        case .realtimeRequest(let request):
            request.environment.rawValue == expected.environment
                && (request.environment != .production
                    || request.appAppleId == expected.appAppleId)
        default: true
        }
    }
}

/// A referee's verdict that is not ours.
struct Difference: Hashable, CustomStringConvertible {
    let referee: Referee
    /// See ``Judged/subject``.
    let subject: String
    let refereeVerifies: Bool

    var description: String {
        "\(referee.rawValue) \(refereeVerifies ? "verifies" : "refuses") \(subject)"
    }

    /// Asks the referees, and tells where they differ from us and in which words.
    static func all(among documents: [Judged]) throws -> [(difference: Difference, words: String)] {
        let verdicts = try RefereeProcess.verdicts(on: documents.map(\.request))
        var found: [(difference: Difference, words: String)] = []
        for document in documents {
            for (referee, verdict) in verdicts[document.request.id] ?? [:] {
                if verdict.verified, document.isVerified, let theirs = verdict.bundleId {
                    #expect(theirs == document.bundleId, "\(document.request.id)")
                }
                guard verdict.verified != document.isVerified else { continue }
                let difference = Difference(
                    referee: referee,
                    subject: document.subject,
                    refereeVerifies: verdict.verified
                )
                let theirWord = verdict.verified ? "verified" : verdict.says
                let words = "\(document.request.id): \(referee.rawValue) says \(theirWord), we say "
                found.append((difference, words + (document.code ?? "verified")))
            }
        }
        return found
    }
}
