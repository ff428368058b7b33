public import AppStoreModel
public import CounterfoilBasics
public import CounterfoilJSON

/// A customer's subscriptions before their documents are signed (Apple, "StatusResponse").
public struct SubscriptionStatuses: Hashable, Sendable {
    /// The app.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// Each subscription by its newest transaction, in the order in which they began.
    public let subscriptions: [PurchaseRecord]

    /// The answer, group by group.
    ///
    /// - Throws: `issue.key_unusable`.
    public func json(signedBy issuer: SignedDataIssuer) throws(SimulatorError) -> JSONObject {
        var groups: [(id: String, last: [JSONValue])] = []
        for subscription in subscriptions {
            guard let id = subscription.lineage.group?.id,
                let element = try Self.element(of: subscription, issuer)
            else { continue }
            if let position = groups.firstIndex(where: { $0.id == id }) {
                groups[position].last.append(.object(element))
            } else {
                groups.append((id, [.object(element)]))
            }
        }
        var answer = JSONObject(of: app, in: environment)
        answer["data"] = .array(
            groups.map {
                [
                    "subscriptionGroupIdentifier": .string($0.id),
                    "lastTransactions": .array($0.last),
                ]
            }
        )
        return answer
    }

    private static func element(
        of subscription: PurchaseRecord,
        _ issuer: SignedDataIssuer
    ) throws(SimulatorError) -> JSONObject? {
        guard let renewalInfo = subscription.renewalInfo, let status = subscription.status else {
            return nil
        }
        return [
            "originalTransactionId": .string(subscription.lineage.original.description),
            "status": JSONValue(status.rawValue),
            "signedTransactionInfo": .string(try issuer.issue(subscription.transaction)),
            "signedRenewalInfo": .string(try issuer.issue(renewalInfo)),
        ]
    }
}

/// Which transactions of a history are asked for; what is nil or empty leaves nothing out.
public struct TransactionHistoryQuery: Hashable, Sendable {
    /// Only those bought at this instant or later.
    public var startDate: Instant?
    /// Only those bought before this instant.
    public var endDate: Instant?
    /// Only these products.
    public var productIds: Set<String> = []
    /// Only products of these kinds.
    public var productTypes: Set<InAppPurchaseType> = []
    /// Only subscriptions of these groups.
    public var subscriptionGroupIdentifiers: Set<String> = []
    /// Only what was bought, or what is shared.
    public var inAppOwnershipType: InAppOwnershipType?
    /// Only what was taken back, or only what was not.
    public var isRevoked: Bool?
    /// The one that changed last before the others.
    public var isDescending = false
    /// Whether finished consumables are told of, as version 2 of the endpoint does.
    public var includesFinishedConsumables = true

    /// Asks for all.
    public init() {}

    func admits(_ purchase: Purchase, of lineage: Lineage) -> Bool {
        let isHidden =
            !includesFinishedConsumables && purchase.isFinished && purchase.type == .consumable
        return !isHidden
            && startDate.map { $0 <= purchase.purchaseDate } ?? true
            && endDate.map { purchase.purchaseDate < $0 } ?? true
            && (productIds.isEmpty || productIds.contains(purchase.productId))
            && (productTypes.isEmpty || productTypes.contains(purchase.type))
            && (subscriptionGroupIdentifiers.isEmpty
                || lineage.group.map { subscriptionGroupIdentifiers.contains($0.id) } == true)
            && inAppOwnershipType.map { $0 == lineage.ownership } ?? true
            && isRevoked.map { $0 == (purchase.revocation != nil) } ?? true
    }
}

/// A page of a customer's transactions before they are signed (Apple, "HistoryResponse").
public struct TransactionHistory: Hashable, Sendable {
    /// The most transactions of a page.
    static let pageSize = 20

    /// The app.
    public let app: StoreApp
    /// The environment of the store.
    public let environment: StoreEnvironment
    /// The transactions in their order.
    public let transactions: [PurchaseRecord]
    /// What the next page, and what changes later, is asked for with.
    public let revision: String
    /// Whether there is a next page already.
    public let hasMore: Bool

    /// The answer.
    ///
    /// - Throws: `issue.key_unusable`.
    public func json(signedBy issuer: SignedDataIssuer) throws(SimulatorError) -> JSONObject {
        var signed: [JSONValue] = []
        for record in transactions { signed.append(.string(try issuer.issue(record.transaction))) }
        var answer: JSONObject = ["revision": .string(revision), "hasMore": .bool(hasMore)]
        for (key, value) in JSONObject(of: app, in: environment) { answer[key] = value }
        answer["signedTransactions"] = .array(signed)
        return answer
    }
}

extension JSONObject {
    /// What answers say of the app; the sandbox names no Apple ID.
    fileprivate init(of app: StoreApp, in environment: StoreEnvironment) {
        self.init()
        self["environment"] = .string(environment.rawValue)
        if environment == .production { self["appAppleId"] = JSONValue(app.appAppleId) }
        self["bundleId"] = .string(app.bundleId)
    }
}
