public import AppStoreModel
import CounterfoilBasics

/// A notification of version 2 before it is signed.
public struct StoreNotification: Hashable, Sendable {
    /// What it says, apart from the documents in it.
    public var notification: ResponseBodyV2DecodedPayload
    /// The documents in it.
    public var nested: NestedPayloads

    /// Makes a notification.
    public init(
        notification: ResponseBodyV2DecodedPayload,
        nested: NestedPayloads = NestedPayloads()
    ) {
        self.notification = notification
        self.nested = nested
    }
}

extension Happening {
    /// The notification of version 2 that the App Store sends of this.
    public var notificationV2: StoreNotification? {
        let announcement = Announcement(of: event)
        guard let type = announcement.type else { return nil }
        var payload = ResponseBodyV2DecodedPayload()
        payload.notificationType = type
        payload.subtype = announcement.subtype
        payload.notificationUUID = notificationUUID
        var nested = NestedPayloads()
        switch subject {
        case .purchase(let record):
            payload.data = record.notificationData
            nested.transaction = record.transaction
            nested.renewalInfo = record.renewalInfo
            payload.signedDate = record.signedDate
        case .download(let record):
            payload.appData = record.notificationData
            nested.appTransaction = record.appTransaction
            payload.signedDate = record.signedDate
        case .app(let record):
            payload.summary = record.notificationSummary
            payload.externalPurchaseToken = record.notificationToken
            if payload.summary == nil, payload.externalPurchaseToken == nil {
                payload.data = record.notificationData
            }
            payload.signedDate = record.signedDate
        }
        payload.version = "2.0"
        return StoreNotification(notification: payload, nested: nested)
    }
}

extension PurchaseRecord {
    fileprivate var notificationData: ResponseBodyV2DecodedPayload.Data {
        var data = ResponseBodyV2DecodedPayload.Data(of: app, app.version, in: environment)
        data.status = status
        data.consumptionRequestReason = consumptionRequestReason
        return data
    }
}

extension DownloadRecord {
    fileprivate var notificationData: ResponseBodyV2DecodedPayload.AppData {
        var data = ResponseBodyV2DecodedPayload.AppData()
        if environment == .production { data.appAppleId = app.appAppleId }
        data.bundleId = app.bundleId
        data.environment = environment
        return data
    }
}

extension AppRecord {
    fileprivate var notificationData: ResponseBodyV2DecodedPayload.Data {
        ResponseBodyV2DecodedPayload.Data(of: app, nil, in: environment)
    }

    fileprivate var notificationSummary: ResponseBodyV2DecodedPayload.Summary? {
        guard let extensionSummary else { return nil }
        var summary = ResponseBodyV2DecodedPayload.Summary()
        summary.requestIdentifier = extensionSummary.requestIdentifier
        summary.environment = environment
        if environment == .production { summary.appAppleId = app.appAppleId }
        summary.bundleId = app.bundleId
        summary.productId = extensionSummary.productId
        summary.storefrontCountryCodes = extensionSummary.storefronts
        summary.succeededCount = extensionSummary.succeeded
        summary.failedCount = extensionSummary.failed
        return summary
    }

    fileprivate var notificationToken: ResponseBodyV2DecodedPayload.ExternalPurchaseToken? {
        guard let externalPurchaseToken else { return nil }
        var token = ResponseBodyV2DecodedPayload.ExternalPurchaseToken()
        token.externalPurchaseId = externalPurchaseToken.id
        token.tokenCreationDate = externalPurchaseToken.date
        token.appAppleId = app.appAppleId
        token.bundleId = app.bundleId
        return token
    }
}

extension ResponseBodyV2DecodedPayload.Data {
    fileprivate init(of app: StoreApp, _ version: String?, in environment: StoreEnvironment) {
        self.init()
        if environment == .production { appAppleId = app.appAppleId }
        bundleId = app.bundleId
        bundleVersion = version
        self.environment = environment
    }
}
