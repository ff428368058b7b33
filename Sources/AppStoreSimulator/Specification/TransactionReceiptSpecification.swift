public import AppStoreModel
public import CounterfoilBasics
import CounterfoilJSON

/// An iOS 6-style receipt described in JSON, as the command line takes it.
///
/// Every key may be left out: `{}` is a sandbox receipt of `com.example.app` for one auto-renewable
/// subscription that is open now. Comments are allowed; dates are as in ``ReceiptSpecification``,
/// and their milliseconds are kept.
///
/// | key | meaning | when left out |
/// | --- | --- | --- |
/// | `environment` | `Sandbox` or `Production` | `Sandbox` |
/// | `type` | as of purchases in ``ReceiptSpecification`` | `autoRenewable` |
/// | `bundleId`, `bundleVersion` | texts | `com.example.app`, `1` |
/// | `productId` | a text | the bundle identifier and `.pro.month` |
/// | `quantity` | a number | `1` |
/// | `transactionId`, `originalTransactionId` | ids | made up, as the transaction's |
/// | `purchaseDate` | a date | `-3d` |
/// | `originalPurchaseDate` | a date | the purchase date |
/// | `expiresDate` | a date | 30 days after the purchase of an auto-renewable |
/// | `webOrderLineItemId`, `itemId`, `appItemId` | ids | as the store would |
/// | `versionExternalIdentifier` | an id | as the store would |
/// | `subscriptionGroupIdentifier` | an id | |
/// | `uniqueIdentifier`, `uniqueVendorIdentifier` | the device | made up |
/// | `cancellationDate` | a refund | |
/// | `trial`, `introOffer` | true or false | as the store would |
/// | `allDateForms` | false for receipts as of 2011 | `true` |
/// | `purchaseInfo` | signed keys to replace or add, or with `null` to leave out | |
/// | `omitEnvironment` | whether the unsigned environment line is left out | `false` |
/// | `version` | of the signature blob: 2 or 3 | that of the purchase date |
/// | `seed` | decides what is made up and how it is spoiled | `0` |
/// | `flaw` | the name of a ``TransactionReceiptFlaw`` | |
public struct TransactionReceiptSpecification: Hashable, Sendable {
    /// What the receipt says.
    public let receipt: TransactionReceipt
    /// How it is signed; as on its purchase date when nil.
    public let version: TransactionReceiptIssuer.BlobVersion?
    /// What is wrong with it.
    public let flaw: TransactionReceiptFlaw?
    private let seed: UInt64

    /// Reads a specification.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - now: What dates are relative to.
    ///   - seed: Stands in the place of its own seed; nil leaves that.
    ///   - flaw: Stands in the place of its own flaw; nil leaves that.
    /// - Throws: `issue.specification_unreadable`, `issue.unknown_key`, `issue.invalid_value`.
    public init(
        json: [UInt8],
        now: Instant,
        seed: UInt64? = nil,
        flaw: TransactionReceiptFlaw? = nil
    ) throws(SimulatorError) {
        let members = try SpecificationMembers(
            json: json.span,
            keys: Self.keys,
            now: now,
            seed: seed,
            flaw: flaw?.name
        )
        self.seed = try members.natural("seed") ?? 0
        self.flaw = try members.flaw("flaw")
        version = try members.integer("version").map { number throws(SimulatorError) in
            guard let byte = UInt8(exactly: number),
                let version = TransactionReceiptIssuer.BlobVersion(rawValue: byte)
            else { throw members.invalid("version", "2 or 3") }
            return version
        }
        var receipt = try TransactionPurchase(members, seed: self.seed).receipt
        try receipt.replaceRawKeys(members)
        if try members.bool("omitEnvironment") ?? false { receipt.environment = nil }
        self.receipt = receipt
    }

    /// The receipt's bytes, of which apps send the base 64 text.
    ///
    /// - Throws: `issue.flaw_not_applicable`, `issue.key_unusable`.
    public func issue(by authority: SigningAuthority) throws(SimulatorError) -> [UInt8] {
        let issuer = TransactionReceiptIssuer(authority: authority)
        guard let flaw else { return try issuer.issue(receipt, version: version) }
        return try issuer.issue(receipt, version: version, spoiledBy: flaw, seed: seed)
    }

    private static let keys = [
        "environment", "type", "bundleId", "bundleVersion", "productId", "quantity",
        "transactionId", "originalTransactionId", "purchaseDate", "originalPurchaseDate",
        "expiresDate", "webOrderLineItemId", "itemId", "appItemId", "versionExternalIdentifier",
        "subscriptionGroupIdentifier", "uniqueIdentifier", "uniqueVendorIdentifier",
        "cancellationDate", "trial", "introOffer", "allDateForms", "purchaseInfo",
        "omitEnvironment", "version", "seed", "flaw",
    ]
}

extension TransactionPurchase {
    fileprivate init(_ members: SpecificationMembers, seed: UInt64) throws(SimulatorError) {
        let environment =
            try members.choice(
                "environment",
                ["Sandbox": StoreEnvironment.sandbox, "Production": .production]
            ) ?? .sandbox
        let number = AppReceiptDetails(seed: seed).number(100_000_000...899_999_999, for: "ids")
        let lead: Int64 =
            environment == .production ? 260_000_000_000_000 : 1_000_000_000_000_000
        let bundleId = try members.string("bundleId") ?? "com.example.app"
        self.init(
            bundleId: bundleId,
            productId: try members.string("productId") ?? bundleId + ".pro.month",
            transactionId: try members.identifier("transactionId") ?? String(lead + number),
            purchaseDate: try members.date("purchaseDate")
                ?? members.now.advanced(by: .seconds(-3 * 86_400)),
            environment: environment
        )
        self.seed = seed
        bundleVersion = try members.string("bundleVersion") ?? bundleVersion
        quantity = try members.integer("quantity") ?? quantity
        originalTransactionId = try members.identifier("originalTransactionId")
        originalPurchaseDate = try members.date("originalPurchaseDate")
        let type = try members.choice("type", ProductType.words) ?? .autoRenewableSubscription
        expiresDate = try members.date("expiresDate")
        if type == .autoRenewableSubscription, expiresDate == nil {
            expiresDate = purchaseDate.advanced(by: .seconds(30 * 86_400))
        }
        cancellationDate = try members.date("cancellationDate")
        isTrialPeriod = try members.bool("trial")
        isInIntroOfferPeriod = try members.bool("introOffer")
        hasAllDateForms = try members.bool("allDateForms") ?? true
        try takeIdentifiers(members)
    }

    private mutating func takeIdentifiers(
        _ members: SpecificationMembers
    ) throws(SimulatorError) {
        webOrderLineItemId = try members.identifier("webOrderLineItemId")
        itemId = try members.identifier("itemId")
        appItemId = try members.identifier("appItemId")
        versionExternalIdentifier = try members.identifier("versionExternalIdentifier")
        subscriptionGroupIdentifier = try members.identifier("subscriptionGroupIdentifier")
        uniqueIdentifier = try members.string("uniqueIdentifier")
        uniqueVendorIdentifier = try members.string("uniqueVendorIdentifier")
    }
}

extension TransactionReceipt {
    /// Replaces, adds and removes signed keys.
    fileprivate mutating func replaceRawKeys(
        _ members: SpecificationMembers
    ) throws(SimulatorError) {
        guard let value = members.members.object["purchaseInfo"] else { return }
        guard let object = value.object else {
            throw members.invalid("purchaseInfo", "an object of texts")
        }
        for (key, value) in object {
            switch value {
            case .null: remove(key)
            case .string(let text): set(key, text)
            default: throw members.invalid("purchaseInfo", "an object of texts and nulls")
            }
        }
    }
}
