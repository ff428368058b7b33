import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

// Notifications of version 2, and what is signed into them.
extension PayloadReader {
    func notification(
        _ members: JSONMembers
    ) throws(SimulatorError) -> (SignedDocument, SpecificationMembers) {
        let specified = try SpecifiedPayload(
            members,
            known: ResponseBodyV2DecodedPayload.knownMembers,
            words: words + [
                "environment", "bundleId", "appAppleId", "transaction", "renewalInfo",
                "appTransaction",
            ],
            now: now
        )
        try specified.requireTypes(of: ResponseBodyV2DecodedPayload.self)
        let draft = try NotificationDraft(specified, self)
        return (try draft.document(), specified.words)
    }
}

/// A notification that is being filled in.
private struct NotificationDraft {
    private let specified: SpecifiedPayload
    private let reader: PayloadReader
    private let madeUp: MadeUp
    private let event: NotificationStory.Event
    private let contentKey: String

    private static let contentKeys = ["data", "summary", "externalPurchaseToken", "appData"]

    init(_ specified: SpecifiedPayload, _ reader: PayloadReader) throws(SimulatorError) {
        self.specified = specified
        var event = NotificationStory.Event(
            type: specified.text("notificationType").map(NotificationTypeV2.init(rawValue:)),
            subtype: specified.text("subtype").map(Subtype.init(rawValue:))
        )
        if !specified.has("notificationType") {
            event.type = .subscribed
            if !specified.has("subtype") { event.subtype = .initialBuy }
        }
        self.event = event
        contentKey =
            Self.contentKeys.first { specified.given[$0]?.object != nil }
            ?? Self.contentKey(of: event)
        let content = specified.given[contentKey]
        var surroundings = PayloadReader.Surroundings()
        let environment =
            try specified.words.string("environment") ?? content?["environment"]?.string
        surroundings.environment = environment.map(StoreEnvironment.init(rawValue:)) ?? .sandbox
        surroundings.bundleId =
            try specified.words.string("bundleId") ?? content?["bundleId"]?.string
        madeUp = MadeUp(seed: reader.seed, environment: surroundings.environment ?? .sandbox)
        surroundings.appAppleId =
            try specified.words.integer("appAppleId") ?? content?["appAppleId"]?.number?.int64
            ?? (madeUp.environment == .production ? madeUp.appAppleId : nil)
        surroundings.signedDate = specified.date("signedDate") ?? reader.now
        self.reader = PayloadReader(
            now: reader.now,
            seed: reader.seed,
            words: [],
            surroundings: surroundings
        )
    }

    /// The member that notifications of a type are about.
    private static func contentKey(of event: NotificationStory.Event) -> String {
        switch event.type {
        case .renewalExtension? where event.subtype != .failure: "summary"
        case .externalPurchaseToken?: "externalPurchaseToken"
        case .rescindConsent?: "appData"
        default: "data"
        }
    }

    func document() throws(SimulatorError) -> SignedDocument {
        var defaults = ResponseBodyV2DecodedPayload()
        defaults.notificationType = event.type
        defaults.subtype = event.subtype
        defaults.version = "2.0"
        defaults.signedDate = reader.surroundings.signedDate
        defaults.notificationUUID = madeUp.uuid(for: "notification")
        var document = SignedDocument(payload: [:])
        let story = NotificationStory(event)
        switch contentKey {
        case "summary": defaults.summary = summary
        case "externalPurchaseToken": defaults.externalPurchaseToken = externalPurchaseToken
        case "appData":
            defaults.appData = appData
            document[.appTransaction] = try nested(.appTransaction) {
                (members) throws(SimulatorError) in
                try reader.appTransaction(members).payload
            }
        default:
            try sign(into: &document, story)
            defaults.data = data(story, hasRenewalInfo: document[.renewalInfo] != nil)
        }
        document.payload = try payload(over: defaults.object)
        return document
    }

    /// What is given over defaults, in the content as well.
    private func payload(over defaults: JSONObject) throws(SimulatorError) -> JSONObject {
        var specified = specified
        if var content = defaults[contentKey]?.object,
            let given = specified.given[contentKey]?.object
        {
            for (key, value) in given { content[key] = value.isNull ? nil : value }
            specified.give(contentKey, .object(content))
        }
        return try specified.payload(over: defaults)
    }

    /// Signs the transaction, and the renewal info of a subscription, into a notification.
    private func sign(
        into document: inout SignedDocument,
        _ story: NotificationStory
    ) throws(SimulatorError) {
        guard event.type != .test || has("transaction") || has("renewalInfo") else { return }
        document[.transaction] = try nested(.transaction) { (members) throws(SimulatorError) in
            try reader.transaction(members, story).payload
        }
        let type = document[.transaction]?["type"]?.string
        guard
            type == InAppPurchaseType.autoRenewableSubscription.rawValue || has("renewalInfo")
        else { return }
        document[.renewalInfo] = try nested(.renewalInfo) { (members) throws(SimulatorError) in
            try reader.renewalInfo(members, beside: document[.transaction], story).payload
        }
    }

    private func has(_ word: String) -> Bool { specified.words.members.object[word]?.object != nil }

    /// A document as it is described; nil where it is left out, or given as text already.
    private func nested(
        _ place: SignedDocument.Place,
        _ read: (JSONMembers) throws(SimulatorError) -> JSONObject
    ) throws(SimulatorError) -> JSONObject? {
        let word =
            switch place {
            case .transaction: "transaction"
            case .renewalInfo: "renewalInfo"
            case .appTransaction: "appTransaction"
            }
        guard specified.given[place.container]?[place.key] == nil else { return nil }
        switch specified.words.members.object[word] {
        case nil:
            return try read(JSONMembers(JSONObject(), at: .member(.document, word), forms: .exact))
        case .null?: return nil
        case .object(let object)?:
            return try read(JSONMembers(object, at: .member(.document, word), forms: .exact))
        default: throw specified.words.invalid(word, "an object, or null to leave it out")
        }
    }
}

// MARK: - Contents

extension NotificationDraft {
    private var bundleId: String { reader.surroundings.bundleId ?? MadeUp.bundleId }

    private func data(
        _ story: NotificationStory,
        hasRenewalInfo: Bool
    ) -> ResponseBodyV2DecodedPayload.Data {
        var data = ResponseBodyV2DecodedPayload.Data()
        data.appAppleId = reader.surroundings.appAppleId
        data.bundleId = bundleId
        if event.type != .test { data.bundleVersion = "1" }
        data.environment = madeUp.environment
        if hasRenewalInfo { data.status = story.status }
        if event.type == .consumptionRequest { data.consumptionRequestReason = .unintendedPurchase }
        return data
    }

    private var summary: ResponseBodyV2DecodedPayload.Summary {
        var summary = ResponseBodyV2DecodedPayload.Summary()
        summary.requestIdentifier = madeUp.uuid(for: "request")
        summary.environment = madeUp.environment
        summary.appAppleId = reader.surroundings.appAppleId
        summary.bundleId = bundleId
        summary.productId = bundleId + ".pro.month"
        summary.storefrontCountryCodes = ["USA"]
        summary.succeededCount = 1000
        summary.failedCount = 2
        return summary
    }

    private var externalPurchaseToken: ResponseBodyV2DecodedPayload.ExternalPurchaseToken {
        var token = ResponseBodyV2DecodedPayload.ExternalPurchaseToken()
        let isProduction = madeUp.environment == .production
        token.externalPurchaseId = (isProduction ? "" : "SANDBOX_") + madeUp.uuid(for: "token")
        token.tokenCreationDate = reader.now.advanced(by: .seconds(-3600))
        token.appAppleId = reader.surroundings.appAppleId
        token.bundleId = bundleId
        return token
    }

    private var appData: ResponseBodyV2DecodedPayload.AppData {
        var appData = ResponseBodyV2DecodedPayload.AppData()
        appData.environment = madeUp.environment
        appData.appAppleId = reader.surroundings.appAppleId
        appData.bundleId = bundleId
        return appData
    }
}
