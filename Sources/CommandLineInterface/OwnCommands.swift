/// The commands and options that every program has.
extension Program {
    static let helpCommand = "help"

    static let helpTopic = Argument.list("COMMAND", .text, "the command to explain")

    /// What shells call on the tab key; the words of the unfinished line follow.
    static let completeOption = "--complete"

    private static let shell = Argument.required("SHELL", .choice(of: Shell.self), "your shell")

    static func ownCommands(program: String) -> [Command] {
        [
            Command(
                helpCommand,
                "explain a command",
                arguments: [helpTopic],
                action: { _, _ in preconditionFailure("answered by the parser") }
            ),
            Command(
                "completions",
                "print the script that completes commands in a shell",
                discussion: [
                    "The script asks this program on every tab key, so that it stays right when "
                        + "commands and options are added."
                ],
                arguments: [shell],
                examples: Shell.allCases.map {
                    Command.Example($0.installation(of: program), "for \($0.rawValue)")
                },
                action: { invocation, streams in
                    let script = invocation[shell].completionScript(for: program)
                    try streams.output.write(bytes: Array(script.utf8))
                    return .success
                }
            ),
        ]
    }
}
