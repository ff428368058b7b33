/// A secret that cannot be shown by accident: every description of it is `‹redacted›`.
public struct Redacted<Secret: Sendable>: Sendable {
    /// The secret itself, for the one place that needs it.
    public let secret: Secret

    /// Wraps a secret.
    public init(_ secret: Secret) { self.secret = secret }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `‹redacted›`.
    public var description: String { "‹redacted›" }
    /// `‹redacted›`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
