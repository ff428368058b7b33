import AppStoreClient
import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection

/// `counterfoil compare`: Apple's answers beside ours.
enum CompareCommand {
    enum Format: String, CaseIterable {
        case human
        case json
    }

    static let command = Command(
        "compare",
        "ask Apple too, and show in what the answers differ",
        discussion: [
            "Asks Apple's verifyReceipt about receipts, answers them itself, and shows the fields"
                + " that differ. The receipts and the secret go to Apple, or to URL."
        ],
        options: [format, AppleDesk.url] + TrustOptions.all,
        arguments: [files],
        examples: [
            Command.Example(
                "counterfoil compare --shared-secret-file secret.txt receipts/*.b64",
                "with the password that Apple wants for subscriptions"
            )
        ],
        action: run
    )

    private static let format = Option.value(
        "format",
        .choice(of: Format.self).named("FORMAT"),
        default: .human,
        "human, or json: an object a line"
    )
    private static let files = Argument.list(
        "FILE",
        atLeast: 1,
        .file,
        "receipts; - is standard input"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let trust = try TrustFiles(invocation)
        let comparison = Comparison(
            judge: try Judge(invocation, trust),
            trust: trust,
            desk: try AppleDesk(invocation),
            now: TrustOptions.now(invocation),
            format: invocation[format]
        )
        var worst = ExitCode.success
        for file in invocation[files] {
            worst = worst.worse(try await comparison.compare(file, streams))
        }
        return worst
    }

    /// What all files have in common.
    private struct Comparison {
        let judge: Judge
        let trust: TrustFiles
        let desk: AppleDesk
        let now: Instant
        let format: Format

        func compare(_ file: String, _ streams: Streams) async throws -> ExitCode {
            let bytes: [UInt8]
            do {
                bytes = try Input.read(file, limit: judge.limits.inputBytes)
            } catch {
                return try fail(file, nil, error.description, streams)
            }
            let judgement = judge.judge(bytes, now: now)
            switch await desk.ask(about: judgement) {
            case .notAsked(let reason): return try fail(file, nil, reason.description, streams)
            case .failed(let failure): return try fail(file, failure.code, failure.reason, streams)
            case .answered(let answer):
                let apps = judge.bundleIds
                let ours = try VerifyReceiptAnswer(to: bytes, judgement, apps: apps, trust)
                let answers = try ComparedAnswers(source: file, answer, ours)
                switch format {
                case .json: try write(answers.json, streams)
                case .human:
                    let columns = streams.output.terminal.columns
                    try streams.output.lines(answers.lines(columns: columns))
                }
                return answers.differences.isEmpty ? .success : .refused
            }
        }

        /// Says why a file could not be compared, in the place of its comparison.
        private func fail(
            _ file: String,
            _ code: ErrorCode?,
            _ reason: String,
            _ streams: Streams
        ) throws -> ExitCode {
            let name = FileName.shown(file)
            switch format {
            case .json:
                let apple = JSONValue.object(AppleDesk.Finding.object(code, reason))
                try write(
                    ["source": .string(name), "apple": apple, "ours": .null, "differences": []],
                    streams
                )
            case .human:
                let cause = code.map { "\($0): " } ?? ""
                try streams.output.line("\(name): \("not compared", .red): \(cause + reason)")
            }
            return .undecided
        }

        private func write(_ object: JSONObject, _ streams: Streams) throws {
            try streams.output.write(json: JSONValue.object(object).document() + [0x0A])
        }
    }
}
