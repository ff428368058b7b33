/// One row of a command's table: an option or an argument without its value's type.
///
/// Parsing, help texts, suggestions and completions all read these rows, so that they cannot
/// disagree.
package struct Parameter: Sendable {
    /// An option is given by name, an argument by place.
    enum Kind: Sendable, Hashable {
        case option(short: Character?)
        case argument
    }

    /// How many values it takes.
    enum Arity: Sendable, Hashable {
        /// None: being there is the value.
        case flag
        case optional
        case required
        case list(atLeast: Int)
    }

    /// What came of reading a parameter's texts.
    enum Reading {
        /// A `Box` of the parameter's type.
        case value(any Sendable)
        case unreadable(String)
    }

    let kind: Kind
    let arity: Arity

    /// An option's name without its dashes, or an argument's in capitals.
    let name: String

    /// What stands for the value in help texts; empty for a flag.
    let placeholder: String

    /// A phrase without a full stop.
    let help: String

    /// The value that is assumed, as the user would write it.
    let defaultText: String?

    let expectation: String
    let completion: CompletionSource

    /// Reads all texts that were given for it, in their order.
    let read: @Sendable ([String]) -> Reading

    /// The name as it is written: `--anchor` or `FILE`.
    var display: String {
        if case .argument = kind { name } else { "--\(name)" }
    }

    var short: Character? {
        if case .option(let short) = kind { short } else { nil }
    }

    var isList: Bool {
        if case .list = arity { true } else { false }
    }

    var isRequired: Bool {
        switch arity {
        case .flag, .optional: false
        case .required: true
        case .list(let least): least > 0
        }
    }
}

/// Keeps a value's exact type: a bare optional in an `any Sendable` would be unwrapped by a cast.
struct Box<Value: Sendable>: Sendable {
    let value: Value
}

/// Anything that stands in a command's table: an `Option` or an `Argument`.
package protocol Declared: Sendable {
    /// The row without its value's type.
    var parameter: Parameter { get }
}

extension ValueReader {
    /// The row of an option or argument that this reader reads, given how all its values are
    /// gathered into one.
    func parameter<Gathered: Sendable>(
        _ kind: Parameter.Kind,
        _ arity: Parameter.Arity,
        name: String,
        help: String,
        defaultText: String? = nil,
        gather: @escaping @Sendable ([Value]) -> Gathered
    ) -> Parameter {
        Parameter(
            kind: kind,
            arity: arity,
            name: name,
            placeholder: placeholder,
            help: help,
            defaultText: defaultText,
            expectation: expectation,
            completion: completion,
            read: { [read] texts in
                var values: [Value] = []
                for text in texts {
                    guard let value = read(text) else { return .unreadable(text) }
                    values.append(value)
                }
                return .value(Box(value: gather(values)))
            }
        )
    }
}
