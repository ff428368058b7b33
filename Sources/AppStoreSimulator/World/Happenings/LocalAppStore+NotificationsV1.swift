import AppStoreModel
import CounterfoilBasics

extension LocalAppStore {
    /// The notifications of version 1 that are sent of an event, in their order; none where the app
    /// does not want them, and nothing is looked at then.
    ///
    /// Each has a receipt of its own, dated later than the one before.
    mutating func notificationsV1(
        of event: Event,
        _ subject: Happening.Subject
    ) -> [StoreNotificationV1] {
        guard case .purchase(let purchase) = subject,
            purchase.app.notificationVersions.contains(.v1)
        else { return [] }
        var notifications: [StoreNotificationV1] = []
        let types = Announcement(of: event).v1.map { $0.asNamed(at: now) }
        for type in types where type.isSent(of: purchase) {
            notifications.append(
                StoreNotificationV1(
                    notificationType: type,
                    purchase: purchase,
                    customer: record(of: purchase.account.id, in: purchase.app)
                )
            )
        }
        return notifications
    }
}

extension NotificationTypeV1 {
    /// Whether the App Store sends it of a purchase: not every one to whom a family shares, and in
    /// the sandbox only some, to those who bought (Apple, "notification_type"); there RENEWAL was sent
    /// while that name was in use, as published ones show.
    fileprivate func isSent(of purchase: PurchaseRecord) -> Bool {
        if self == .consumptionRequest, purchase.purchase.type != .consumable { return false }
        let isShared = purchase.lineage.ownership == .familyShared
        if purchase.environment != .production, isShared || !isSentInSandbox { return false }
        return isShared ? isSentToFamily : self != .revoke
    }

    private var isSentInSandbox: Bool {
        switch self {
        case .initialBuy, .didChangeRenewalPref, .didChangeRenewalStatus, .didRenew,
            .interactiveRenewal, .renewal, .cancel, .refund:
            true
        default: false
        }
    }

    private var isSentToFamily: Bool {
        switch self {
        case .initialBuy, .cancel, .refund, .priceIncreaseConsent, .consumptionRequest: false
        default: true
        }
    }

    /// What it was called at an instant.
    fileprivate func asNamed(at instant: Instant) -> NotificationTypeV1 {
        self == .didRecover && instant < FormatDate.withoutTransactionReceipts ? .renewal : self
    }
}
