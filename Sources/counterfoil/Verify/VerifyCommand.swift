import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

/// `counterfoil verify`: one verdict a line for any number of documents.
enum VerifyCommand {
    static let command = Command(
        "verify",
        "judge many documents, one JSON verdict a line",
        discussion: [
            "Judges files and folders (- is standard input), or each line of --batch; prints a JSON"
                + " verdict a line."
        ],
        options: TrustOptions.all + [batch, jobs, outputFile, asksApple, AppleDesk.url],
        arguments: [paths],
        examples: [
            Command.Example(
                "counterfoil verify --batch receipts.ndjson --output verdicts.ndjson",
                "as many as you like, on all processors"
            )
        ],
        action: run
    )

    private static let paths = Argument.list(
        "PATH",
        .file.named("PATH"),
        ""
    )
    private static let batch = Option.value(
        "batch",
        .file,
        "judge the lines of a file, or of -"
    )
    private static let jobs = Option.value(
        "jobs",
        .integer(in: 1...1024),
        "lines judged at once (default: processors)"
    )
    private static let outputFile = Option.value(
        "output",
        .file,
        "write the verdicts to FILE, replacing it"
    )

    private static let asksApple = Option.flag(
        "ask-apple",
        "ask Apple's verifyReceipt about receipts, too"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        try checkCall(invocation)
        let judge = try Judge(invocation, TrustFiles(invocation))
        let now = TrustOptions.now(invocation)
        // Opened before anything is replaced, and before anybody waits.
        let lines = try invocation[batch].map { file throws(InputError) in
            try LineReader(file, limits: LineReader.Limits(lineBytes: BatchLine.mostBytes))
        }
        let file = try invocation[outputFile].flatMap { $0 == Input.standardInput ? nil : $0 }
            .map { name throws(OutputError) in try OutputFile(name) }
        let output = file?.output ?? streams.output
        if let written = output.identity {
            let read = [lines?.identity] + invocation[paths].map { FileIdentity(ofFile: $0) }
            guard !read.contains(written) else {
                throw UsageError("the verdicts would be written over the documents that are read")
            }
        }
        try file?.empty()
        let exitCode: ExitCode
        if let lines, let name = invocation[batch] {
            exitCode = try await BatchVerification(
                judge: judge,
                now: now,
                jobs: invocation[jobs] ?? BatchVerification.processors,
                name: name
            ).run(lines, to: Streams(output: output, error: streams.error))
        } else {
            let desk = invocation[asksApple] ? try AppleDesk(invocation) : nil
            exitCode = try await judgeFiles(
                invocation[paths],
                by: judge,
                desk,
                now: now,
                to: output
            )
        }
        try file?.end()
        return exitCode
    }

    private static func checkCall(_ invocation: Invocation) throws(UsageError) {
        let isBatch = invocation[batch] != nil
        guard isBatch == invocation[paths].isEmpty else {
            throw isBatch
                ? UsageError("--batch and PATH exclude each other")
                : UsageError(.missingArgument("PATH"), hints: ["or give --batch FILE"])
        }
        guard isBatch || invocation[jobs] == nil else {
            throw UsageError("--jobs goes with --batch")
        }
        guard !isBatch || !invocation[asksApple] else {
            throw UsageError("--ask-apple goes with PATH, not with --batch")
        }
        guard invocation[asksApple] || invocation[AppleDesk.url] == nil else {
            throw UsageError("--apple-url goes with --ask-apple")
        }
    }

    private static func judgeFiles(
        _ paths: [String],
        by judge: Judge,
        _ desk: AppleDesk?,
        now: Instant,
        to output: Output
    ) async throws(OutputError) -> ExitCode {
        var worst = ExitCode.success
        let written = output.identity
        for path in paths {
            for found in FileWalk(from: path) {
                // Below a folder, the file of the verdicts is none of its documents.
                if let written, case .success(let name) = found,
                    FileIdentity(ofFile: name) == written
                {
                    continue
                }
                var verdict = Verdict(of: found, by: judge, now: now)
                verdict.apples = await desk?.ask(about: verdict.judgement)
                try output.write(json: verdict.line)
                worst = worst.worse(ExitCode(verdict.verdict))
            }
        }
        return worst
    }
}

extension ExitCode {
    /// The one of two that a caller must hear of.
    func worse(_ other: ExitCode) -> ExitCode { rawValue < other.rawValue ? other : self }
}
