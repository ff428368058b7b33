import CommandLineInterface
import CounterfoilBasics

/// One line of a terminal that says how far a batch is, written over again and again.
///
/// There is none where nobody would see it: where standard error is no terminal, and where the
/// verdicts themselves run over the same screen.
struct BatchProgress {
    private static let pause = Duration.milliseconds(100)

    private let terminal: Output?
    /// How many bytes there are in all; nil for a pipe, whose end nobody knows.
    private let size: Int?
    private var lastShown = Duration.zero
    private var columns = 0

    init(on streams: Streams, size: Int?) {
        let isSeen = streams.error.terminal.isInteractive
        terminal = isSeen && !streams.output.terminal.isInteractive ? streams.error : nil
        self.size = size
    }

    /// Says how far it is, unless it was said a moment ago.
    mutating func show(lines: Int, bytes: Int, after elapsed: Duration) throws(OutputError) {
        guard let terminal, elapsed - lastShown >= Self.pause else { return }
        lastShown = elapsed
        let seconds = elapsed.seconds
        var text: StyledText =
            "\(Figure.count(lines)) lines, \(Figure.count(Int(Double(lines) / seconds))) a second"
        if let size, size > 0, bytes > 0 {
            let part = min(1, Double(bytes) / Double(size))
            let left = Duration.seconds(seconds / part * (1 - part))
            text += ", \(Int(part * 100)) %, \(Figure.duration(left)) left"
        }
        let shown = text.truncated(to: max(1, terminal.terminal.columns - 1))
        // Blanks cover what a longer line left; no sequence that a terminal might not know.
        let cover = String(repeating: " ", count: max(0, columns - shown.width))
        columns = shown.width
        try terminal.write("\r\(shown)\(cover)")
    }

    /// Leaves the line empty for what comes next.
    mutating func clear() throws(OutputError) {
        guard let terminal, columns > 0 else { return }
        try terminal.write("\r\(String(repeating: " ", count: columns))\r")
        columns = 0
    }
}
