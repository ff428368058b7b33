import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

/// One line of what `counterfoil verify` prints.
struct Verdict: Sendable {
    /// How a document came to its verdict.
    enum Outcome: Sendable {
        /// It was judged.
        case judged(Judgement)
        /// There is no document in what was handed in.
        case refused(ErrorCode, reason: String)
        /// It could not be read.
        case unread(ErrorCode, reason: String)
    }

    let source: String
    let outcome: Outcome
    /// What came of asking Apple; nil where that was not wanted.
    var apples: AppleDesk.Finding?

    /// What came of judging it; nil where there was nothing to judge.
    var judgement: Judgement? {
        if case .judged(let judgement) = outcome { judgement } else { nil }
    }

    var verdict: Judgement.Verdict {
        switch outcome {
        case .judged(let judgement): judgement.verdict
        case .refused: .refused
        case .unread: .undecided
        }
    }

    /// Why it was not verified.
    var code: ErrorCode? {
        switch outcome {
        case .judged(let judgement): judgement.objection?.code
        case .refused(let code, _), .unread(let code, _): code
        }
    }

    private var reason: String? {
        switch outcome {
        case .judged(let judgement): judgement.objection?.reason
        case .refused(_, let reason), .unread(_, let reason): reason
        }
    }

    /// The JSON object and a line feed.
    var line: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        write(to: &writer)
        return writer.finish() + [0x0A]
    }

    private func write(to writer: inout JSONWriter) {
        let proof = judgement?.proof
        writer.object { writer in
            writer.member("source", FileName.shown(source))
            writer.nullable("kind", judgement?.document?.kind.rawValue)
            writer.member("verdict", verdict.rawValue)
            writer.nullable("code", code?.rawValue)
            writer.nullable("reason", reason)
            writer.nullable("environment", proof?.environment?.rawValue)
            writer.nullable("bundleId", proof?.bundleId)
            writer.nullable("appMatched", judgement?.appMatched)
            writer.member("purchases", Int64(judgement?.purchaseCount ?? 0))
            writer.nullable("type", judgement?.type?.rawValue)
            writer.nullable("label", judgement?.label?.rawValue)
            writer.member("documents", Int64(judgement?.parts.count ?? 0))
            if let apples { writer.member("apple", value: apples.json) }
        }
    }
}

extension Verdict {
    /// A file that could not be opened or read.
    private static let unreadable: ErrorCode = "input.unreadable"
    /// A file that holds more bytes than are read.
    private static let tooLarge: ErrorCode = "input.too_large"

    /// Judges what a walk through files came upon.
    init(of found: Result<String, InputError>, by judge: Judge, now: Instant) {
        switch found {
        case .failure(let error): self.init(source: error.name, unread: error)
        case .success(let name):
            do {
                let bytes = try Input.read(name, limit: judge.limits.inputBytes)
                self.init(source: name, outcome: .judged(judge.judge(bytes, now: now)))
            } catch {
                self.init(source: name, unread: error)
            }
        }
    }

    private init(source: String, unread error: InputError) {
        let outcome = Outcome.unread(Self.code(of: error), reason: error.description)
        self.init(source: source, outcome: outcome)
    }

    private static func code(of error: InputError) -> ErrorCode {
        if case .tooLarge = error.reason { tooLarge } else { unreadable }
    }
}
