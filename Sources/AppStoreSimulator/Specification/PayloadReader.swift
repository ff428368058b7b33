import AppStoreModel
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON

/// Reads descriptions of payloads, and fills in what they leave out.
struct PayloadReader {
    let now: Instant
    let seed: UInt64
    /// Our own words beside those of a kind; none in a document inside another one.
    let words: [String]
    /// What a notification says for all in it.
    var surroundings = Surroundings()

    /// What the documents in a notification have in common with it.
    struct Surroundings {
        var environment: StoreEnvironment?
        var bundleId: String?
        var appAppleId: Int64?
        var signedDate: Instant?
    }

    typealias Reading = (payload: JSONObject, words: SpecificationMembers)

    func document(
        _ kind: SignedDataSpecification.Kind,
        _ members: JSONMembers
    ) throws(SimulatorError) -> (SignedDocument, SpecificationMembers) {
        let reading: Reading
        switch kind {
        case .transaction: reading = try transaction(members)
        case .renewalInfo: reading = try renewalInfo(members)
        case .appTransaction: reading = try appTransaction(members)
        case .realtimeRequest: reading = try realtimeRequest(members)
        case .notification: return try notification(members)
        }
        return (SignedDocument(payload: reading.payload), reading.words)
    }

    private func madeUp(_ specified: SpecifiedPayload, _ key: String) -> MadeUp {
        let stated = specified.text(key).map(StoreEnvironment.init(rawValue:))
        return MadeUp(seed: seed, environment: stated ?? surroundings.environment ?? .sandbox)
    }

    private func bundleId(_ specified: SpecifiedPayload) -> String {
        specified.text("bundleId") ?? surroundings.bundleId ?? MadeUp.bundleId
    }

    private func signedDate(_ specified: SpecifiedPayload) -> Instant {
        specified.date("signedDate") ?? surroundings.signedDate ?? now
    }
}

// MARK: - Transactions

extension PayloadReader {
    private static let purchaseAge = Duration.seconds(3 * 86_400)
    static let period = Duration.seconds(30 * 86_400)

    func transaction(
        _ members: JSONMembers,
        _ story: NotificationStory = NotificationStory()
    ) throws(SimulatorError) -> Reading {
        var specified = try SpecifiedPayload(
            members,
            known: JWSTransactionDecodedPayload.knownMembers,
            words: words,
            now: now
        )
        try specified.requireTypes(of: JWSTransactionDecodedPayload.self)
        if let type = ProductType.words.first(where: { $0.key == specified.text("type") })?.value,
            let name = InAppPurchaseType(type)
        {
            specified.give("type", .string(name.rawValue))
        }
        let defaults = transaction(specified, madeUp(specified, "environment"), story)
        return (try specified.payload(over: defaults.object), specified.words)
    }

    /// A transaction as the store of the environment would sign it.
    private func transaction(
        _ specified: SpecifiedPayload,
        _ madeUp: MadeUp,
        _ story: NotificationStory
    ) -> JWSTransactionDecodedPayload {
        let type =
            specified.text("type").map(InAppPurchaseType.init(rawValue:)) ?? story.type
            ?? .autoRenewableSubscription
        let isXcode = madeUp.environment == .xcode
        let begin =
            specified.date("purchaseDate")
            ?? now.advanced(by: .zero - (story.age ?? Self.purchaseAge))
        var payload = JWSTransactionDecodedPayload()
        let transactionId =
            specified.text("transactionId") ?? madeUp.transactionId(story.isRenewal ? 1 : 0)
        payload.transactionId = transactionId
        let originalTransactionId =
            specified.text("originalTransactionId")
            ?? (story.isRenewal ? madeUp.transactionId() : transactionId)
        payload.originalTransactionId = originalTransactionId
        payload.bundleId = bundleId(specified)
        payload.productId = bundleId(specified) + ".pro.month"
        payload.purchaseDate = begin
        payload.originalPurchaseDate =
            story.isRenewal ? begin.advanced(by: .zero - Self.period) : begin
        if type == .autoRenewableSubscription {
            payload.webOrderLineItemId = madeUp.webOrderLineItemId
            payload.subscriptionGroupIdentifier = madeUp.subscriptionGroupIdentifier
            payload.expiresDate = begin.advanced(by: Self.period)
        }
        payload.quantity = 1
        payload.type = type
        payload.inAppOwnershipType = .purchased
        payload.signedDate = signedDate(specified)
        payload.environment = madeUp.environment
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason =
            transactionId == originalTransactionId ? .purchase : .renewal
        if isXcode {
            payload.isUpgraded = false
            let nonce = specified.text("deviceVerificationNonce") ?? madeUp.uuid(for: "nonce")
            payload.deviceVerificationNonce = nonce
            payload.deviceVerification = Self.deviceVerification(
                nonce: nonce,
                device: madeUp.uuid(for: "device")
            )
        } else {
            payload.price = Milliunits(rawValue: 4990)
            payload.currency = "USD"
            payload.appTransactionId = madeUp.appTransactionId
        }
        story.finish(&payload, now: now)
        return payload
    }

    /// SHA-384 over the nonce and the device's identifier, both as lower-case text (Apple,
    /// "deviceVerification").
    static func deviceVerification(nonce: String, device: String) -> String {
        let text = Array((nonce.lowercased() + device.lowercased()).utf8)
        return Base64.encode(MessageDigest(of: text.span, .sha384).bytes.span)
    }
}

extension InAppPurchaseType {
    /// The word of signed data for a kind of product; nil for one that it has none for.
    fileprivate init?(_ type: ProductType) {
        switch type {
        case .autoRenewableSubscription: self = .autoRenewableSubscription
        case .nonRenewingSubscription: self = .nonRenewingSubscription
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        default: return nil
        }
    }
}

// MARK: - Renewal info

extension PayloadReader {
    /// Reads renewal info.
    ///
    /// - Parameters:
    ///   - members: The description.
    ///   - transaction: The transaction beside it; nil for the one that `{}` would be.
    ///   - story: What happened.
    /// - Returns: The payload, and our own words.
    /// - Throws: As reading a specification.
    func renewalInfo(
        _ members: JSONMembers,
        beside transaction: JSONObject? = nil,
        _ story: NotificationStory = NotificationStory()
    ) throws(SimulatorError) -> Reading {
        let specified = try SpecifiedPayload(
            members,
            known: JWSRenewalInfoDecodedPayload.knownMembers,
            words: words,
            now: now
        )
        try specified.requireTypes(of: JWSRenewalInfoDecodedPayload.self)
        let madeUp = madeUp(specified, "environment")
        var purchase = transaction
        if purchase == nil {
            let nothing = try SpecifiedPayload(
                JSONMembers(JSONObject()),
                known: [],
                words: [],
                now: now
            )
            purchase = self.transaction(nothing, madeUp, story).object
        }
        let defaults = renewalInfo(specified, madeUp, of: purchase ?? [:], story)
        return (try specified.payload(over: defaults.object), specified.words)
    }

    private func renewalInfo(
        _ specified: SpecifiedPayload,
        _ madeUp: MadeUp,
        of purchase: JSONObject,
        _ story: NotificationStory
    ) -> JWSRenewalInfoDecodedPayload {
        func date(_ key: String) -> Instant? {
            purchase[key]?.number?.int64.map(Instant.init(millisecondsSince1970:))
        }
        var payload = JWSRenewalInfoDecodedPayload()
        payload.originalTransactionId =
            purchase["originalTransactionId"]?.string ?? madeUp.transactionId()
        let productId =
            specified.text("productId") ?? purchase["productId"]?.string
            ?? MadeUp.bundleId + ".pro.month"
        payload.productId = productId
        payload.autoRenewProductId = productId
        payload.autoRenewStatus = .on
        payload.signedDate = signedDate(specified)
        payload.environment = madeUp.environment
        payload.recentSubscriptionStartDate = date("originalPurchaseDate")
        payload.renewalDate = date("expiresDate")
        if madeUp.environment == .xcode {
            let nonce = specified.text("deviceVerificationNonce") ?? madeUp.uuid(for: "nonce")
            payload.deviceVerificationNonce = nonce
            payload.deviceVerification = Self.deviceVerification(
                nonce: nonce,
                device: madeUp.uuid(for: "device")
            )
        } else {
            payload.renewalPrice = Milliunits(rawValue: 4990)
            payload.currency = "USD"
            payload.appTransactionId = madeUp.appTransactionId
        }
        story.finish(&payload, now: now)
        return payload
    }
}

// MARK: - App transactions and retention requests

extension PayloadReader {
    func appTransaction(_ members: JSONMembers) throws(SimulatorError) -> Reading {
        var specified = try SpecifiedPayload(
            members,
            known: AppTransaction.knownMembers,
            words: words + ["environment", "device"],
            now: now
        )
        if let environment = try specified.words.string("environment"),
            !specified.has("receiptType")
        {
            specified.give("receiptType", .string(environment))
        }
        try specified.requireTypes(of: AppTransaction.self)
        let madeUp = madeUp(specified, "receiptType")
        let defaults = appTransaction(
            specified,
            madeUp,
            device: try specified.words.string("device") ?? madeUp.uuid(for: "device")
        )
        return (try specified.payload(over: defaults.object), specified.words)
    }

    private func appTransaction(
        _ specified: SpecifiedPayload,
        _ madeUp: MadeUp,
        device: String
    ) -> AppTransaction {
        let isProduction = madeUp.environment == .production
        var payload = AppTransaction()
        payload.receiptType = madeUp.environment
        if isProduction {
            payload.appAppleId = surroundings.appAppleId ?? madeUp.appAppleId
            payload.versionExternalIdentifier = 850_000_000
        }
        payload.bundleId = bundleId(specified)
        payload.applicationVersion = "1"
        payload.receiptCreationDate =
            specified.date("receiptCreationDate") ?? surroundings.signedDate ?? now
        payload.originalPurchaseDate =
            switch madeUp.environment {
            case .production: now.advanced(by: .seconds(-90 * 86_400))
            // Apple's two constants: the summer of 2013, and the first day of the year 1.
            case .xcode: Instant(millisecondsSince1970: -62_135_769_600_000)
            default: Instant(millisecondsSince1970: 1_375_340_400_000)
            }
        payload.originalApplicationVersion =
            isProduction || madeUp.environment == .xcode ? "1" : "1.0"
        let nonce = specified.text("deviceVerificationNonce") ?? madeUp.uuid(for: "nonce")
        payload.deviceVerification = Self.deviceVerification(nonce: nonce, device: device)
        payload.deviceVerificationNonce = nonce
        if madeUp.environment != .xcode {
            payload.appTransactionId = madeUp.appTransactionId
            payload.originalPlatform = .iOS
        }
        return payload
    }

    func realtimeRequest(_ members: JSONMembers) throws(SimulatorError) -> Reading {
        let specified = try SpecifiedPayload(
            members,
            known: DecodedRealtimeRequestBody.knownMembers,
            words: words,
            now: now
        )
        try specified.requireTypes(of: DecodedRealtimeRequestBody.self)
        let madeUp = madeUp(specified, "environment")
        var payload = DecodedRealtimeRequestBody()
        payload.originalTransactionId = madeUp.transactionId()
        payload.appAppleId = madeUp.appAppleId
        payload.productId = MadeUp.bundleId + ".pro.month"
        payload.userLocale = "en-US"
        payload.requestIdentifier = madeUp.uuid(for: "request")
        payload.environment = madeUp.environment
        payload.signedDate = now
        return (try specified.payload(over: payload.object), specified.words)
    }
}
