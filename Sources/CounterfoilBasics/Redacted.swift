/// A secret that cannot be shown by accident: every description of it is `‹redacted›`.
package struct Redacted<Secret: Sendable>: Sendable {
    /// The secret itself, for the one place that needs it.
    package let secret: Secret

    /// Wraps a secret.
    package init(_ secret: Secret) { self.secret = secret }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
