/// Why a customer asked for a refund (Apple, "consumptionRequestReason"); an open set.
public struct ConsumptionRequestReason: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer did not mean to buy it.
    public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// The customer did not receive it, or not as it should be.
    public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer was not satisfied.
    public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE"
    )
    /// A legal reason.
    public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    /// Another reason.
    public static let other = ConsumptionRequestReason(rawValue: "OTHER")
}

/// What an external purchase token is for (Apple, "tokenType"); an open set.
public struct ExternalPurchaseTokenType: RawRepresentable, Hashable, Sendable, OpenFieldValue {
    /// Apple's word.
    public let rawValue: String

    /// Makes a value from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The fee for the store's services.
    public static let services = ExternalPurchaseTokenType(rawValue: "SERVICES")
    /// The fee for new customers.
    public static let acquisition = ExternalPurchaseTokenType(rawValue: "ACQUISITION")
    /// The fee for Apple's technology.
    public static let coreTechnology = ExternalPurchaseTokenType(rawValue: "CORE_TECHNOLOGY")
}
