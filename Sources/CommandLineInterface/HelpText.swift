/// The help text of a command, made from the table and fitted to the width of the screen.
struct HelpText {
    /// Wider lines are hard to read, narrower screens wrap by themselves.
    static let widths = 40...80

    /// Labels that are wider than this have their explanation on the next line.
    private static let widestLabel = 26

    private let program: Program
    private let path: [Command]
    private let command: Command
    private let width: Int

    /// The text for the last command of a path that begins with the program itself.
    init(of program: Program, path: [Command], columns: Int) {
        self.program = program
        self.path = path
        self.command = path[path.count - 1]
        self.width = min(max(columns, Self.widths.lowerBound), Self.widths.upperBound)
    }

    /// The whole text, its sections parted by empty lines.
    var text: StyledText {
        let sections = [
            usage, introduction, commands, arguments, options, examples, closing,
        ]
        return sections.filter { !$0.isEmpty }.reduce("") { text, section in
            section.reduce(text.isEmpty ? "" : text + "\n") { $0 + $1 + "\n" }
        }
    }

    private var call: String { path.map(\.name).joined(separator: " ") }

    private var usage: [StyledText] {
        var words = [call]
        if case .holds = command.role { words.append("COMMAND") }
        words += command.options.filter(\.isRequired).map { "\($0.display) \($0.placeholder)" }
        if path.count == 1 || command.options.contains(where: { !$0.isRequired }) {
            words.append("[OPTIONS]")
        }
        words += command.arguments.map(\.usage)
        let title = "Usage: "
        let lines = TextWrapping.lines(words, width: width - title.count)
        let indent = String(repeating: " ", count: title.count + 2)
        return ["\(title, .bold)\(lines[0])"] + lines.dropFirst().map { "\(indent)\($0)" }
    }

    private var introduction: [StyledText] {
        guard !command.discussion.isEmpty else { return wrapped(sentence(command.summary)) }
        return Array(command.discussion.map(wrapped).joined(separator: [""]))
    }

    private var commands: [StyledText] {
        let shown = command.commands.filter { !$0.isHidden }
        return section("Commands", shown.map { ($0.name, $0.summary) })
    }

    private var arguments: [StyledText] {
        // One that the introduction explains has no words of its own.
        let explained = command.arguments.filter { !$0.help.isEmpty }
        return section("Arguments", explained.map { ($0.name, $0.explanation) })
    }

    private var options: [StyledText] {
        let options = path.count == 1 ? program.options : command.options
        let anyLetter = options.contains { $0.short != nil }
        return section(
            "Options",
            options.map { ($0.label(withLetters: anyLetter), $0.explanation) }
        )
    }

    private var examples: [StyledText] {
        guard !command.examples.isEmpty else { return [] }
        let lines = command.examples.flatMap { example -> [StyledText] in
            ["  \("# " + example.meaning, .dim)", "  \(example.line)"]
        }
        return ["\("Examples:", .bold)"] + lines
    }

    private var closing: [StyledText] {
        if case .holds = command.role {
            return wrapped("See '\(call) COMMAND --help'. \(ExitCode.explanation)")
        }
        return wrapped("Everywhere: --help, --no-color. \(ExitCode.explanation)")
    }

    // MARK: - Layout

    private func section(_ title: String, _ rows: [(label: String, text: String)]) -> [StyledText] {
        guard let widest = rows.map(\.label.count).max() else { return [] }
        let column = 2 + min(widest, Self.widestLabel) + 2
        let lines = rows.flatMap { row -> [StyledText] in
            let lines = TextWrapping.lines(row.text, width: width - column)
            let left = "  " + row.label
            if left.count + 2 > column { return ["\(left)"] + lines.map { indented($0, column) } }
            let gap = String(repeating: " ", count: column - left.count)
            return ["\(left)\(gap)\(lines.first ?? "")"]
                + lines.dropFirst().map { indented($0, column) }
        }
        return ["\(title + ":", .bold)"] + lines
    }

    private func indented(_ line: String, _ columns: Int) -> StyledText {
        "\(String(repeating: " ", count: columns))\(line)"
    }

    private func wrapped(_ text: String) -> [StyledText] {
        TextWrapping.lines(text, width: width).map { StyledText($0) }
    }

    private func sentence(_ phrase: String) -> String {
        phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
    }
}

extension Parameter {
    /// The option's names and value as they are written: `-p, --port NUMBER`.
    fileprivate func label(withLetters: Bool) -> String {
        let letter = short.map { "-\($0), " } ?? (withLetters ? "    " : "")
        return letter + display + (placeholder.isEmpty ? "" : " \(placeholder)")
    }

    /// The argument's place in a usage line: `FILE`, `[FILE]`, `FILE...`.
    fileprivate var usage: String {
        switch arity {
        case .list(let least): least > 0 ? "\(name)..." : "[\(name)...]"
        case .optional: "[\(name)]"
        case .flag, .required: name
        }
    }

    /// Its help with what the table knows besides.
    fileprivate var explanation: String {
        var notes: [String] = []
        if case .option = kind {
            if isRequired { notes.append("required") }
            if isList { notes.append("repeatable") }
        } else if case .words(let words) = completion {
            notes.append(words.joined(separator: ", "))
        }
        if let defaultText { notes.append("default: \(defaultText)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}
