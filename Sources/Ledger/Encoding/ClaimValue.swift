import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// A value that claims hold, and its form in their bytes.
///
/// A member that is absent is silence; a member that is `null` says that there is none.
protocol ClaimValue: Hashable, Sendable {
    /// The value in the bytes.
    var encoded: JSONValue { get }

    /// Reads a value; nil for one of another form.
    init?(decoding value: JSONValue)
}

extension String: ClaimValue {
    var encoded: JSONValue { .string(self) }

    init?(decoding value: JSONValue) {
        guard let text = value.string else { return nil }
        self = text
    }
}

extension Int64: ClaimValue {
    var encoded: JSONValue { JSONValue(self) }

    init?(decoding value: JSONValue) {
        guard let number = value.number?.int64 else { return nil }
        self = number
    }
}

extension Bool: ClaimValue {
    var encoded: JSONValue { .bool(self) }

    init?(decoding value: JSONValue) {
        guard case .bool(let flag) = value else { return nil }
        self = flag
    }
}

extension Instant: ClaimValue {
    var encoded: JSONValue { JSONValue(millisecondsSince1970) }

    init?(decoding value: JSONValue) {
        guard let milliseconds = value.number?.int64 else { return nil }
        self.init(millisecondsSince1970: milliseconds)
    }
}

/// Saying a value, or that there is none.
extension Optional: ClaimValue where Wrapped: ClaimValue {
    var encoded: JSONValue { map(\.encoded) ?? .null }

    init?(decoding value: JSONValue) {
        if value.isNull {
            self = Wrapped?.none
        } else {
            guard let wrapped = Wrapped(decoding: value) else { return nil }
            self = wrapped
        }
    }
}

/// Apple's words and numbers, whatever they may be.
extension ClaimValue where Self: RawRepresentable, RawValue: ClaimValue {
    var encoded: JSONValue { rawValue.encoded }

    init?(decoding value: JSONValue) {
        guard let rawValue = RawValue(decoding: value) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension InAppPurchaseType: ClaimValue {}
extension InAppOwnershipType: ClaimValue {}
extension RevocationReason: ClaimValue {}
extension RevocationType: ClaimValue {}
extension Millipercent: ClaimValue {}
extension Milliunits: ClaimValue {}
extension OfferType: ClaimValue {}
extension OfferDiscountType: ClaimValue {}
extension CalendarPeriod: ClaimValue {}
extension ExpirationIntent: ClaimValue {}
extension PriceIncreaseStatus: ClaimValue {}
extension PersonalReference: ClaimValue {}
