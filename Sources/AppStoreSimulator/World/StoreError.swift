public import CounterfoilBasics

/// Why the local App Store does not do what it was asked to.
///
/// Nothing has changed then.
public struct StoreError: CodedError, Hashable, Sendable {
    /// One of ``allCodes``, such as `store.already_owned`.
    public let code: ErrorCode

    /// What was found, what was expected and where.
    public let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    static func notPossible(_ reason: String) -> StoreError { StoreError(notPossible, reason) }
}

extension StoreError {
    /// The local App Store has no app of that bundle identifier.
    public static let unknownApp: ErrorCode = "store.unknown_app"
    /// The app has no product of that identifier.
    public static let unknownProduct: ErrorCode = "store.unknown_product"
    /// A product is described as none can be sold.
    public static let invalidCatalogue: ErrorCode = "store.invalid_catalogue"
    /// The product has no offer of that identifier.
    public static let unknownOffer: ErrorCode = "store.unknown_offer"
    /// The local App Store gave nobody that transaction.
    public static let unknownTransaction: ErrorCode = "store.unknown_transaction"
    /// The product was withdrawn from sale.
    public static let notForSale: ErrorCode = "store.not_for_sale"
    /// The customer may not have the offer.
    public static let notEligible: ErrorCode = "store.not_eligible"
    /// The account's payments fail.
    public static let paymentFailed: ErrorCode = "store.payment_failed"
    /// The customer has it, so it cannot be bought again.
    public static let alreadyOwned: ErrorCode = "store.already_owned"
    /// The next period is paid already, so the plan cannot be changed at once.
    public static let renewalCharged: ErrorCode = "store.renewal_charged"
    /// What was asked for cannot be done with the purchase as it stands.
    public static let notPossible: ErrorCode = "store.not_possible"

    /// Every code of this error.
    public static let allCodes: [ErrorCode] = [
        unknownApp, unknownProduct, invalidCatalogue, unknownOffer, unknownTransaction, notForSale,
        notEligible,
        paymentFailed, alreadyOwned, renewalCharged, notPossible,
    ]
}
