import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import Testing

@Suite("Notifications of the local App Store")
struct NotificationTests {
    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: Life.start))
    }

    @Test("What is of no purchase says of which app it is and when, and no more than it knows")
    func withoutPurchases() throws {
        for environment in [StoreEnvironment.production, .sandbox] {
            var life = Life(environment: environment)
            try life.store.install(Life.bundleId, on: life.device)
            try life.store.requestTestNotification(of: Life.bundleId)
            try life.store.rescindConsent(to: Life.bundleId, for: life.account)
            let token = try life.store.remindOfExternalPurchase(in: Life.bundleId)
            let told = life.store.takeHappenings().compactMap(\.notificationV2)
            #expect(
                told.map(\.notification.notificationType)
                    == [.test, .rescindConsent, .externalPurchaseToken]
            )
            #expect(told.map(\.notification.subtype) == [nil, nil, .unreported])
            for notification in told {
                #expect(notification.notification.signedDate == Life.start)
                #expect(notification.nested.transaction == nil)
                #expect(notification.nested.renewalInfo == nil)
            }
            #expect(told[0].notification.data?.bundleId == Life.bundleId)
            #expect(told[0].notification.data?.environment == environment)
            #expect(told[1].notification.appData?.bundleId == Life.bundleId)
            #expect(told[1].nested.appTransaction?.bundleId == Life.bundleId)
            let external = try #require(told[2].notification.externalPurchaseToken)
            #expect(external.externalPurchaseId == token)
            #expect(external.bundleId == Life.bundleId)
            #expect(token.hasPrefix("SANDBOX") == (environment == .sandbox))
        }
    }

    @Test("What happens is told in notifications that verify, each dated later than the one before")
    func verified() throws {
        let authority = try Self.authority.get()
        let issuer = SignedDataIssuer(authority: authority)
        let verifier = SignedDataVerifier(
            trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        )
        let app = ExpectedApp(bundleId: Life.bundleId, appAppleId: 1_234_567_890)
        var life = Life { $0.gracePeriod = GracePeriod(.sixteenDays) }
        let number = try life.buy("silver.month")
        life.advance(days: 3)
        try life.buy("gold.month")
        life.advance(days: 40)
        try life.buy("bronze.week")
        life.advance(days: 30)
        try life.store.requestRefund(number)
        try life.store.refund(number, .appIssue)
        life.advance(days: 20)
        try life.buy("coins")
        try life.store.requestTestNotification(of: Life.bundleId)
        try life.store.rescindConsent(to: Life.bundleId, for: life.account)
        var last = Life.start.advanced(by: .seconds(-1))
        var labels: [String] = []
        for happening in life.store.takeHappenings() {
            let notification = try #require(happening.notificationV2)
            let jws = try issuer.issue(notification.notification, holding: notification.nested)
            let proved = try verifier.notification(CompactJWS(jws), of: app, now: life.store.now)
            #expect(proved.notification.content.isOdd == false)
            labels.append(NotificationLabel(proved.notification.content).rawValue)
            #expect(labels.last != "unknown")
            guard let transaction = proved.transaction else { continue }
            #expect(transaction.signedDate! > last)
            last = transaction.signedDate!
        }
        #expect(
            labels == [
                "subscribed", "upgraded", "renewed", "plan-change-scheduled", "renewed", "renewed",
                "consumption-requested", "refunded", "renewed", "renewed", "renewed",
                "purchased", "test", "consent-rescinded",
            ]
        )
    }
}
