/// One command of a program: what it is called, what it takes, and what it does.
///
/// A command either acts or holds further commands, never both.
package struct Command: Sendable {
    /// What a command does with what it was given; it writes to the streams and says how it went.
    package typealias Action = @Sendable (Invocation, Streams) async throws -> ExitCode

    /// One line of a help text that a reader can copy, and what it shows.
    package struct Example: Sendable {
        let line: String
        let meaning: String

        /// Makes an example; `line` begins with the program's name.
        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// What a command is for, besides its name.
    enum Role: Sendable {
        case acts(Action)
        case holds([Command])
    }

    let name: String
    let summary: String
    let discussion: [String]
    let options: [Parameter]
    let arguments: [Parameter]
    let examples: [Example]
    let role: Role

    /// Hidden commands work, but no help text or completion names them.
    let isHidden: Bool

    /// Makes a command that acts.
    ///
    /// - Parameters:
    ///   - name: one lower-case word.
    ///   - summary: one line for the list of commands, without a full stop.
    ///   - discussion: paragraphs for the command's own help.
    ///   - options: options other than the program's own, in the order of the help text.
    ///   - arguments: arguments by place; required ones first, at most one list, last.
    ///   - examples: lines to copy.
    ///   - isHidden: whether help texts leave it out.
    ///   - action: what it does.
    package init(
        _ name: String,
        _ summary: String,
        discussion: [String] = [],
        options: [any Declared] = [],
        arguments: [any Declared] = [],
        examples: [Example] = [],
        isHidden: Bool = false,
        action: @escaping Action
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = options.map(\.parameter)
        self.arguments = arguments.map(\.parameter)
        self.examples = examples
        self.isHidden = isHidden
        self.role = .acts(action)
    }

    /// Makes a command that holds further commands.
    package init(
        _ name: String,
        _ summary: String,
        discussion: [String] = [],
        commands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = []
        self.arguments = []
        self.examples = []
        self.isHidden = false
        self.role = .holds(commands)
    }

    /// The commands that it holds.
    var commands: [Command] {
        if case .holds(let commands) = role { commands } else { [] }
    }

    /// Stops the program where the table contradicts itself: that is a mistake in our own source.
    func checkTable(programOptions: [Parameter]) {
        let names = (programOptions + options).map(\.name)
        let letters = (programOptions + options).compactMap(\.short)
        precondition(Set(names).count == names.count, "\(name): an option is declared twice")
        precondition(Set(letters).count == letters.count, "\(name): a letter is declared twice")
        for (earlier, later) in zip(arguments, arguments.dropFirst()) {
            precondition(!earlier.isList, "\(name): arguments follow a list")
            precondition(
                earlier.isRequired || !later.isRequired,
                "\(name): a required argument follows one that may be left out"
            )
        }
        precondition(
            Set(commands.map(\.name)).count == commands.count,
            "\(name): a command is declared twice"
        )
        for command in commands { command.checkTable(programOptions: programOptions) }
    }
}
