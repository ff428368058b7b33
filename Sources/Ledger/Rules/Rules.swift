package import AppStoreModel

/// An app's catalogue and policies: what its purchases are worth.
package struct Rules: Hashable, Sendable {
    /// What products are worth, by product identifier; unknown ones are worth nothing.
    package var products: [String: ProductRule] = [:]
    /// How long access is kept when a period is over, renewal is said to be on, and no failed charge
    /// is known: an outage of ours must not lock payers out.
    package var renewalLeeway: Duration
    /// Whether purchases in the sandbox count.
    package var sandboxAccess = SandboxAccess.everyone

    /// Whom purchases in the sandbox give access to.
    package enum SandboxAccess: String, Hashable, Sendable, CaseIterable {
        case everyone
        case nobody
    }

    /// Rules that give nothing; a day of leeway in production, none elsewhere.
    package init(environment: StoreEnvironment) {
        renewalLeeway = environment == .production ? .seconds(86_400) : .zero
    }
}

/// What a product is worth.
package struct ProductRule: Hashable, Sendable {
    /// What whoever has it may use.
    package var entitlements: [String] = []
    /// How many credits one of it gives; consumables only.
    package var credits: Int64 = 0
    /// How long it lasts; non-renewing subscriptions only, nil for ever.
    package var duration: Duration?

    /// Makes a rule.
    package init(entitlements: [String] = [], credits: Int64 = 0, duration: Duration? = nil) {
        self.entitlements = entitlements
        self.credits = credits
        self.duration = duration
    }
}
