/// What fits at the end of an unfinished command line.
struct Completion: Sendable, Hashable {
    /// One word that fits, and what it is for.
    struct Candidate: Sendable, Hashable {
        let word: String
        let help: String
    }

    var candidates: [Candidate] = []

    /// What the shell itself can list.
    var source = CompletionSource.nothing
}

extension Program {
    /// The lines that a completion script reads: `word<TAB>help`, and `:files` or `:directories`
    /// where the shell shall list those.
    func completionLines(_ words: [String]) -> String {
        let completion = completion(of: words)
        var lines = completion.candidates.map { "\($0.word)\t\($0.help)" }
        switch completion.source {
        case .files: lines.append(":files")
        case .directories: lines.append(":directories")
        case .nothing, .words: break
        }
        return lines.reduce("") { $0 + $1 + "\n" }
    }

    /// What can stand in place of the last of `words`, which may be empty.
    func completion(of words: [String]) -> Completion {
        let joined = Self.joiningAssignments(words)
        var cursor = CompletionCursor(program: self)
        for word in joined.words.dropLast() { cursor.pass(word) }
        let last = joined.words.last ?? ""
        return cursor.completion(of: last, valueOnly: joined.splitsAssignments)
    }

    /// Bash hands over `--format=js` as three words and wants only the third one back.
    private static func joiningAssignments(
        _ words: [String]
    ) -> (words: [String], splitsAssignments: Bool) {
        var joined: [String] = []
        var splits = false
        var afterSign = false
        for word in words {
            let continues = word == "=" && joined.last?.hasPrefix("--") == true
            if continues || afterSign {
                joined[joined.count - 1] += word
                splits = true
            } else {
                joined.append(word)
                splits = false
            }
            afterSign = continues
        }
        return (joined, splits)
    }
}

/// Where in the table an unfinished command line stands.
///
/// Unlike the parser it forgives everything: whoever is still typing is not wrong yet.
private struct CompletionCursor {
    let program: Program
    var command: Command
    var awaiting: Parameter?
    var given: Set<String> = []
    var places = 0
    var optionsEnded = false

    init(program: Program) {
        self.program = program
        command = program.root
    }

    private var options: [Parameter] { command.options + program.options }

    mutating func pass(_ word: String) {
        if awaiting != nil {
            awaiting = nil
        } else if !optionsEnded, word == "--" {
            optionsEnded = true
        } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
            pass(option: word)
        } else if case .holds(let commands) = command.role {
            command = commands.first { $0.name == word } ?? command
        } else {
            places += 1
        }
    }

    private mutating func pass(option word: String) {
        let name = word.prefix { $0 != "=" }
        guard let option = options.first(where: { name == $0.display || isLetter(of: $0, word) })
        else { return }
        given.insert(option.display)
        if option.arity != .flag, name.endIndex == word.endIndex { awaiting = option }
    }

    /// Whether the word is `-p` for an option with the letter p.
    private func isLetter(of option: Parameter, _ word: String) -> Bool {
        option.short.map { word == "-\($0)" } ?? false
    }

    func completion(of word: String, valueOnly: Bool) -> Completion {
        if let awaiting { return value(of: awaiting, word, prefix: "") }
        if !optionsEnded, word.hasPrefix("-") {
            guard let sign = word.firstIndex(of: "=") else { return options(beginning: word) }
            guard let option = options.first(where: { $0.display == word[..<sign] }) else {
                return Completion()
            }
            let text = String(word[word.index(after: sign)...])
            return value(of: option, text, prefix: valueOnly ? "" : "\(option.display)=")
        }
        if case .holds(let commands) = command.role {
            let shown = commands.filter { !$0.isHidden && $0.name.hasPrefix(word) }
            return Completion(candidates: shown.map { .init(word: $0.name, help: $0.summary) })
        }
        if command.name == Program.helpCommand { return topics(word) }
        guard let argument = argument(at: places) else { return Completion() }
        return value(of: argument, word, prefix: "")
    }

    private func options(beginning word: String) -> Completion {
        let fitting = options.filter { option in
            option.display.hasPrefix(word) && (option.isList || !given.contains(option.display))
        }
        return Completion(candidates: fitting.map { .init(word: $0.display, help: $0.help) })
    }

    private func topics(_ word: String) -> Completion {
        let shown = program.commands.filter { !$0.isHidden && $0.name.hasPrefix(word) }
        return Completion(candidates: shown.map { .init(word: $0.name, help: $0.summary) })
    }

    private func argument(at place: Int) -> Parameter? {
        if place < command.arguments.count { return command.arguments[place] }
        return command.arguments.last.flatMap { $0.isList ? $0 : nil }
    }

    private func value(of parameter: Parameter, _ text: String, prefix: String) -> Completion {
        guard case .words(let words) = parameter.completion else {
            return Completion(source: parameter.completion)
        }
        let fitting = words.filter { $0.hasPrefix(text) }
        return Completion(candidates: fitting.map { .init(word: prefix + $0, help: "") })
    }
}
