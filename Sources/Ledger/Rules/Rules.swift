package import AppStoreModel

/// An app's catalogue and policies: what its purchases are worth.
package struct Rules: Hashable, Sendable {
    /// What products are worth, by product identifier; unknown ones are worth nothing.
    package var products: [String: ProductRule]
    /// How long access is kept when a period is over, renewal is said to be on, and no failed charge
    /// is known: an outage of ours must not lock payers out.
    package var renewalLeeway: Duration
    /// Whether purchases in the sandbox count.
    package var sandboxAccess: SandboxAccess

    /// How well a notification of version 1 must be proved to count.
    package var v1Trust: V1Trust

    /// Whom purchases in the sandbox give access to.
    package enum SandboxAccess: String, Hashable, Sendable, CaseIterable {
        case everyone
        case nobody
    }

    /// How well a notification of version 1 must be proved: Apple signs the receipts in it, and no
    /// other word of it.
    package enum V1Trust: String, Hashable, Sendable, CaseIterable {
        /// The app's shared secret vouches for it.
        case secret
        /// Only what is signed counts.
        case signatureOnly
    }

    /// Makes rules.
    package init(
        products: [String: ProductRule],
        renewalLeeway: Duration,
        sandboxAccess: SandboxAccess,
        v1Trust: V1Trust
    ) {
        self.products = products
        self.renewalLeeway = renewalLeeway
        self.sandboxAccess = sandboxAccess
        self.v1Trust = v1Trust
    }

    /// Rules that give nothing; a day of leeway in production, none elsewhere.
    package init(environment: StoreEnvironment) {
        self.init(
            products: [:],
            renewalLeeway: environment == .production ? .seconds(86_400) : .zero,
            sandboxAccess: .everyone,
            v1Trust: .secret
        )
    }

    /// Whether statements of a grade count.
    package func admits(_ grade: Grade) -> Bool {
        switch v1Trust {
        case .secret: true
        case .signatureOnly: grade != .sharedSecret
        }
    }
}

/// What a product is worth.
package struct ProductRule: Hashable, Sendable {
    /// What whoever has it may use.
    package var entitlements: Set<String> = []
    /// How many credits one of it gives; consumables only.
    package var credits: Int64 = 0
    /// How long it lasts; non-renewing subscriptions only, nil for ever.
    package var duration: Duration?
    /// Its subscription group; auto-renewable subscriptions only.
    package var group: String?
    /// Its level of service within the group, 1 the highest, as in App Store Connect; several
    /// products may have one level.
    package var level: Int?

    /// Makes a rule.
    package init(
        entitlements: Set<String> = [],
        credits: Int64 = 0,
        duration: Duration? = nil,
        group: String? = nil,
        level: Int? = nil
    ) {
        self.entitlements = entitlements
        self.credits = credits
        self.duration = duration
        self.group = group
        self.level = level
    }
}
