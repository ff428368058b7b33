import CounterfoilBasics

/// What a command line asks for.
enum Request: Sendable {
    case act(Command.Action, Invocation)
    case help([Command])
    /// Nothing yet: a command that holds others was named, and none of them.
    case incomplete([Command])
    case version
    /// The words of an unfinished command line, the last one being typed.
    case completions([String])
}

/// A usage error with the command that it was found in, to name the right help text.
struct CommandLineRefusal: Error, Hashable {
    let error: UsageError
    let command: [String]
}

extension Program {
    /// Reads a command line (without the program's name) by the table.
    ///
    /// Options may stand before, between and after arguments, as `--name value`, `--name=value`,
    /// `-n value` or `-nvalue`; letters without values can be joined. After `--` everything is an
    /// argument, and `-` alone always is one. Names are never abbreviated, so that a new option
    /// cannot change what an old script means.
    func parse(_ arguments: [String]) throws(CommandLineRefusal) -> Request {
        if arguments.first == Self.completeOption {
            return .completions(Array(arguments.dropFirst()))
        }
        var parser = CommandLineParser(program: self, words: arguments[...])
        do {
            return try parser.request()
        } catch {
            throw CommandLineRefusal(error: error, command: parser.path.dropFirst().map(\.name))
        }
    }
}

/// The state of reading one command line.
struct CommandLineParser {
    let program: Program

    /// The commands named so far, the program itself first.
    private(set) var path: [Command]

    private var words: ArraySlice<String>
    private var texts: [String: [String]] = [:]
    private var positional: [String] = []

    init(program: Program, words: ArraySlice<String>) {
        self.program = program
        self.words = words
        path = [program.root]
    }

    private var command: Command { path[path.count - 1] }

    private var spokenPath: String { path.map(\.name).joined(separator: " ") }

    mutating func request() throws(UsageError) -> Request {
        var optionsEnded = false
        while let word = words.popFirst() {
            if optionsEnded || !word.hasPrefix("-") || word == "-" {
                try take(word)
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                try takeName(word.dropFirst(2))
            } else {
                try takeLetters(word.dropFirst())
            }
            if has(Program.help.parameter) { return .help(path) }
        }
        if has(Program.showVersion.parameter) { return .version }
        switch command.role {
        case .holds: return .incomplete(path)
        case .acts(let action): return try finish(action)
        }
    }

    private func has(_ parameter: Parameter) -> Bool { texts[parameter.display] != nil }

    // MARK: - Words

    private mutating func take(_ word: String) throws(UsageError) {
        guard case .holds(let commands) = command.role else { return positional.append(word) }
        guard let next = commands.first(where: { $0.name == word }) else {
            throw command.unknown(word, as: spokenPath)
        }
        path.append(next)
    }

    private mutating func takeName(_ word: Substring) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            throw UsageError(.unknownOption("--\(name)"), hints: hints(for: name))
        }
        try take(option, attached: parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func takeLetters(_ word: Substring) throws(UsageError) {
        var rest = word
        while let letter = rest.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw UsageError(.unknownOption("-\(letter)"), hints: hints(for: String(word)))
            }
            guard option.arity == .flag else {
                try take(option, attached: rest.isEmpty ? nil : String(rest))
                return
            }
            try take(option, attached: nil)
        }
    }

    private mutating func take(_ option: Parameter, attached: String?) throws(UsageError) {
        let name = option.display
        if option.arity == .flag {
            guard attached == nil else { throw UsageError(.unexpectedValue(option: name)) }
            texts[name] = [""]
            return
        }
        guard let value = attached ?? nextValue() else {
            let beginsWithDash = words.first?.hasPrefix("-") == true
            throw UsageError(
                .missingValue(option: name, placeholder: option.placeholder),
                hints: beginsWithDash
                    ? ["a value that begins with a dash is written \(name)=VALUE"] : []
            )
        }
        guard texts[name] == nil || option.isList else { throw UsageError(.repeatedOption(name)) }
        texts[name, default: []].append(value)
    }

    /// The next word, unless it is itself an option: a forgotten value must not swallow one.
    private mutating func nextValue() -> String? {
        guard let word = words.first else { return nil }
        let second = word.dropFirst().first
        guard !word.hasPrefix("-") || second == nil || second?.isNumber == true else { return nil }
        return words.popFirst()
    }

    // MARK: - What they amount to

    private var options: [Parameter] { command.options + program.options }

    private func finish(_ action: @escaping Command.Action) throws(UsageError) -> Request {
        var given = texts
        try place(positional[...], into: &given)
        var values: [String: any Sendable] = [:]
        for parameter in options + command.arguments {
            let texts = given[parameter.display] ?? []
            if texts.isEmpty, parameter.isRequired { throw missing(parameter) }
            switch parameter.read(texts) {
            case .value(let box): values[parameter.display] = box
            case .unreadable(let text):
                throw UsageError(
                    .unreadableValue(
                        of: parameter.display,
                        text: text,
                        expectation: parameter.expectation
                    ),
                    hints: hints(for: text, amongValuesOf: parameter)
                )
            }
        }
        let invocation = Invocation(command: path.dropFirst().map(\.name), values: values)
        guard path.count == 2, command.name == Program.helpCommand else {
            return .act(action, invocation)
        }
        return .help(try program.path(toExplain: invocation[Program.helpTopic]))
    }

    private func place(
        _ words: ArraySlice<String>,
        into texts: inout [String: [String]]
    ) throws(UsageError) {
        var words = words
        for argument in command.arguments {
            if case .list(let least) = argument.arity {
                guard words.count >= least else { throw missing(argument) }
                texts[argument.display] = Array(words)
                return
            }
            if let word = words.popFirst() { texts[argument.display] = [word] }
        }
        if let word = words.first { throw UsageError(.unexpectedArgument(word)) }
    }

    private func missing(_ parameter: Parameter) -> UsageError {
        if case .argument = parameter.kind { return UsageError(.missingArgument(parameter.name)) }
        return UsageError(
            .missingOption(parameter.display, placeholder: parameter.placeholder)
        )
    }

    // MARK: - Hints

    private func hints(for name: String) -> [String] {
        if let near = NearestName.nearest(to: name, among: options.map(\.name)) {
            return ["did you mean --\(near)?"]
        }
        let owners = program.commands.flatMap { $0.leaves(under: [program.name]) }
            .filter { $0.command.options.contains { $0.name == name } }
        return owners.isEmpty
            ? [] : ["--\(name) belongs to '\(owners.map(\.call).joined(separator: "', '"))'"]
    }

    private func hints(for text: String, amongValuesOf parameter: Parameter) -> [String] {
        guard case .words(let words) = parameter.completion,
            let near = NearestName.nearest(to: text, among: words)
        else { return [] }
        return ["did you mean '\(near)'?"]
    }
}

extension Command {
    /// The refusal of a word that is none of its commands.
    func unknown(_ word: String, as call: String) -> UsageError {
        let names = commands.filter { !$0.isHidden }.map(\.name)
        let near = NearestName.nearest(to: word, among: names)
        return UsageError(
            .unknownCommand(word, of: call),
            hints: near.map { ["did you mean '\($0)'?"] } ?? []
        )
    }

    /// All acting commands below (or at) this one, with the words that call them.
    func leaves(under parents: [String]) -> [(call: String, command: Command)] {
        let words = parents + [name]
        guard case .holds(let commands) = role else {
            return [(words.joined(separator: " "), self)]
        }
        return commands.flatMap { $0.leaves(under: words) }
    }
}
