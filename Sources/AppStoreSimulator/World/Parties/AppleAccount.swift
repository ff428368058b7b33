public import CounterfoilBasics

/// Somebody's account with Apple: who pays, where, and with whom purchases are shared.
public struct AppleAccount: Hashable, Sendable {
    /// Names an account of one store.
    public struct ID: Hashable, Sendable {
        let index: Int
    }

    /// What became of asking to pay.
    public enum Payment: Hashable, Sendable {
        /// It goes through.
        case works
        /// It does not: renewals fail, and nothing can be bought.
        case fails
    }

    /// Names it.
    public let id: ID
    /// The storefront that it buys in.
    public internal(set) var storefront: Storefront
    /// Whether payments go through.
    public internal(set) var payment = Payment.works
    /// The family that it is in.
    public internal(set) var family: Family.ID?
    /// What it has downloaded, by bundle identifier.
    public internal(set) var downloads: [String: Download] = [:]
    /// The device on which it bought last.
    var lastDevice: Device.ID?

    /// An app that an account got from the store.
    public struct Download: Hashable, Sendable {
        /// Identifies it; each member of a family has its own (Apple, "appTransactionId").
        public let appTransactionId: String
        /// When it was.
        public let date: Instant
        /// The version that was downloaded.
        public let version: String
    }
}

/// People who share purchases: one pays, the others use.
public struct Family: Hashable, Sendable {
    /// Names a family of one store.
    public struct ID: Hashable, Sendable {
        let index: Int
    }

    /// Names it.
    public let id: ID
    /// The accounts in it.
    public internal(set) var members: [AppleAccount.ID]
}
