import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
package import CounterfoilJSON

/// Something that happened and that no purchase's state shows: it is told once.
package struct Occurrence: Hashable, Sendable {
    /// What happened.
    package let kind: Kind
    /// The same for every telling of one happening.
    package let key: String
    /// The app, the environment and the realm.
    package let scope: Scope
    /// When Apple told of it first.
    package let occurredAt: Instant
    /// The purchase that it is about; nil where it is about none.
    package let lineage: LineageID?
    /// What Apple's words for it are, signed documents left out.
    package let details: JSONObject

    /// What can happen.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A customer asked for money back, and Apple asks how much was used.
        case consumptionRequested = "occurrence.consumption_requested"
        /// Apple gave no money back.
        case refundDeclined = "occurrence.refund_declined"
        /// A customer is asked to agree to a higher price, or agreed.
        case priceIncrease = "occurrence.price_increase"
        /// Renewal dates of many subscriptions were moved.
        case extensionFinished = "occurrence.extension_finished"
        /// The renewal date of one subscription could not be moved.
        case extensionFailed = "occurrence.extension_failed"
        /// A token for a purchase outside the App Store.
        case externalPurchaseToken = "occurrence.external_purchase_token"
        /// A parent or guardian withdrew consent for a child's use of the app.
        case consentRescinded = "occurrence.consent_rescinded"
        /// What Advanced Commerce says of an item changed.
        case metadataUpdated = "occurrence.metadata_updated"
        /// A subscription moved to Advanced Commerce.
        case migrated = "occurrence.migrated"
        /// An Advanced Commerce price changed.
        case priceChanged = "occurrence.price_changed"
        /// A test that was asked for.
        case test = "occurrence.test"
        /// A notification of a type that this version does not know.
        case unknownNotification = "occurrence.unknown_notification"
        /// A genuine notification that holds none, or several, of the things of which it may hold one.
        case oddNotification = "occurrence.odd_notification"
    }

    /// Makes an occurrence of what was kept.
    package init(
        kind: Kind,
        key: String,
        scope: Scope,
        occurredAt: Instant,
        lineage: LineageID?,
        details: JSONObject
    ) {
        self.kind = kind
        self.key = key
        self.scope = scope
        self.occurredAt = occurredAt
        self.lineage = lineage
        self.details = details
    }
}

// MARK: - From notifications

extension Occurrence {
    /// What a notification tells of that no purchase's state shows; nil where there is nothing.
    ///
    /// - Parameters:
    ///   - notification: The notification, proved.
    ///   - evidence: The digest of its bytes, its key where it has no UUID.
    package init?(_ notification: VerifiedNotification, evidence: SHA256Digest) {
        let content = notification.notification.content
        let proof = notification.notification.proof
        guard let kind = Kind(content) else { return nil }
        self.init(
            kind: kind,
            key: content.notificationUUID ?? evidence.description,
            scope: proof.scope,
            occurredAt: content.signedDate ?? proof.judgedAt,
            lineage: notification.transaction.flatMap { LineageID(of: $0) },
            details: content.details
        )
    }

    /// What a notification of version 1 tells of that no purchase's state shows; nil where there is
    /// nothing, and where it states no date.
    ///
    /// It has no number of its own: the same bytes are the same telling.
    package init?(_ notification: VouchedNotification, evidence: SHA256Digest) {
        let body = notification.notification.content
        guard let type = body.notificationType, let attestedAt = notification.attestedAt else {
            return nil
        }
        let kind: Kind
        switch type {
        case .consumptionRequest: kind = .consumptionRequested
        case .priceIncreaseConsent: kind = .priceIncrease
        case .initialBuy, .didRenew, .didRecover, .renewal, .interactiveRenewal,
            .didChangeRenewalPref, .didChangeRenewalStatus, .didFailToRenew, .cancel, .refund,
            .revoke:
            return nil
        default: kind = .unknownNotification
        }
        let scope = notification.notification.scope
        self.init(
            kind: kind,
            key: evidence.description,
            scope: scope,
            occurredAt: attestedAt,
            lineage: body.originalTransactionId.map {
                LineageID(scope: scope, originalTransactionId: $0)
            },
            details: ["notificationType": .string(type.rawValue)]
        )
    }
}

extension Occurrence.Kind {
    /// What a notification tells of; nil where a purchase's state shows it.
    fileprivate init?(_ notification: ResponseBodyV2DecodedPayload) {
        if notification.isOdd {
            self = .oddNotification
            return
        }
        switch notification.notificationType {
        case .consumptionRequest?: self = .consumptionRequested
        case .refundDeclined?: self = .refundDeclined
        case .priceIncrease?: self = .priceIncrease
        case .renewalExtension?:
            self = notification.subtype == .failure ? .extensionFailed : .extensionFinished
        case .externalPurchaseToken?: self = .externalPurchaseToken
        case .rescindConsent?: self = .consentRescinded
        case .metadataUpdate?: self = .metadataUpdated
        case .migration?: self = .migrated
        case .priceChange?: self = .priceChanged
        case .test?: self = .test
        case .subscribed?, .didRenew?, .didChangeRenewalPref?, .didChangeRenewalStatus?,
            .offerRedeemed?, .didFailToRenew?, .gracePeriodExpired?, .expired?, .refund?,
            .refundReversed?, .revoke?, .renewalExtended?, .oneTimeCharge?:
            return nil
        default: self = .unknownNotification
        }
    }
}

extension ResponseBodyV2DecodedPayload {
    /// What it says, without documents that are signed by themselves.
    fileprivate var details: JSONObject {
        var details = JSONObject()
        for key in ["notificationType", "subtype", "summary", "externalPurchaseToken"] {
            if let value = object[key] { details[key] = value }
        }
        if let reason = data?.consumptionRequestReason {
            details["consumptionRequestReason"] = .string(reason.rawValue)
        }
        return details
    }
}
