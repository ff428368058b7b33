/// An argument of a command, given by place, and the key to its value in an `Invocation`.
///
/// As with `Option`, the shape is part of the type: `Argument<Value>` is required,
/// `Argument<Value?>` may be left out, `Argument<[Value]>` takes all that follow.
package struct Argument<Value: Sendable>: Declared {
    package let parameter: Parameter
}

extension Argument {
    /// An argument that must be there.
    package static func required(
        _ name: String,
        _ reader: ValueReader<Value>,
        _ help: String
    ) -> Argument {
        Argument(
            parameter: reader.parameter(
                .argument,
                .required,
                name: name,
                help: help,
                gather: { $0[0] }
            )
        )
    }

    /// An argument that may be left out, and is nil then.
    package static func optional<Wrapped>(
        _ name: String,
        _ reader: ValueReader<Wrapped>,
        _ help: String
    ) -> Argument where Value == Wrapped? {
        Argument(
            parameter: reader.parameter(
                .argument,
                .optional,
                name: name,
                help: help,
                gather: { $0.first }
            )
        )
    }

    /// All arguments that follow; the last of a command's arguments.
    package static func list<Element>(
        _ name: String,
        atLeast least: Int = 0,
        _ reader: ValueReader<Element>,
        _ help: String
    ) -> Argument where Value == [Element] {
        Argument(
            parameter: reader.parameter(
                .argument,
                .list(atLeast: least),
                name: name,
                help: help,
                gather: { $0 }
            )
        )
    }
}
