import AppStoreModel

/// Content that is believed on a word, because nobody signed it; only this module can make one.
///
/// It is less than a ``Verified`` and never becomes one.
@dynamicMemberLookup
public struct Vouched<Content: Hashable & Sendable>: Sendable {
    /// What was said.
    public let content: Content
    /// The app, the environment and the realm.
    public let scope: Scope
    /// Whose word it is.
    public let voucher: Voucher

    init(content: Content, scope: Scope, voucher: Voucher) {
        self.content = content
        self.scope = scope
        self.voucher = voucher
    }

    /// A member of the content.
    public subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value {
        content[keyPath: path]
    }
}

/// Whose word vouches for content that nobody signed.
public enum Voucher: Hashable, Sendable {
    /// A shared secret of the app, by the name that its owner gave it.
    case sharedSecret(id: String)
    /// Apple's own channel: a host that was asked over a connection that proved to be its own.
    case appleChannel(host: String)
}
