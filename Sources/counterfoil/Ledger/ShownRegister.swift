import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON
import DocumentInspection
import Ledger

/// What a register holds, for people and for programs.
struct ShownRegister {
    let name: String
    let words: String
    let json: JSONValue
    let stamp: Stamp

    /// Nil where nobody said anything.
    fileprivate init?<Value: RegisterValue>(
        _ name: String,
        _ register: Register<Value>,
        _ shown: (Value) -> (words: String, json: JSONValue)
    ) {
        guard let value = register.value, let stamp = register.stamp else { return nil }
        self.name = name
        (words, json) = shown(value)
        self.stamp = stamp
    }

    fileprivate static func text(_ text: String) -> (String, JSONValue) { (text, .string(text)) }
}

extension Purchase {
    /// What is known of the purchase, as far as anything is.
    var shownRegisters: [ShownRegister] {
        typealias Shown = ShownRegister
        return [
            Shown("productId", registers.productId) { Shown.text($0) },
            Shown("type", registers.type) { Shown.text($0.rawValue) },
            Shown("expiresDate", registers.expiresDate) { end in
                (end?.shortWords ?? "none", end.map { JSONValue($0) } ?? .null)
            },
            Shown("revocation", registers.revocation) { revocation in
                (
                    revocation.map { "\($0.words.lowercased()) \($0.date.shortWords)" } ?? "none",
                    revocation.map { .object($0.json) } ?? .null
                )
            },
            Shown("isUpgraded", registers.isUpgraded) { ($0 ? "yes" : "no", .bool($0)) },
            Shown("ownership", registers.ownership) { Shown.text($0.rawValue) },
            Shown("appAccountToken", registers.appAccountToken) { reference in
                ("reference \(reference.rawValue.prefix(8))", .string(reference.rawValue))
            },
            Shown("appTransactionId", registers.appTransactionId) { Shown.text($0) },
            Shown("group", registers.group) { Shown.text($0) },
            Shown("quantity", registers.quantity) { ("\($0)", JSONValue($0)) },
            Shown("offer", registers.offer) { ($0.words, .object($0.json)) },
            Shown("price", registers.price) { price in
                (price.milliunits.inWords(price.currency), .object(price.json))
            },
            Shown("storefront", registers.storefront) { Shown.text($0) },
        ].compactMap(\.self)
    }
}

extension Ledger.Lineage {
    /// What is known of the renewal, as far as anything is.
    var shownRegisters: [ShownRegister] {
        [
            ShownRegister("renewalChoice", choice) { choice in
                let next = choice.nextProductId.map { ", next \($0)" } ?? ""
                return ((choice.isOn ? "on" : "off") + next, .object(choice.json))
            },
            ShownRegister("renewalFailure", failure) { ($0.words, .object($0.json)) },
            ShownRegister("priceConsent", priceConsent) { consent in
                (
                    consent.status.map(\.words) ?? "not asked for",
                    consent.status.map { JSONValue($0.rawValue) } ?? .null
                )
            },
        ].compactMap(\.self)
    }
}

// MARK: - Values of several members

extension Ledger.Revocation {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["date": JSONValue(date)]
        object.setIfPresent("reason", reason.map { JSONValue($0.rawValue) })
        object.setIfPresent("type", type.map { .string($0.rawValue) })
        object.setIfPresent("percentage", percentage.map { JSONValue($0.rawValue) })
        return object
    }
}

extension OfferUsed {
    /// `introductory, free trial, for 1 week`.
    var words: String {
        Story.offer(type, identifier, discountType, period) ?? "a lower price"
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        object.setIfPresent("type", type.map { JSONValue($0.rawValue) })
        object.setIfPresent("identifier", identifier.map { .string($0) })
        object.setIfPresent("discountType", discountType.map { .string($0.rawValue) })
        object.setIfPresent("period", period.map { .string($0.rawValue) })
        return object
    }
}

extension PricePaid {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["price": JSONValue(milliunits.rawValue)]
        object.setIfPresent("currency", currency.map { .string($0) })
        return object
    }
}

extension RenewalChoice {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["isOn": .bool(isOn)]
        object.setIfPresent("nextProductId", nextProductId.map { .string($0) })
        object.setIfPresent("renewalDate", renewalDate.map { JSONValue($0) })
        return object
    }
}

extension RenewalFailure {
    fileprivate var words: String {
        var parts: [String] = []
        if isInBillingRetry { parts.append("charged again and again") }
        if let grace = gracePeriodExpiresDate { parts.append("grace until \(grace.shortWords)") }
        if let intent = expirationIntent { parts.append("ended, intent \(intent.rawValue)") }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = ["isInBillingRetry": .bool(isInBillingRetry)]
        object.setIfPresent("expirationIntent", expirationIntent.map { JSONValue($0.rawValue) })
        object.setIfPresent("gracePeriodExpiresDate", gracePeriodExpiresDate.map { JSONValue($0) })
        object.setIfPresent("renewalDate", renewalDate.map { JSONValue($0) })
        return object
    }
}

extension PriceIncreaseStatus {
    fileprivate var words: String {
        switch self {
        case .noAnswer: "no answer yet"
        case .consentedOrNotified: "given, or not needed"
        default: "status \(rawValue), which nobody here knows"
        }
    }
}
