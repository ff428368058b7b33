/// A command line that asks for something that is not there, or leaves out what must be.
package struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Problem: Hashable, Sendable {
        /// A word stands where a command should.
        case unknownCommand(String, of: String)
        /// Neither the command nor the program has the option.
        case unknownOption(String)
        /// An option that takes a value stands without one.
        case missingValue(option: String, placeholder: String)
        /// A flag was given a value.
        case unexpectedValue(option: String)
        /// The text of an option or argument stands for no value.
        case unreadableValue(of: String, text: String, expectation: String)
        /// An option that can have one value was given two.
        case repeatedOption(String)
        /// A required option is not there.
        case missingOption(String, placeholder: String)
        /// A required argument is not there.
        case missingArgument(String)
        /// More arguments than the command takes.
        case unexpectedArgument(String)
        /// Something that only the command itself can know, as a sentence without a full stop.
        case other(String)
    }

    /// What is wrong.
    package let problem: Problem

    /// What would help, one phrase each.
    package let hints: [String]

    /// Says what is wrong with a command line, and what would help.
    package init(_ problem: Problem, hints: [String] = []) {
        self.problem = problem
        self.hints = hints
    }

    /// Says in a sentence, without a full stop, what only a command itself can see, such as two
    /// options that exclude each other.
    package init(_ sentence: String, hints: [String] = []) {
        self.init(.other(sentence), hints: hints)
    }

    /// What is wrong, in one sentence without a full stop.
    package var description: String {
        switch problem {
        case .unknownCommand(let word, let parent): "'\(parent)' has no command '\(word)'"
        case .unknownOption(let option): "there is no option \(option) here"
        case .missingValue(let option, let placeholder): "\(option) needs a value: \(placeholder)"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .unreadableValue(let name, let text, let expectation):
            "\(name) is '\(text)'; expected \(expectation)"
        case .repeatedOption(let option): "\(option) is given twice"
        case .missingOption(let option, let placeholder): "\(option) \(placeholder) is required"
        case .missingArgument(let name): "\(name) is missing"
        case .unexpectedArgument(let text): "nothing is expected where '\(text)' stands"
        case .other(let sentence): sentence
        }
    }
}
