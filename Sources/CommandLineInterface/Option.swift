/// An option of a command, and the key to its value in an `Invocation`.
///
/// The shape is part of the type: a flag is `Option<Bool>`, an option that may be left out
/// `Option<Value?>`, one with a default or that is required `Option<Value>`, and one that may be
/// repeated `Option<[Value]>`.
///
/// ```swift
/// static let format = Option.value("format", .choice(of: Format.self), default: .text, "…")
/// …
/// switch invocation[format] { … }
/// ```
package struct Option<Value: Sendable>: Declared {
    package let parameter: Parameter
}

extension Option where Value == Bool {
    /// An option without a value.
    package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
        Option(
            parameter: Parameter(
                kind: .option(short: short),
                arity: .flag,
                name: name,
                placeholder: "",
                help: help,
                defaultText: nil,
                expectation: "",
                completion: .nothing,
                read: { .value(Box(value: !$0.isEmpty)) }
            )
        )
    }
}

extension Option {
    /// An option that may be left out, and is nil then.
    package static func value<Wrapped>(
        _ name: String,
        short: Character? = nil,
        _ reader: ValueReader<Wrapped>,
        _ help: String
    ) -> Option where Value == Wrapped? {
        Option(
            parameter: reader.parameter(
                .option(short: short),
                .optional,
                name: name,
                help: help,
                gather: { $0.first }
            )
        )
    }

    /// An option that may be left out and then has a default.
    ///
    /// `shown` is how help texts write the default where its description is not what a user
    /// would type.
    package static func value(
        _ name: String,
        short: Character? = nil,
        _ reader: ValueReader<Value>,
        default assumed: Value,
        shown: String? = nil,
        _ help: String
    ) -> Option {
        Option(
            parameter: reader.parameter(
                .option(short: short),
                .optional,
                name: name,
                help: help,
                defaultText: shown ?? Self.text(of: assumed),
                gather: { $0.first ?? assumed }
            )
        )
    }

    /// An option without which the command makes no sense.
    package static func required(
        _ name: String,
        short: Character? = nil,
        _ reader: ValueReader<Value>,
        _ help: String
    ) -> Option {
        Option(
            parameter: reader.parameter(
                .option(short: short),
                .required,
                name: name,
                help: help,
                gather: { $0[0] }
            )
        )
    }

    /// An option that may be given any number of times; its values keep their order.
    package static func list<Element>(
        _ name: String,
        short: Character? = nil,
        _ reader: ValueReader<Element>,
        _ help: String
    ) -> Option where Value == [Element] {
        Option(
            parameter: reader.parameter(
                .option(short: short),
                .list(atLeast: 0),
                name: name,
                help: help,
                gather: { $0 }
            )
        )
    }

    private static func text(of value: Value) -> String {
        if let word = value as? any RawRepresentable<String> { word.rawValue } else { "\(value)" }
    }
}
