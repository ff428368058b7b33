import AppStoreModel
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

/// `counterfoil verify`: one verdict a line for any number of documents.
enum VerifyCommand {
    static let command = Command(
        "verify",
        "judge many receipts, one JSON verdict a line",
        discussion: [
            "Judges files, and everything below folders in the order of their names, and prints one"
                + " JSON object a line for each. Below folders, names that begin with a dot are"
                + " passed over.",
            "The exit code is that of the worst: 2 when any could not be read or decided, else 1"
                + " when any was refused.",
        ],
        options: TrustOptions.all,
        arguments: [paths],
        examples: [
            Command.Example("counterfoil verify --bundle-id com.example.app receipts/", "a folder")
        ],
        action: run
    )

    private static let paths = Argument.list(
        "PATH",
        atLeast: 1,
        .file.named("PATH"),
        "files and folders; - is standard input"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let judge = Judge(
            verifier: ReceiptVerifier(trust: try TrustFiles(invocation).trust),
            bundleIds: invocation[TrustOptions.bundleIds]
        )
        let now = TrustOptions.now(invocation)
        var worst = ExitCode.success
        for path in invocation[paths] {
            for found in FileWalk(from: path) {
                let verdict = Verdict(of: found, by: judge, now: now)
                try streams.output.write(bytes: verdict.line)
                worst = worst.rawValue < verdict.exitCode.rawValue ? verdict.exitCode : worst
            }
        }
        return worst
    }
}

/// One line of `counterfoil verify`.
private struct Verdict {
    /// A file that could not be opened or read.
    private static let unreadable: ErrorCode = "input.unreadable"
    /// A file that holds more bytes than are read.
    private static let tooLarge: ErrorCode = "input.too_large"

    private let source: String
    private let outcome: Result<Judgement, InputError>

    init(of found: Result<String, InputError>, by judge: Judge, now: Instant) {
        switch found {
        case .failure(let error):
            source = error.name
            outcome = .failure(error)
        case .success(let name):
            source = name
            do {
                let bytes = try Input.read(name, limit: judge.verifier.limits.inputBytes)
                outcome = .success(judge.judge(bytes, now: now))
            } catch {
                outcome = .failure(error)
            }
        }
    }

    var exitCode: ExitCode {
        switch outcome {
        case .success(let judgement): ExitCode(judgement.verdict)
        case .failure: .undecided
        }
    }

    /// The JSON object and a line feed.
    var line: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.member("source", source)
            switch outcome {
            case .success(let judgement): Self.write(judgement, to: &writer)
            case .failure(let error): Self.write(error, to: &writer)
            }
        }
        return writer.finish() + [0x0A]
    }

    private static func write(_ judgement: Judgement, to writer: inout JSONWriter) {
        let scope = judgement.receipt?.proof.scope
        writer.nullable("kind", judgement.document?.kind.rawValue)
        writer.member("verdict", judgement.verdict.rawValue)
        writer.nullable("code", judgement.objection?.code.rawValue)
        writer.nullable("reason", judgement.objection?.reason)
        writer.nullable("environment", scope?.environment.rawValue)
        writer.nullable("bundleId", scope?.bundleId)
        writer.key("appMatched")
        if let matched = judgement.appMatched { writer.bool(matched) } else { writer.null() }
        writer.member("purchases", Int64(judgement.purchaseCount))
    }

    private static func write(_ error: InputError, to writer: inout JSONWriter) {
        writer.nullable("kind", nil)
        writer.member("verdict", Judgement.Verdict.undecided.rawValue)
        writer.member("code", code(of: error).rawValue)
        writer.member("reason", error.description)
        for key in ["environment", "bundleId", "appMatched"] as [StaticString] {
            writer.nullable(key, nil)
        }
        writer.member("purchases", 0)
    }

    private static func code(of error: InputError) -> ErrorCode {
        if case .tooLarge = error.reason { tooLarge } else { unreadable }
    }
}

extension JSONWriter {
    fileprivate mutating func nullable(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }
}
