import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Testing

/// A document that Apple sent and somebody published, and a life in which ours is of the same kind.
private struct Published: CustomTestStringConvertible, Sendable {
    let name: String
    /// Where, with all below it, the shapes differ all the same; with the reason beside it.
    let except: Set<String>
    let ours: @Sendable () throws -> [UInt8]

    init(
        _ name: String,
        except: Set<String> = [],
        ours: @escaping @Sendable () throws -> [UInt8]
    ) {
        self.name = name
        self.except = except
        self.ours = ours
    }

    var testDescription: String { name }

    func compare() throws {
        let theirs = try JSONValue(parsing: Corpus.bytes(name))
        let ours = try JSONValue(parsing: ours())
        for key in ["status", "notification_type", "environment"] {
            #expect(ours[key] == theirs[key])
        }
        let differences = Shape(ours).differences(from: Shape(theirs)).map { place in
            except.first { place == $0 || place.hasPrefix($0 + ".") } ?? place
        }
        #expect(Set(differences) == except)
    }
}

/// Keys, types and formats are compared, for most published documents were masked.
@Suite(
    "Shapes of published documents",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct PublishedShapeTests {
    @Test("verifyReceipt answers as Apple's did to the same kind of receipt", arguments: answers)
    private func answer(published: Published) throws { try published.compare() }

    @Test("Notifications of version 1 look as Apple's of the same time", arguments: notifications)
    private func notification(published: Published) throws { try published.compare() }

    private static func begin(
        _ start: String,
        in environment: StoreEnvironment = .production,
        _ change: (inout StoreApp) -> Void = { _ in }
    ) -> Life {
        NotificationV1Tests.life(environment: environment, at: Life.instant(start), change)
    }

    // MARK: Answers of verifyReceipt

    private static let answers = [
        Published(
            "verify-receipt-responses/RevenueCat-ios7-s0-com-revenuecat-sampleapp-3815e0.json"
        ) {
            var life = begin("2020-07-22T17:39:08Z", in: .sandbox)
            try life.buy("gold.month")
            return try life.answer()
        },
        Published("verify-receipt-responses/imdhemy-ios7-s0-com-some-thing-93cb85.json") {
            var life = begin("2021-02-01T10:00:00Z")
            try life.store.turnRenewalOff(life.buy("gold.month"))
            life.advance(days: 60)
            return try life.answer()
        },
        Published(
            "verify-receipt-responses/pointfreeco-ios7-s0-co-pointfree-IsoWordsTesting-7fc51a.json"
        ) {
            var life = begin("2020-09-04T02:04:17Z", in: .sandbox)
            try life.buy("pro")
            return try life.answer()
        },
        Published("verify-receipt-responses/youknowone-ios6-s0--56007e.json") {
            // That of September 2017 lacks what receipts have since June.
            var life = begin("2017-03-04T02:04:17Z", in: .sandbox)
            return try life.flatAnswer(for: life.buy("gold.month"))
        },
        Published("verify-receipt-responses/ladeiko-ios6-s21006-com-myapp-ac1391.json") {
            try expired(appAccountToken: nil)
        },
        Published("verify-receipt-responses/ladeiko-ios6-s21006-com-myapp-b98e47.json") {
            try expired(appAccountToken: "3b9b9d2e-6c1f-4b0a-9a76-0d1f5b7a1c11")
        },
        Published("verify-receipt-responses/nov-ios6-s0-com-cerego-iknow-972cc5.json") {
            try boughtOnce("2011-02-17T06:20:57Z")
        },
        Published("verify-receipt-responses/youknowone-ios6-s0-com-Example-640f17.json") {
            try boughtOnce("2012-04-30T15:05:55Z")
        },
        Published(
            "verify-receipt-responses/youknowone-ios6-s0-org-youknowone-itunesiap-d65827.json"
        ) {
            try boughtOnce("2012-09-21T04:00:00Z")
        },
        Published("verify-receipt-responses/youknowone-ios6-s0-com-example-001-066277.json") {
            var life = begin("2012-12-02T07:15:54Z", in: .sandbox)
            return try life.flatAnswer(for: life.buy("gold.month"))
        },
        Published("verify-receipt-responses/nov-ios6-s0-com-notkeepingitreal-fizzbuzz-c37086.json")
        {
            var life = begin("2012-10-11T14:45:40Z", in: .sandbox)
            let number = try life.buy("gold.month")
            life.advance(days: 31)
            return try life.flatAnswer(for: number)
        },
        Published("verify-receipt-responses/nov-ios6-s0-com-notkeepingitreal-fizzbuzz-61265c.json")
        {
            var life = begin("2012-10-11T14:45:40Z", in: .sandbox)
            let number = try life.buy("gold.month")
            try life.store.refund(number)
            return try life.flatAnswer(for: number)
        },
        Published(
            "verify-receipt-responses/bk-rs-other-s21010-response-body-9b61aa.json",
            // The name of a class of Apple's.
            except: ["exception"]
        ) {
            var (life, other) = (begin("2024-01-01T00:00:00Z"), begin("2024-01-01T00:00:00Z"))
            try other.buy("gold.month")
            other.advance(days: 31)
            return try life.answer(to: other.receipt())
        },
    ]

    /// The answer to an iOS 6-style receipt of something bought once in the sandbox.
    private static func boughtOnce(_ start: String) throws -> [UInt8] {
        var life = begin(start, in: .sandbox)
        return try life.flatAnswer(for: life.buy("pro"))
    }

    /// The answer to an iOS 6-style receipt of a subscription that is over.
    private static func expired(appAccountToken token: String?) throws -> [UInt8] {
        var life = begin("2017-09-04T02:04:17Z")
        let number = try life.store.buy(
            "gold.month",
            of: Life.bundleId,
            on: life.device,
            appAccountToken: token
        )
        try life.store.turnRenewalOff(number)
        life.advance(days: 40)
        return try life.flatAnswer(for: number)
    }

    // MARK: Notifications of version 1

    private static let notifications = [
        Published("notifications-v1/DID_CHANGE_RENEWAL_PREF-PROD-freeramble-759a79.json") {
            var life = begin("2019-09-18T09:30:22Z")
            try life.buy("gold.month")
            try life.buy("bronze.week")
            return try life.lastBodyV1()
        },
        Published("notifications-v1/DID_CHANGE_RENEWAL_PREF-PROD-freeramble-830198.json") {
            var life = begin("2019-11-22T19:03:49Z")
            try life.buy("gold.month")
            try life.buy("bronze.week")
            return try life.lastBodyV1()
        },
        Published("notifications-v1/DID_CHANGE_RENEWAL_STATUS-PROD-freeramble-8c79ce.json") {
            var life = begin("2019-11-22T18:08:48Z")
            try life.store.refund(life.buy("gold.month"))
            return try life.lastBodyV1()
        },
        Published("notifications-v1/INITIAL_BUY-PROD-educreations-ac39ed.json") {
            var life = begin("2020-06-27T00:02:39Z")
            try life.buy("gold.month")
            return try life.lastBodyV1()
        },
        Published(
            "notifications-v1/DID_FAIL_TO_RENEW-PROD-educreations-cadcc6.json",
            // The first was cut, and by its place among the sorted keys, latest_receipt once was
            // latest_expired_receipt.
            except: ["unified_receipt", "latest_receipt", "latest_expired_receipt"]
        ) {
            var life = begin("2020-08-08T01:16:57Z")
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 31)
            return try life.lastBodyV1()
        },
        Published(
            "notifications-v1/REFUND-PROD-educreations-9ee01c.json",
            // It was cut.
            except: ["unified_receipt"]
        ) {
            var life = begin("2020-08-25T14:32:42Z")
            try life.store.refund(life.buy("season"))
            return try life.lastBodyV1()
        },
        Published("notifications-v1/RENEWAL-Sandbox-freeramble-488bd9.json") {
            var life = begin("2019-09-02T10:31:16Z", in: .sandbox)
            try life.buy("gold.month")
            life.store.setPayment(.fails, of: life.account)
            life.advance(days: 31)
            life.store.setPayment(.works, of: life.account)
            return try life.lastBodyV1()
        },
        Published(
            "notifications-v1/DID_RENEW-PROD-aporat-5376eb.json",
            // A number in Apple's documentation, a string where this one was masked.
            except: ["original_transaction_id"]
        ) {
            var life = begin("2025-02-12T07:42:33Z")
            try life.buy("gold.month")
            life.advance(days: 31)
            return try life.lastBodyV1()
        },
    ]
}

extension Life {
    fileprivate mutating func answer() throws -> [UInt8] { try answer(to: receipt()) }

    fileprivate mutating func answer(to receipt: AppReceipt) throws -> [UInt8] {
        let request = StoreReceiptRequest(
            .app(receipt),
            to: store.environment,
            password: NotificationV1Tests.secret
        )
        return try store.answer(to: request).response(signedBy: Proof.authority.get()).json
    }

    fileprivate mutating func flatAnswer(for number: TransactionNumber) throws -> [UInt8] {
        let receipt = try store.transactionReceipt(of: number, on: device).receipt
        let request = StoreReceiptRequest(
            .transaction(receipt),
            to: store.environment,
            password: NotificationV1Tests.secret
        )
        return try store.answer(to: request).response(signedBy: Proof.authority.get()).json
    }

    fileprivate mutating func lastBodyV1() throws -> [UInt8] {
        let last = try #require(store.takeHappenings().flatMap(\.notificationsV1).last)
        return try last.json(signedBy: Proof.authority.get())
    }
}
