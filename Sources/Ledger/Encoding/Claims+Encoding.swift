import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

extension JSONObject {
    /// Writes what is said; silence writes nothing.
    fileprivate mutating func set<Value: ClaimValue>(_ key: String, _ said: Said<Value>) {
        if case .says(let value) = said { self[key] = value.encoded }
    }

    fileprivate mutating func set(_ key: String, _ value: (some ClaimValue)?) {
        if let value { self[key] = value.encoded }
    }
}

extension JSONMembers {
    /// Reads what is said; what is absent is silence.
    fileprivate func said<Value: ClaimValue>(
        _ key: String
    ) throws(JSONError) -> Said<Value> {
        guard let value = object[key] else { return .silent }
        guard let read = Value(decoding: value) else { throw wrongForm(key, value) }
        return .says(read)
    }

    fileprivate func value<Value: ClaimValue>(_ key: String) throws(JSONError) -> Value? {
        guard let value = object[key] else { return nil }
        guard let read = Value(decoding: value) else { throw wrongForm(key, value) }
        return read
    }

    fileprivate func required<Value: ClaimValue>(_ key: String) throws(JSONError) -> Value {
        guard let value: Value = try value(key) else {
            throw .wrongType(expected: "a value", found: "none", at: .member(path, key))
        }
        return value
    }

    private func wrongForm(_ key: String, _ value: JSONValue) -> JSONError {
        .wrongType(
            expected: "the form that claims have",
            found: value.kindInWords,
            at: .member(path, key)
        )
    }
}

// MARK: - Purchases

extension PurchaseClaim {
    var encoded: JSONObject {
        var object: JSONObject = [
            "id": .string(id.encoded), "transactionId": .string(transactionId),
        ]
        object.set("purchaseDate", purchaseDate)
        object.set("originalPurchaseDate", originalPurchaseDate)
        object.set("expiresDate", expiresDate)
        object.set("revocation", revocation)
        object.set("isUpgraded", isUpgraded)
        object.set("ownership", ownership)
        object.set("appAccountToken", appAccountToken)
        object.set("appTransactionId", appTransactionId)
        object.set("productId", productId)
        object.set("type", type)
        object.set("group", group)
        object.set("quantity", quantity)
        object.set("offer", offer)
        object.set("price", price)
        object.set("storefront", storefront)
        return object
    }

    init(decoding members: JSONMembers) throws(JSONError) {
        let name: String = try members.required("id")
        guard let id = PurchaseID(decoding: name) else {
            throw .wrongType(
                expected: "a purchase's name",
                found: "another string",
                at: .member(members.path, "id")
            )
        }
        self.init(
            id: id,
            transactionId: try members.required("transactionId"),
            purchaseDate: try members.value("purchaseDate"),
            originalPurchaseDate: try members.value("originalPurchaseDate")
        )
        expiresDate = try members.said("expiresDate")
        revocation = try members.said("revocation")
        isUpgraded = try members.said("isUpgraded")
        ownership = try members.said("ownership")
        appAccountToken = try members.said("appAccountToken")
        appTransactionId = try members.said("appTransactionId")
        productId = try members.said("productId")
        type = try members.said("type")
        group = try members.said("group")
        quantity = try members.said("quantity")
        offer = try members.said("offer")
        price = try members.said("price")
        storefront = try members.said("storefront")
    }
}

extension PurchaseID {
    /// The name in one word.
    package var encoded: String {
        switch self {
        case .period(let lineItem): "period:\(lineItem)"
        case .undocumentedPeriod(let begin): "begin:\(begin.millisecondsSince1970)"
        case .oneTime: "once"
        case .xcode(let id, let begin): "xcode:\(begin.millisecondsSince1970):\(id)"
        }
    }

    init?(decoding text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts[0], parts.count) {
        case ("once", 1): self = .oneTime
        case ("period", 2): self = .period(lineItem: String(parts[1]))
        case ("begin", 2):
            guard let milliseconds = Int64(parts[1]) else { return nil }
            self = .undocumentedPeriod(begin: Instant(millisecondsSince1970: milliseconds))
        case ("xcode", 2):
            let rest = parts[1].split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard rest.count == 2, let milliseconds = Int64(rest[0]) else { return nil }
            self = .xcode(
                transactionId: String(rest[1]),
                begin: Instant(millisecondsSince1970: milliseconds)
            )
        default: return nil
        }
    }
}

// MARK: - Renewal

extension RenewalClaim {
    var encoded: JSONObject {
        var object = JSONObject()
        object.set("choice", choice)
        object.set("failure", failure)
        object.set("priceConsent", priceConsent)
        return object
    }

    init(decoding members: JSONMembers) throws(JSONError) {
        self.init()
        choice = try members.said("choice")
        failure = try members.said("failure")
        priceConsent = try members.said("priceConsent")
    }
}

// MARK: - Values of several fields

/// A value whose fields stand in an object, each absent where it is nil.
private protocol ClaimObject: ClaimValue {
    var fields: JSONObject { get }

    init(decoding members: JSONMembers) throws(JSONError)
}

extension ClaimObject {
    var encoded: JSONValue { .object(fields) }

    init?(decoding value: JSONValue) {
        do {
            try self.init(decoding: JSONMembers(value, forms: .exact))
        } catch {
            return nil
        }
    }
}

extension Revocation: ClaimObject {
    fileprivate var fields: JSONObject {
        var object: JSONObject = ["date": date.encoded]
        object.set("reason", reason)
        object.set("type", type)
        object.set("percentage", percentage)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            date: try members.required("date"),
            reason: try members.value("reason"),
            type: try members.value("type"),
            percentage: try members.value("percentage")
        )
    }
}

extension OfferUsed: ClaimObject {
    fileprivate var fields: JSONObject {
        var object = JSONObject()
        object.set("type", type)
        object.set("identifier", identifier)
        object.set("discountType", discountType)
        object.set("period", period)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            type: try members.value("type"),
            identifier: try members.value("identifier"),
            discountType: try members.value("discountType"),
            period: try members.value("period")
        )
    }
}

extension PricePaid: ClaimObject {
    fileprivate var fields: JSONObject {
        var object: JSONObject = ["milliunits": milliunits.encoded]
        object.set("currency", currency)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            milliunits: try members.required("milliunits"),
            currency: try members.value("currency")
        )
    }
}

extension RenewalChoice: ClaimObject {
    fileprivate var fields: JSONObject {
        var object: JSONObject = ["isOn": .bool(isOn)]
        object.set("nextProductId", nextProductId)
        object.set("renewalDate", renewalDate)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            isOn: try members.required("isOn"),
            nextProductId: try members.value("nextProductId"),
            renewalDate: try members.value("renewalDate")
        )
    }
}

extension RenewalFailure: ClaimObject {
    fileprivate var fields: JSONObject {
        var object: JSONObject = ["isInBillingRetry": .bool(isInBillingRetry)]
        object.set("expirationIntent", expirationIntent)
        object.set("gracePeriodExpiresDate", gracePeriodExpiresDate)
        object.set("renewalDate", renewalDate)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(
            expirationIntent: try members.value("expirationIntent"),
            isInBillingRetry: try members.required("isInBillingRetry"),
            gracePeriodExpiresDate: try members.value("gracePeriodExpiresDate"),
            renewalDate: try members.value("renewalDate")
        )
    }
}

extension PriceConsent: ClaimObject {
    fileprivate var fields: JSONObject {
        var object = JSONObject()
        object.set("status", status)
        return object
    }

    fileprivate init(decoding members: JSONMembers) throws(JSONError) {
        self.init(status: try members.value("status"))
    }
}
