import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `counterfoil verify --batch`: judges lines on several processors and writes the verdicts in the
/// order of the lines.
///
/// What is in flight is bounded by parts and by bytes, so the memory does not grow with the file. A
/// slow part holds back the verdicts behind it, and with them the reading.
struct BatchVerification {
    let judge: Judge
    let now: Instant
    /// How many parts are judged at once.
    let jobs: Int
    /// How the file is called in the verdicts' sources.
    let name: String

    /// How many processors there are.
    static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// How long a quiet writer is waited for before signals are looked at again.
    private static let patienceMilliseconds: Int32 = 50

    /// Some lines' verdicts, ready to be written.
    fileprivate struct Part: Sendable {
        let number: Int
        let bytes: Int
        var output: [UInt8] = []
        var tally = BatchTally()
    }

    /// Judges all lines, tells how they came out, and gives the exit code.
    ///
    /// - Throws: `InputError` when reading fails midway, after everything until then is written;
    ///   `OutputError`.
    func run(_ lines: LineReader, to streams: Streams) async throws -> ExitCode {
        let ending = try await Interruption.watched { interruption in
            var pass = Pass(self, lines, streams, interruption)
            return try await pass.run()
        }
        try streams.error.lines(ending.summary)
        if let failure = ending.failure { throw failure }
        return ending.exitCode
    }

    fileprivate func judged(_ lines: LineReader.Lines, as number: Int) -> Part {
        var part = Part(number: number, bytes: lines.bytes.count)
        lines.forEach { line, bytes in
            guard let content = BatchLine(bytes) else { return part.tally.countBlank() }
            append(content.outcome(by: judge, now: now), of: line, to: &part)
        }
        return part
    }

    fileprivate func passedOver(_ line: Int, as number: Int) -> Part {
        var part = Part(number: number, bytes: 0)
        let reason = "the line has more than the \(BatchLine.mostBytes) bytes that are read"
        append(.unread(BatchLine.tooLong, reason: reason), of: line, to: &part)
        return part
    }

    private func append(_ outcome: Verdict.Outcome, of line: Int, to part: inout Part) {
        let verdict = Verdict(source: "\(name):\(line)", outcome: outcome)
        part.tally.count(verdict.verdict, verdict.code)
        part.output += verdict.line
    }
}

extension BatchVerification {
    /// How a batch ended.
    fileprivate struct Ending: Sendable {
        let summary: [StyledText]
        let exitCode: ExitCode
        let failure: InputError?
    }

    /// One pass through the lines.
    fileprivate struct Pass {
        /// The most bytes of lines that are read and not yet written, unless one part has more.
        static let mostBytes = 64 << 20
        /// The most parts that are read and not yet written, for each one that is judged at once.
        static let partsForJob = 4

        fileprivate let batch: BatchVerification
        fileprivate let lines: LineReader
        fileprivate let streams: Streams
        fileprivate let interruption: Interruption
        fileprivate let watch = Stopwatch()
        fileprivate var progress: BatchProgress
        fileprivate var tally = BatchTally()
        fileprivate var failure: InputError?

        /// How many parts were begun, are being judged just now, and were written.
        fileprivate var begun = 0
        fileprivate var running = 0
        fileprivate var written = 0
        fileprivate var bytesInFlight = 0
        /// What is judged and waits for parts before it.
        fileprivate var waiting: [Int: Part] = [:]

        init(
            _ batch: BatchVerification,
            _ lines: LineReader,
            _ streams: Streams,
            _ interruption: Interruption
        ) {
            self.batch = batch
            self.lines = lines
            self.streams = streams
            self.interruption = interruption
            progress = BatchProgress(on: streams, size: lines.size)
        }

        mutating func run() async throws -> Ending {
            try await withThrowingTaskGroup(of: Part.self) { group in
                // Read ahead, so that whoever is done judging need not wait for a disk.
                var next = read()
                while true {
                    if isStopped { next = .end }
                    while hasRoom(for: next) {
                        begin(next, in: &group)
                        next = read()
                    }
                    try writeInOrder()
                    if running > 0, let part = try await group.next() {
                        running -= 1
                        waiting[part.number] = part
                    } else if case .end = next {
                        return
                    } else if case .nothingYet = next {
                        lines.wait(milliseconds: BatchVerification.patienceMilliseconds)
                        // On a single processor the task that hears signals has its turn here.
                        await Task.yield()
                    }
                    if case .nothingYet = next { next = read() }
                }
            }
            try progress.clear()
            return ending
        }
    }
}

extension BatchVerification.Pass {
    /// Whether the work ends before the lines do.
    private var isStopped: Bool { interruption.signal != nil || !streams.output.hasReader }

    private mutating func read() -> LineReader.Part {
        do throws(InputError) {
            return try lines.next()
        } catch {
            failure = error
            return .end
        }
    }

    private func hasRoom(for next: LineReader.Part) -> Bool {
        guard begun - written < batch.jobs * Self.partsForJob else { return false }
        switch next {
        case .lines(let lines):
            let fits = begun == written || lines.bytes.count <= Self.mostBytes - bytesInFlight
            return running < batch.jobs && fits
        case .tooLong: return true
        case .nothingYet, .end: return false
        }
    }

    private mutating func begin(
        _ next: LineReader.Part,
        in group: inout ThrowingTaskGroup<BatchVerification.Part, any Error>
    ) {
        let number = begun
        switch next {
        case .lines(let lines):
            running += 1
            bytesInFlight += lines.bytes.count
            group.addTask { [batch] in batch.judged(lines, as: number) }
        case .tooLong(let line): waiting[number] = batch.passedOver(line, as: number)
        case .nothingYet, .end: return
        }
        begun += 1
    }

    private mutating func writeInOrder() throws(OutputError) {
        while let part = waiting.removeValue(forKey: written) {
            try streams.output.write(json: part.output)
            written += 1
            bytesInFlight -= part.bytes
            // What nobody read counts as not done.
            if streams.output.hasReader { tally.add(part.tally) }
        }
        try progress.show(
            lines: tally.judged,
            bytes: lines.consumed - bytesInFlight,
            after: watch.elapsed
        )
    }

    private var ending: BatchVerification.Ending {
        let summary = tally.summary(after: watch.elapsed)
        let (reason, exitCode): (StyledText?, ExitCode) =
            switch interruption.signal {
            case nil where !streams.output.hasReader:
                ("ended early, because nobody reads the verdicts any more", .readerGone)
            case nil: (nil, tally.exitCode)
            case SIGTERM: ("interrupted by SIGTERM", .terminated)
            case _: ("interrupted", .interrupted)
            }
        return BatchVerification.Ending(
            summary: (reason.map { [$0] } ?? []) + summary,
            exitCode: exitCode,
            failure: failure
        )
    }
}
