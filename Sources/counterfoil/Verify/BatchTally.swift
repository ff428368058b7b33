import CommandLineInterface
import CounterfoilBasics
import DocumentInspection

/// How the lines of a batch came out.
struct BatchTally: Sendable {
    private(set) var blank = 0
    private(set) var codes: [ErrorCode: Int] = [:]
    private var verdicts: [Judgement.Verdict: Int] = [:]

    /// How many lines have a verdict.
    var judged: Int { verdicts.values.reduce(0, +) }

    /// The exit code of the worst of them.
    var exitCode: ExitCode {
        verdicts.keys.map { ExitCode($0) }.reduce(.success) { $0.worse($1) }
    }

    /// Counts a verdict.
    mutating func count(_ verdict: Judgement.Verdict, _ code: ErrorCode?) {
        verdicts[verdict, default: 0] += 1
        if let code { codes[code, default: 0] += 1 }
    }

    /// Counts a blank line, which has no verdict.
    mutating func countBlank() { blank += 1 }

    /// Counts what others counted.
    mutating func add(_ other: BatchTally) {
        blank += other.blank
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        codes.merge(other.codes, uniquingKeysWith: +)
    }

    /// The whole in a few lines for a person.
    func summary(after elapsed: Duration) -> [StyledText] {
        let seconds = elapsed.seconds
        let rate = seconds > 0 ? Double(judged) / seconds : 0
        // Few have notifications of version 1, so only they hear of them.
        let shown = Judgement.Verdict.allCases.filter { $0 != .vouched || verdicts[$0] != nil }
        let counts = shown.map { "\(Figure.count(verdicts[$0] ?? 0)) \($0.rawValue)" }
        let passedOver = blank > 0 ? "; \(Figure.count(blank)) blank passed over" : ""
        var table = Table([Table.Column("", .trailing), Table.Column("")])
        for (code, count) in sortedCodes { table.append(["  \(Figure.count(count))", "\(code)"]) }
        return [
            "\(Figure.count(judged)) lines in \(Figure.duration(elapsed)), "
                + "\(Figure.count(Int(rate))) a second: \(counts.joined(separator: ", "))\(passedOver)"
        ] + table.lines()
    }

    /// The codes, the most frequent first, those of one count by name.
    private var sortedCodes: [(ErrorCode, Int)] {
        codes.sorted { left, right in
            left.value == right.value
                ? left.key.rawValue < right.key.rawValue : left.value > right.value
        }.map { ($0.key, $0.value) }
    }
}
