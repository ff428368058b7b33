/// What a document says about one thing: nothing at all, or a value, of which "none" is one.
///
/// A document is silent about what its kind cannot say. Silence changes nothing.
package enum Said<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The document does not say.
    case silent
    /// The document says so.
    case says(Value)

    /// Says what is there, and is silent where nothing is.
    package static func present(_ value: Value?) -> Said { value.map(Said.says) ?? .silent }
}
