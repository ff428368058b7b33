/// What a user gave a command: every option and argument of its table with a value of its type.
package struct Invocation: Sendable {
    /// The words that led to the command, such as `["ledger", "check"]`.
    package let command: [String]

    private let values: [String: any Sendable]

    init(command: [String], values: [String: any Sendable]) {
        self.command = command
        self.values = values
    }

    /// The value of an option; the command (or the program) must have declared it.
    package subscript<Value>(option: Option<Value>) -> Value { value(of: option.parameter) }

    /// The value of an argument; the command must have declared it.
    package subscript<Value>(argument: Argument<Value>) -> Value { value(of: argument.parameter) }

    private func value<Value: Sendable>(of parameter: Parameter) -> Value {
        guard let box = values[parameter.display] as? Box<Value> else {
            preconditionFailure("\(parameter.display) is not in the table of this command")
        }
        return box.value
    }
}
