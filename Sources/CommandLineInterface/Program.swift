/// A command-line program: the one table that parsing, help texts, suggestions and completions
/// are made from.
package struct Program: Sendable {
    /// Shows no colours whatever the terminal can do; every program has it.
    package static let noColor = Option.flag("no-color", "no colours (also: NO_COLOR=1)")

    static let help = Option.flag("help", short: "h", "this text")
    static let showVersion = Option.flag("version", "the program's version")

    let name: String
    let version: String
    let summary: String
    let options: [Parameter]
    let commands: [Command]
    let explain: @Sendable (any Error) -> Failure

    /// What to tell a user about an error that a command ended with.
    package struct Failure: Sendable, Hashable {
        let exitCode: ExitCode
        let message: String
        let hints: [String]

        /// Makes the words for an error.
        package init(_ message: String, hints: [String] = [], exitCode: ExitCode) {
            self.message = message
            self.hints = hints
            self.exitCode = exitCode
        }
    }

    /// Makes a program.
    ///
    /// - Parameters:
    ///   - name: the word it is called by.
    ///   - version: what `--version` says after the name.
    ///   - summary: one sentence.
    ///   - options: options that every command understands, besides `--help`, `--version` and
    ///     `--no-color`.
    ///   - commands: its commands, in the order of the help text; `help` and `completions` are
    ///     added.
    ///   - explain: words for errors of the program's own floors.
    package init(
        name: String,
        version: String,
        summary: String,
        options: [any Declared] = [],
        commands: [Command],
        explain: @escaping @Sendable (any Error) -> Failure
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        let everywhere: [any Declared] = [Self.help, Self.noColor, Self.showVersion]
        self.options = (options + everywhere).map(\.parameter)
        self.commands = commands + Self.ownCommands(program: name)
        self.explain = explain
        root.checkTable(programOptions: [])
        for command in self.commands { command.checkTable(programOptions: self.options) }
    }

    /// The program as the command that holds all others.
    var root: Command { Command(name, summary, commands: commands) }

    /// The commands on the way that words name, the program itself first.
    func path(toExplain words: [String]) throws(UsageError) -> [Command] {
        var path = [root]
        for word in words {
            let last = path[path.count - 1]
            guard let next = last.commands.first(where: { $0.name == word }) else {
                throw last.unknown(word, as: path.map(\.name).joined(separator: " "))
            }
            path.append(next)
        }
        return path
    }
}

extension Program {
    /// Does what the arguments (without the program's name) ask for.
    ///
    /// Nothing is thrown: errors are told on standard error, and the exit code says the rest.
    package func run(_ arguments: [String]) async -> ExitCode {
        Output.ignoreBrokenPipes()
        // Looked for in the raw words, because complaints about the others are coloured too.
        let options = arguments.prefix { $0 != "--" }
        let streams = Streams.standard(noColor: options.contains(Self.noColor.parameter.display))
        return await run(arguments, streams)
    }

    /// The same with streams of the caller's choice.
    package func run(_ arguments: [String], _ streams: Streams) async -> ExitCode {
        do {
            switch try parse(arguments) {
            case .help(let path):
                try help(path, on: streams.output)
                return .success
            case .incomplete(let path):
                try help(path, on: streams.error)
                return .usage
            case .version:
                try streams.output.line("\(name) \(version)")
                return .success
            case .completions(let words):
                try streams.output.write(bytes: Array(completionLines(words).utf8))
                return .success
            case .act(let action, let invocation):
                return try await act(action, invocation, streams)
            }
        } catch let refusal as CommandLineRefusal {
            return complain(refusal, streams)
        } catch {
            return complain(explained(error), streams)
        }
    }

    private func help(_ path: [Command], on output: Output) throws(OutputError) {
        try output.write(HelpText(of: self, path: path, columns: output.terminal.columns).text)
    }

    private func act(
        _ action: Command.Action,
        _ invocation: Invocation,
        _ streams: Streams
    ) async throws -> ExitCode {
        do {
            return try await action(invocation, streams)
        } catch let error as UsageError {
            throw CommandLineRefusal(error: error, command: invocation.command)
        }
    }

    private func explained(_ error: any Error) -> Failure {
        switch error {
        case let error as InputError: Failure(error.description, exitCode: .undecided)
        case let error as OutputError: Failure(error.description, exitCode: .undecided)
        default: explain(error)
        }
    }

    private func complain(_ failure: Failure, _ streams: Streams) -> ExitCode {
        tell(failure.message, hints: failure.hints, streams)
        return failure.exitCode
    }

    private func complain(_ refusal: CommandLineRefusal, _ streams: Streams) -> ExitCode {
        let call = ([name] + refusal.command).joined(separator: " ")
        let hints = refusal.error.hints + ["see '\(call) --help'"]
        tell(refusal.error.description, hints: hints, streams)
        return .usage
    }

    private func tell(_ message: String, hints: [String], _ streams: Streams) {
        var text: StyledText = "\(name, .bold): \(message)\n"
        for hint in hints { text += "\("hint:", .dim) \(hint)\n" }
        // Where even standard error cannot be written, the exit code must do.
        try? streams.error.write(text)
    }
}
