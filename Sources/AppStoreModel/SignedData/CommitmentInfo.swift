public import CounterfoilBasics
public import CounterfoilJSON

/// Where a subscription that is billed monthly stands in its commitment (Apple,
/// "TransactionCommitmentInfo").
public struct TransactionCommitmentInfo: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// Which of the commitment's billing periods this is, from 1.
    public var billingPeriodNumber: Int64? {
        get { read("billingPeriodNumber") }
        set { write("billingPeriodNumber", newValue) }
    }

    /// How many billing periods the commitment has.
    public var totalBillingPeriods: Int64? {
        get { read("totalBillingPeriods") }
        set { write("totalBillingPeriods", newValue) }
    }

    /// When the commitment ends.
    public var commitmentExpiresDate: Instant? {
        get { read("commitmentExpiresDate") }
        set { write("commitmentExpiresDate", newValue) }
    }

    /// The price of the whole commitment.
    public var commitmentPrice: Milliunits? {
        get { read("commitmentPrice") }
        set { write("commitmentPrice", newValue) }
    }
}

extension TransactionCommitmentInfo {
    static let fields = FieldTable<Self>(
        .init("billingPeriodNumber", \.billingPeriodNumber),
        .init("totalBillingPeriods", \.totalBillingPeriods),
        .init("commitmentExpiresDate", \.commitmentExpiresDate),
        .init("commitmentPrice", \.commitmentPrice)
    )
}

/// What follows the present commitment of a subscription that is billed monthly (Apple,
/// "RenewalCommitmentInfo").
public struct RenewalCommitmentInfo: AppStoreObject, FieldedObject {
    /// Everything in the value, as it was read or set.
    public internal(set) var object = JSONObject()

    /// Makes a value without members.
    public init() {}

    /// The product of the next commitment.
    public var commitmentAutoRenewProductId: String? {
        get { read("commitmentAutoRenewProductId") }
        set { write("commitmentAutoRenewProductId", newValue) }
    }

    /// Whether another commitment follows.
    public var commitmentAutoRenewStatus: AutoRenewStatus? {
        get { read("commitmentAutoRenewStatus") }
        set { write("commitmentAutoRenewStatus", newValue) }
    }

    /// How the next commitment is billed.
    public var commitmentRenewalBillingPlanType: BillingPlanType? {
        get { read("commitmentRenewalBillingPlanType") }
        set { write("commitmentRenewalBillingPlanType", newValue) }
    }

    /// When the next commitment begins.
    public var commitmentRenewalDate: Instant? {
        get { read("commitmentRenewalDate") }
        set { write("commitmentRenewalDate", newValue) }
    }

    /// The price of the next commitment.
    public var commitmentRenewalPrice: Milliunits? {
        get { read("commitmentRenewalPrice") }
        set { write("commitmentRenewalPrice", newValue) }
    }
}

extension RenewalCommitmentInfo {
    static let fields = FieldTable<Self>(
        .init("commitmentAutoRenewProductId", \.commitmentAutoRenewProductId),
        .init("commitmentAutoRenewStatus", \.commitmentAutoRenewStatus),
        .init("commitmentRenewalBillingPlanType", \.commitmentRenewalBillingPlanType),
        .init("commitmentRenewalDate", \.commitmentRenewalDate),
        .init("commitmentRenewalPrice", \.commitmentRenewalPrice)
    )
}
