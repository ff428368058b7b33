/// A stable, dotted name of a refusal, such as `chain.untrusted_root`.
///
/// The same code stands in log fields, metric labels, HTTP headers, the command line's JSON and
/// docs/ERRORS.md. Codes are never renamed; new ones may come.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The dotted name.
    public let rawValue: String

    /// Makes a code from its dotted name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code from a literal.
    public init(stringLiteral value: StaticString) { rawValue = value.description }
}

extension ErrorCode: CustomStringConvertible {
    /// The dotted name.
    public var description: String { rawValue }
}

/// An error of any floor: a stable code and one sentence for a person.
public protocol CodedError: Error, CustomStringConvertible {
    /// What callers, logs and metrics tell errors apart by.
    var code: ErrorCode { get }

    /// What was found, what was expected and where; free of secrets and of receipt bytes.
    var reason: String { get }
}

extension CodedError {
    /// The code and the reason: `chain.untrusted_root: …`.
    public var description: String { "\(code.rawValue): \(reason)" }
}
