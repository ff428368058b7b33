import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

extension Story {
    /// What happened; to what, the documents inside say.
    init(of notification: ResponseBodyV2DecodedPayload, at now: Instant) {
        self.init(at: now)
        say(NotificationLabel(notification).sentence)
        if notification.isOdd {
            say("It is about nothing that is known here, or about several things at once.")
        }
        let type = notification.notificationType?.rawValue
        let subtype = notification.subtype.map { ", \($0.rawValue)" } ?? ""
        state("type", type.map { $0 + subtype })
        let status = notification.data?.status
        state("subscription", status?.inWords, status?.tone ?? .plain)
        state("asked because", notification.data?.consumptionRequestReason?.inWords)
        if let summary = notification.summary { state(summary) }
        if let token = notification.externalPurchaseToken { state(token) }
        state("app", notification.bundleId)
        state("app's Apple ID", notification.appAppleId.map(String.init))
        state("app version", notification.data?.bundleVersion)
        state("environment", notification.environment?.rawValue)
        state("notification", notification.notificationUUID)
        state("sent", notification.signedDate)
    }

    private mutating func state(_ summary: ResponseBodyV2DecodedPayload.Summary) {
        state("product", summary.productId)
        state("extended", summary.succeededCount.map { "\($0) subscriptions" }, .good)
        state("not extended", summary.failedCount.map { "\($0) subscriptions" })
        let countries = summary.storefrontCountryCodes?.joined(separator: ", ")
        state("storefronts", countries.map { $0.isEmpty ? "all" : $0 } ?? "all")
        state("request", summary.requestIdentifier)
    }

    private mutating func state(_ token: ResponseBodyV2DecodedPayload.ExternalPurchaseToken) {
        state("token", token.externalPurchaseId)
        state("token type", token.tokenType?.rawValue)
        state("token made", token.tokenCreationDate)
        state("token ends", token.tokenExpirationDate)
    }

    /// What happened, as a notification of version 1 tells it of the newest transaction in it.
    init(of body: ResponseBodyV1, at now: Instant) {
        self.init(at: now)
        say(NotificationLabel(body).sentence)
        state("type", body.notificationType?.rawValue)
        let newest = body.unifiedReceipt?.latestReceiptInfo?
            .max { ($0.purchaseDate ?? .earliest) < ($1.purchaseDate ?? .earliest) }
        let old = body.latestReceiptInfo ?? body.latestExpiredReceiptInfo
        state("product", newest?.productId ?? old?.productId ?? body.autoRenewProductId)
        state("bought", newest?.purchaseDate ?? old?.purchaseDate)
        if let end = newest?.expiresDate ?? old?.expiresDate {
            state(end <= now ? "ran until" : "runs until", end, end <= now ? .plain : .good)
        }
        let refunded = body.cancellationDate ?? newest?.cancellationDate
        state("refunded", refunded, .bad)
        state("next product", body.autoRenewProductId)
        if let status = body.autoRenewStatus {
            state("renewal", status == .on ? "on" : "off", status == .on ? .good : .plain)
        }
        state("changed", body.autoRenewStatusChangeDate)
        state("transaction", newest?.transactionId ?? old?.transactionId)
        state("original", newest?.originalTransactionId ?? body.originalTransactionId)
        state("app", body.bid ?? old?.bid)
        state("app version", body.bvrs ?? old?.bvrs)
        state("environment", body.environment?.rawValue)
    }

    /// What nobody signed around the documents of an answer.
    init(of answer: JSONObject, with count: Int, at now: Instant) {
        self.init(at: now)
        for (key, value) in answer {
            switch value {
            case .string(let text): if !key.hasPrefix("signed") { state(key, text) }
            case .number, .bool: state(key, value.description)
            case .array, .object, .null: continue
            }
        }
    }

    /// Which app was got, when, and as which version.
    init(of transaction: AppTransaction, at now: Instant) {
        self.init(at: now)
        let app = transaction.bundleId ?? "The app"
        let version = transaction.originalApplicationVersion.map { " as version \($0)" } ?? ""
        // Xcode writes a date before there was an App Store.
        let date =
            transaction.originalPurchaseDate
            .map { $0.millisecondsSince1970 > 0 ? " \(day($0))" : "" } ?? ""
        say("\(app) was first got\(version)\(date).")
        state("app", transaction.bundleId)
        state("app's Apple ID", transaction.appAppleId.map(String.init))
        state("version", transaction.applicationVersion)
        state("first version", transaction.originalApplicationVersion)
        state("first got", transaction.originalPurchaseDate)
        state("preordered", transaction.preorderDate)
        state("platform", transaction.originalPlatform?.rawValue)
        state("store", transaction.storeType?.rawValue)
        state("app transaction", transaction.appTransactionId)
        state("environment", transaction.receiptType?.rawValue)
    }

    /// What the App Store wants to know while a customer is about to cancel.
    init(of request: DecodedRealtimeRequestBody, at now: Instant) {
        self.init(at: now)
        let product = request.productId ?? "a subscription"
        say("A customer is about to cancel \(product); the App Store asks what to offer.")
        state("product", request.productId)
        state("original", request.originalTransactionId)
        state("language", request.userLocale)
        state("app's Apple ID", request.appAppleId.map(String.init))
        state("environment", request.environment?.rawValue)
        state("request", request.requestIdentifier)
    }
}

extension SubscriptionStatus {
    /// Apple's number in words.
    fileprivate var inWords: String {
        switch self {
        case .active: "active"
        case .expired: "expired"
        case .billingRetry: "a payment failed, and the App Store tries again"
        case .billingGracePeriod: "a payment failed; in the grace period"
        case .revoked: "revoked"
        default: "\(rawValue), which nobody here knows"
        }
    }

    fileprivate var tone: Story.Tone {
        switch self {
        case .active, .billingGracePeriod: .good
        case .billingRetry, .revoked: .bad
        default: .plain
        }
    }
}

extension ConsumptionRequestReason {
    fileprivate var inWords: String {
        switch self {
        case .unintendedPurchase: "it was not meant to be bought"
        case .fulfillmentIssue: "it did not come, or not as it should"
        case .unsatisfiedWithPurchase: "the customer was not satisfied"
        case .legal: "of a legal reason"
        case .other: "of another reason"
        default: rawValue
        }
    }
}

extension Instant {
    fileprivate static let earliest = Instant(millisecondsSince1970: .min)
}
