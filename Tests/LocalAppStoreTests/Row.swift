import AppStoreModel
import CounterfoilBasics
import Testing

@testable import AppStoreSimulator

/// A row of Apple's tables: what a customer or the store does, what the last notification of it
/// says, and what the customer has then.
struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: NotificationTypeV2
    let subtype: Subtype?
    /// The state of the customer's subscription after it.
    let state: Truth.State
    /// The status that the notification states; nil for products that have none.
    let status: SubscriptionStatus?
    let live: @Sendable (inout Life) throws -> Void
    let check: @Sendable (StoreNotification) throws -> Void

    init(
        _ description: String,
        _ type: NotificationTypeV2,
        _ subtype: Subtype?,
        _ state: Truth.State,
        status: SubscriptionStatus? = nil,
        live: @escaping @Sendable (inout Life) throws -> Void,
        check: @escaping @Sendable (StoreNotification) throws -> Void = { _ in }
    ) {
        testDescription = description
        self.type = type
        self.subtype = subtype
        self.state = state
        self.status = status
        self.live = live
        self.check = check
    }

    /// Lives the row and looks at what came of it.
    func run(_ life: Life) throws {
        var life = life
        try live(&life)
        let last = try #require(life.store.takeHappenings().last)
        let notification = try #require(last.notificationV2)
        #expect(notification.notification.notificationType == type)
        #expect(notification.notification.subtype == subtype)
        #expect(notification.notification.data?.status == status)
        #expect(life.states.last == state)
        try check(notification)
    }
}
