package import CounterfoilJSON

/// An answer of verifyReceipt that came from outside (Apple, "responseBody"), in whatever form.
///
/// Apple's answers have changed their types in the course of time and have two spellings of one
/// key, and programs between Apple and us rewrite more: numbers and booleans are taken as such and
/// in strings. What decides is read here, the rest is kept as it came.
package struct VerifyReceiptReply: Hashable, Sendable {
    /// The status.
    package let status: VerifyReceiptStatus
    /// `environment`; nil where none is named, as beside most errors and iOS 6-style receipts.
    package let environment: StoreEnvironment?
    /// `is_retryable` or `is-retryable`; nil where neither says anything.
    package let isRetryable: Bool?
    /// The whole.
    package let object: JSONObject

    /// Reads an answer.
    ///
    /// - Throws: ``JSONError`` when there is no status, or none that is a number.
    package init(_ object: JSONObject) throws(JSONError) {
        let members = JSONMembers(object)
        let number = try members.required("status", members.integer("status"))
        status = VerifyReceiptStatus(rawValue: Int(number))
        environment = Self.text(object["environment"]).map { StoreEnvironment(rawValue: $0) }
        isRetryable = Self.retryableKeys.lazy.compactMap { Self.bool(object[$0]) }.first
        self.object = object
    }

    /// The two spellings of the key that says whether to ask again; the first is today's.
    package static let retryableKeys = ["is_retryable", "is-retryable"]

    /// Whether there is a receipt in it: genuine, its subscription over or not.
    package var hasReceipt: Bool { status == .ok || status == .subscriptionExpired }

    /// The app that the receipt is of: `bundle_id`, or `bid` of an iOS 6-style one.
    package var bundleId: String? {
        let receipt = object["receipt"]?.object ?? [:]
        return Self.text(receipt["bundle_id"]) ?? Self.text(receipt["bid"])
    }

    /// The app's Apple ID; nil where it is not named or 0, as in the sandbox.
    package var appAppleId: Int64? {
        let receipt = object["receipt"]?.object ?? [:]
        for key in ["app_item_id", "adam_id", "item_id"] {
            guard let value = receipt[key] else { continue }
            if case .value(let number) = JSONMembers.Forms.asAppleSends.integer(in: value),
                number != 0
            {
                return number
            }
        }
        return nil
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func bool(_ value: JSONValue?) -> Bool? {
        guard let value, case .value(let bool) = JSONMembers.Forms.asAppleSends.bool(in: value)
        else { return nil }
        return bool
    }
}

extension VerifyReceiptStatus {
    /// What Apple may answer otherwise in a moment; of these some say themselves whether to ask.
    package var isPassing: Bool {
        switch self {
        case .unavailable, .internalError: true
        default: (21100...21199).contains(rawValue)
        }
    }
}
