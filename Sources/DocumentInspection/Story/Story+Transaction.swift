package import AppStoreModel
import CounterfoilBasics

extension Story {
    /// What was bought, for how much, until when, and what became of it.
    init(of transaction: JWSTransactionDecodedPayload, at now: Instant) {
        self.init(at: now)
        say(Self.beginning(of: transaction))
        say(ending(of: transaction))
        state("product", product(transaction))
        state("price", Self.price(of: transaction))
        state("offer", Self.offer(of: transaction))
        state("bought", transaction.purchaseDate)
        if transaction.originalPurchaseDate != transaction.purchaseDate {
            state("first bought", transaction.originalPurchaseDate)
        }
        stateEnd(of: transaction)
        stateIdentifiers(of: transaction)
    }

    private mutating func stateEnd(of transaction: JWSTransactionDecodedPayload) {
        if let expiresDate = transaction.expiresDate {
            let isOver = expiresDate <= now || transaction.revocationDate != nil
            let name = expiresDate <= now ? "ran until" : "runs until"
            state(name, expiresDate, isOver ? .plain : .good)
        }
        state("refunded", transaction.revocationDate, .bad)
        if let commitment = transaction.commitmentInfo,
            let number = commitment.billingPeriodNumber, let total = commitment.totalBillingPeriods
        {
            let end = commitment.commitmentExpiresDate.map { ", until \(when($0))" } ?? ""
            state("commitment", "payment \(number) of \(total)\(end)")
        }
    }

    private mutating func stateIdentifiers(of transaction: JWSTransactionDecodedPayload) {
        state("transaction", transaction.transactionId)
        let original = transaction.originalTransactionId
        state("original", original == transaction.transactionId ? "the same" : original)
        state("account token", transaction.appAccountToken)
        state("app", transaction.bundleId)
        state("environment", transaction.environment?.rawValue)
    }

    private static func beginning(of transaction: JWSTransactionDecodedPayload) -> String {
        let product = transaction.productId ?? "something"
        let count = transaction.quantity ?? 1
        let things = count == 1 ? product : "\(count) of \(product)"
        switch transaction.inAppOwnershipType {
        case .familyShared?: return "A member of the family shares \(things)."
        case .assigned?: return "\(things) was assigned to the customer by an organization."
        default: break
        }
        let verb =
            transaction.transactionReason == .renewal
            ? "The App Store renewed" : "The customer bought"
        let isFree = transaction.offerDiscountType == .freeTrial
        let price = isFree ? " as a free trial" : cost(of: transaction).map { " for \($0)" } ?? ""
        return "\(verb) \(things)\(price)."
    }

    private func ending(of transaction: JWSTransactionDecodedPayload) -> String? {
        if let revoked = transaction.revocationDate {
            return Self.refund(in: transaction) + " \(day(revoked))."
        }
        if transaction.isUpgraded == true { return "A change to another plan took its place." }
        guard let end = transaction.expiresDate else { return nil }
        return end > now ? "It runs until \(when(end))." : "The period ended \(day(end))."
    }

    private static func refund(in transaction: JWSTransactionDecodedPayload) -> String {
        let share = transaction.revocationPercentage?.inWords
        let reason =
            switch transaction.revocationReason {
            case .appIssue?: ", because of an issue with the app,"
            default: ""
            }
        switch transaction.revocationType {
        case .familyRevoke?: return "Access through family sharing ended"
        case .assignmentRevoke?: return "The organization took it back"
        case .refundProrated?:
            return "The App Store refunded \(share ?? "a part") of the price\(reason)"
        default:
            // Without a reason nothing was refunded: family access ended.
            return transaction.revocationReason == nil && transaction.revocationType == nil
                && transaction.inAppOwnershipType == .familyShared
                ? "Access through family sharing ended"
                : "The App Store refunded the purchase\(reason)"
        }
    }

    private func product(_ transaction: JWSTransactionDecodedPayload) -> String? {
        guard let product = transaction.productId else { return nil }
        let type = transaction.type.map { ", \($0.rawValue.lowercased())" } ?? ""
        return product + type
    }

    private static func cost(of transaction: JWSTransactionDecodedPayload) -> String? {
        transaction.price?.inWords(transaction.currency)
    }

    private static func price(of transaction: JWSTransactionDecodedPayload) -> String? {
        guard let price = cost(of: transaction) else { return nil }
        return price + (transaction.storefront.map { ", storefront \($0)" } ?? "")
    }

    private static func offer(of transaction: JWSTransactionDecodedPayload) -> String? {
        offer(
            transaction.offerType,
            transaction.offerIdentifier,
            transaction.offerDiscountType,
            transaction.offerPeriod
        )
    }

    /// `introductory, free trial, for 1 week`; nil without an offer.
    package static func offer(
        _ type: OfferType?,
        _ identifier: String?,
        _ discount: OfferDiscountType?,
        _ period: CalendarPeriod?
    ) -> String? {
        guard let type else { return nil }
        let words: [String?] = [
            type.inWords, identifier, discount?.inWords, period.map { "for \($0.inWords)" },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}

// MARK: - Apple's values in words

extension OfferType {
    fileprivate var inWords: String {
        switch self {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .code: "offer code"
        case .winBack: "win-back"
        default: "type \(rawValue), which nobody here knows"
        }
    }
}

extension OfferDiscountType {
    fileprivate var inWords: String {
        switch self {
        case .freeTrial: "free trial"
        case .payAsYouGo: "paid each period"
        case .payUpFront: "paid up front"
        case .oneTime: "paid once"
        default: rawValue
        }
    }
}

extension CalendarPeriod {
    fileprivate var inWords: String {
        guard let (count, unit) = length else { return rawValue }
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}

extension Millipercent {
    /// `50 %`, with as many places as it has.
    fileprivate var inWords: String {
        let fraction = rawValue % 1000 == 0 ? "" : ".\(String(rawValue % 1000 + 1000).dropFirst())"
        return "\(rawValue / 1000)\(fraction) %"
    }
}
