import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

/// `counterfoil inspect`: everything that can be said of one document.
enum InspectCommand {
    enum Format: String, CaseIterable {
        case human
        case json
        case verifyReceipt = "verify-receipt"
    }

    static let command = Command(
        "inspect",
        "explain one document: verdict, story, checks, content",
        discussion: [
            "Explains a receipt, signed data (JWS), a notification V1 or V2, or an answer of the"
                + " Server API: is it genuine, how was that checked, and what does it say?"
        ],
        options: [format, TrustOptions.bundleIds, device] + TrustOptions.all.dropFirst(),
        arguments: [file],
        examples: [
            Command.Example("pbpaste | counterfoil inspect", "whatever was copied, as a story")
        ],
        action: run
    )

    private static let format = Option.value(
        "format",
        .choice(of: Format.self).named("FORMAT"),
        default: .human,
        "human, json or verify-receipt"
    )
    private static let device = Option.value(
        "device-id",
        .device,
        "the device it must be for: UUID or MAC address"
    )
    private static let file = Argument.optional(
        "FILE",
        .file,
        "the document; without it, or as -, standard input"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let files = try TrustFiles(invocation)
        let judge = try Judge(invocation, files, device: invocation[device])
        let source = invocation[file] ?? Input.standardInput
        let bytes = try Input.read(source, limit: judge.limits.inputBytes)
        let now = TrustOptions.now(invocation)
        switch invocation[format] {
        case .human:
            let inspection = Inspection(of: bytes, by: judge, now: now)
            let report = InspectionReport(
                inspection,
                hints: Hint.hints(for: inspection),
                on: streams.output.terminal
            )
            try streams.output.lines(report.lines)
            return ExitCode(inspection.judgement.verdict)
        case .json:
            let inspection = Inspection(of: bytes, by: judge, now: now)
            let json = inspection.json(source: FileName.shown(source))
            try streams.output.write(json: json + [0x0A])
            return ExitCode(inspection.judgement.verdict)
        case .verifyReceipt:
            let judgement = judge.judge(bytes, now: now)
            let answer = try VerifyReceiptAnswer(to: bytes, judgement, apps: judge.bundleIds, files)
            try answer.write(to: streams)
            return answer.exitCode
        }
    }
}

extension ExitCode {
    /// What the process tells its caller about a verdict.
    init(_ verdict: Judgement.Verdict) {
        switch verdict {
        case .verified, .vouched: self = .success
        case .refused: self = .refused
        case .undecided: self = .undecided
        }
    }
}
