package import AppStoreModel
package import CounterfoilBasics

/// That the App Store took a purchase back: one value, of which every field changes together.
package struct Revocation: Hashable, Sendable {
    /// Since when it counts no more.
    package let date: Instant
    /// Why it was refunded; nil where family access ended, and where nobody says.
    package let reason: RevocationReason?
    /// In full, in part, or family access withdrawn; nil where nobody says.
    package let type: RevocationType?
    /// How much of the price was given back; nil where nobody says.
    package let percentage: Millipercent?

    package init(
        date: Instant,
        reason: RevocationReason? = nil,
        type: RevocationType? = nil,
        percentage: Millipercent? = nil
    ) {
        self.date = date
        self.reason = reason
        self.type = type
        self.percentage = percentage
    }
}

/// The offer that set a price.
package struct OfferUsed: Hashable, Sendable {
    /// The kind of offer; nil where a receipt says only that the price was lowered.
    package let type: OfferType?
    /// Which one.
    package let identifier: String?
    /// How it is paid.
    package let discountType: OfferDiscountType?
    /// How long it lasts in all.
    package let period: CalendarPeriod?
}

/// What was paid.
package struct PricePaid: Hashable, Sendable {
    /// A thousandth of the currency's unit.
    package let milliunits: Milliunits
    /// ISO 4217.
    package let currency: String?
}

/// What will become of a subscription, as its customer chose.
package struct RenewalChoice: Hashable, Sendable {
    /// Whether it renews.
    package let isOn: Bool
    /// The product of the next period; nil where nobody says.
    package let nextProductId: String?
    /// The end of the period that this speaks of; nil where nobody says.
    package let renewalDate: Instant?
}

/// What became of a payment that was due.
package struct RenewalFailure: Hashable, Sendable {
    /// Why the subscription is over; nil while it is not.
    package let expirationIntent: ExpirationIntent?
    /// Whether the App Store tries to charge.
    package let isInBillingRetry: Bool
    /// Until when access is kept.
    package let gracePeriodExpiresDate: Instant?
    /// The end of the period that this speaks of; nil where nobody says.
    package let renewalDate: Instant?
}

/// What a customer answered to a higher price.
package struct PriceConsent: Hashable, Sendable {
    /// The answer; nil where no increase is known.
    package let status: PriceIncreaseStatus?
}

// MARK: - Order among values of one document

extension Revocation: RegisterValue {
    package var tieBreaker: String {
        "\(date.millisecondsSince1970) \(reason?.rawValue ?? -1) \(type?.rawValue ?? "") "
            + "\(percentage?.rawValue ?? -1)"
    }
}

extension OfferUsed: RegisterValue {
    package var tieBreaker: String {
        "\(type?.rawValue ?? -1) \(discountType?.rawValue ?? "") \(period?.rawValue ?? "") "
            + (identifier ?? "")
    }
}

extension PricePaid: RegisterValue {
    package var tieBreaker: String { "\(milliunits.rawValue) \(currency ?? "")" }
}

extension RenewalChoice: RegisterValue {
    package var tieBreaker: String {
        "\(isOn) \(renewalDate?.millisecondsSince1970 ?? .min) \(nextProductId ?? "")"
    }
}

extension RenewalFailure: RegisterValue {
    package var tieBreaker: String {
        "\(expirationIntent?.rawValue ?? -1) \(isInBillingRetry) "
            + "\(gracePeriodExpiresDate?.millisecondsSince1970 ?? .min) "
            + "\(renewalDate?.millisecondsSince1970 ?? .min)"
    }
}

extension PriceConsent: RegisterValue {
    package var tieBreaker: String { "\(status?.rawValue ?? -1)" }
}

extension String: RegisterValue {
    package var tieBreaker: String { self }
}

extension Bool: RegisterValue {
    package var tieBreaker: String { self ? "1" : "0" }
}

extension Int64: RegisterValue {
    package var tieBreaker: String { String(self) }
}

extension Instant: RegisterValue {
    package var tieBreaker: String { String(millisecondsSince1970) }
}

extension InAppPurchaseType: RegisterValue {
    package var tieBreaker: String { rawValue }
}

extension InAppOwnershipType: RegisterValue {
    package var tieBreaker: String { rawValue }
}

/// A value, or that there is none: both can be said.
extension Optional: RegisterValue where Wrapped: RegisterValue {
    package var tieBreaker: String { map { "1" + $0.tieBreaker } ?? "0" }
}
