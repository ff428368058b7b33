import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Specifications of signed data")
struct SignedDataSpecificationTests {
    private let now = Fixtures.now

    private func text(
        _ kind: SignedDataSpecification.Kind,
        _ json: String = "{}",
        seed: UInt64? = nil
    ) throws -> String {
        try SignedDataSpecification(kind, json: Array(json.utf8), now: now, seed: seed)
            .issue(by: Fixtures.authority)
    }

    private func transaction(_ json: String = "{}") throws -> JWSTransactionDecodedPayload {
        try JWSTransactionDecodedPayload(parsing: Compact(text(.transaction, json)).payload)
    }

    private struct Opened {
        let outer: ResponseBodyV2DecodedPayload
        let transaction: JWSTransactionDecodedPayload?
        let renewalInfo: JWSRenewalInfoDecodedPayload?
        let appTransaction: AppTransaction?
    }

    private func notification(_ json: String) throws -> Opened {
        let payload = try Compact(text(.notification, json)).payload
        let outer = try ResponseBodyV2DecodedPayload(parsing: payload)
        return Opened(
            outer: outer,
            transaction: try outer.data?.signedTransactionInfo.map {
                try JWSTransactionDecodedPayload(parsing: Compact($0).payload)
            },
            renewalInfo: try outer.data?.signedRenewalInfo.map {
                try JWSRenewalInfoDecodedPayload(parsing: Compact($0).payload)
            },
            appTransaction: try outer.appData?.signedAppTransactionInfo.map {
                try AppTransaction(parsing: Compact($0).payload)
            }
        )
    }

    @Test("An empty specification is a sandbox subscription that is open now")
    func defaults() throws {
        let transaction = try transaction()
        #expect(transaction.environment == .sandbox)
        #expect(transaction.bundleId == "com.example.app")
        #expect(transaction.type == .autoRenewableSubscription)
        #expect(transaction.signedDate == now)
        #expect(try #require(transaction.purchaseDate) < now)
        #expect(try #require(transaction.expiresDate) > now)
        #expect(transaction.transactionReason == .purchase)
        #expect(transaction.price == Milliunits(rawValue: 4990))
        let renewal = try JWSRenewalInfoDecodedPayload(
            parsing: Compact(text(.renewalInfo)).payload
        )
        #expect(renewal.originalTransactionId == transaction.originalTransactionId)
        #expect(renewal.renewalDate == transaction.expiresDate)
        #expect(renewal.appTransactionId == transaction.appTransactionId)
    }

    @Test("One seed tells of the same purchase in a receipt and in signed data")
    func seeds() throws {
        let receipt = try ReceiptSpecification(json: Array("{}".utf8), now: now, seed: 9)
        let text = try text(.transaction, seed: 9)
        let transaction = try JWSTransactionDecodedPayload(parsing: Compact(text).payload)
        #expect(transaction.transactionId == receipt.receipt.inApp.first?.transactionId)
    }

    @Test("Each environment has what its store signs")
    func environments() throws {
        let production = try transaction(#"{"environment": "Production"}"#)
        #expect(production.transactionId?.count == 15)
        let xcode = try transaction(#"{"environment": "Xcode"}"#)
        #expect(xcode.transactionId == "0")
        #expect(xcode.isUpgraded == false)
        #expect(xcode.price == nil)
        let text = try text(.transaction, #"{"environment": "Xcode"}"#)
        #expect(try Compact(text).certificates.count == 1)
        let other = try self.text(.transaction, #"{"signer": "storeKit"}"#)
        #expect(try Compact(other).certificates.count == 1)
        let app = try AppTransaction(
            parsing: Compact(self.text(.appTransaction, #"{"environment": "Production"}"#)).payload
        )
        #expect(app.receiptType == .production)
        #expect(app.appAppleId != nil)
        let sandbox = try AppTransaction(parsing: Compact(self.text(.appTransaction)).payload)
        #expect(sandbox.appAppleId == nil)
        #expect(sandbox.originalApplicationVersion == "1.0")
        #expect(sandbox.originalPurchaseDate == Fixtures.instant("2013-08-01T07:00:00Z"))
    }

    @Test("The device verification is that of Apple's formula, by openssl")
    func deviceVerification() throws {
        let device = "6F1D0A52-6F0B-4C53-9F1A-0D9F3F0C1A11"
        let nonce = "0e0f9d4c-25bd-4ac5-8f2b-b3a0b5e4a3f1"
        let json = #"{"device": "\#(device)", "deviceVerificationNonce": "\#(nonce)"}"#
        let app = try AppTransaction(parsing: Compact(text(.appTransaction, json)).payload)
        let folder = try Folder()
        let input = try folder.write("input", nonce + device.lowercased())
        let digest = try OutsideProgram.openssl.run(["dgst", "-sha384", "-binary", input]).output
        #expect(app.deviceVerification == Data(digest).base64EncodedString())
    }

    @Test("Known members stand in Apple's order, then unknown ones, then raw ones")
    func order() throws {
        let json = """
            {"zeta": 1, "bundleId": "a.b", "offerType": 1, "payload": {"alpha": 2, "price": "x"}}
            """
        let payload = try Compact(text(.transaction, json)).payload
        let object = try JSONMembers(JSONValue(parsing: payload)).object
        #expect(object.keys.first == "transactionId")
        #expect(object.keys.suffix(2) == ["zeta", "alpha"])
        let offer = try #require(object.keys.firstIndex(of: "offerType"))
        #expect(offer < (try #require(object.keys.firstIndex(of: "environment"))))
        #expect(object["price"] == "x")
        #expect(object["productId"] == "a.b.pro.month")
    }

    @Test("Dates inside other members may be relative, too")
    func nestedDates() throws {
        let transaction = try transaction(
            """
            {"commitmentInfo": {"commitmentExpiresDate": "+52w"},
             "advancedCommerceInfo": {"items": [{"SKU": "A", "revocationDate": "-1h"}]}}
            """
        )
        let year = now.advanced(by: .seconds(52 * 604_800))
        #expect(transaction.commitmentInfo?.commitmentExpiresDate == year)
        let hourAgo = now.advanced(by: .seconds(-3600))
        #expect(transaction.advancedCommerceInfo?.items?.first?.revocationDate == hourAgo)
    }

    @Test("The first notification is of a subscription, with all that belongs to it")
    func notificationDefaults() throws {
        let opened = try notification("{}")
        #expect(opened.outer.notificationType == .subscribed)
        #expect(opened.outer.subtype == .initialBuy)
        #expect(opened.outer.version == "2.0")
        #expect(opened.outer.data?.status == .active)
        #expect(opened.outer.data?.appAppleId == nil)
        let transaction = try #require(opened.transaction)
        let renewalInfo = try #require(opened.renewalInfo)
        #expect(renewalInfo.originalTransactionId == transaction.originalTransactionId)
        #expect(renewalInfo.renewalDate == transaction.expiresDate)
    }

    @Test("What a notification says of app, environment and date holds for all in it")
    func surroundings() throws {
        let opened = try notification(
            """
            {"environment": "Production", "bundleId": "com.example.two", "signedDate": "-2h",
             "transaction": {"productId": "gold"}}
            """
        )
        #expect(opened.outer.data?.environment == .production)
        #expect(opened.outer.data?.bundleId == "com.example.two")
        #expect(opened.outer.data?.appAppleId != nil)
        #expect(opened.transaction?.bundleId == "com.example.two")
        #expect(opened.transaction?.environment == .production)
        #expect(opened.transaction?.productId == "gold")
        #expect(opened.renewalInfo?.productId == "gold")
        #expect(opened.renewalInfo?.environment == .production)
        let date = now.advanced(by: .seconds(-7200))
        #expect(opened.outer.signedDate == date)
        #expect(opened.transaction?.signedDate == date)
        #expect(opened.renewalInfo?.signedDate == date)
    }

    @Test("Each type finds the purchase as Apple says it does")
    func stories() throws {
        let expired = try notification(
            #"{"notificationType": "EXPIRED", "subtype": "BILLING_RETRY"}"#
        )
        #expect(try #require(expired.transaction?.expiresDate) < now)
        #expect(expired.renewalInfo?.expirationIntent == .billingError)
        #expect(expired.outer.data?.status == .expired)
        let grace = try notification(
            #"{"notificationType": "DID_FAIL_TO_RENEW", "subtype": "GRACE_PERIOD"}"#
        )
        #expect(try #require(grace.renewalInfo?.gracePeriodExpiresDate) > now)
        #expect(grace.renewalInfo?.isInBillingRetryPeriod == true)
        #expect(grace.outer.data?.status == .billingGracePeriod)
        let renewed = try notification(#"{"notificationType": "DID_RENEW"}"#)
        #expect(renewed.transaction?.transactionReason == .renewal)
        #expect(renewed.transaction?.transactionId != renewed.transaction?.originalTransactionId)
        #expect(renewed.outer.subtype == nil)
        let refunded = try notification(#"{"notificationType": "REFUND"}"#)
        #expect(try #require(refunded.transaction?.revocationDate) < now)
        #expect(refunded.outer.data?.status == .revoked)
        let charged = try notification(#"{"notificationType": "ONE_TIME_CHARGE"}"#)
        #expect(charged.transaction?.type == .consumable)
        #expect(charged.renewalInfo == nil)
        #expect(charged.outer.data?.status == nil)
    }

    @Test("Notifications without a purchase have their own content")
    func contents() throws {
        let test = try notification(#"{"notificationType": "TEST"}"#)
        #expect(test.outer.data?.object.keys == ["bundleId", "environment"])
        #expect(test.transaction == nil)
        let summary = try notification(
            #"{"notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY"}"#
        )
        #expect(summary.outer.summary?.succeededCount != nil)
        #expect(summary.outer.data == nil)
        let token = try notification(#"{"notificationType": "EXTERNAL_PURCHASE_TOKEN"}"#)
        #expect(token.outer.externalPurchaseToken?.externalPurchaseId?.hasPrefix("SANDBOX") == true)
        let consent = try notification(#"{"notificationType": "RESCIND_CONSENT"}"#)
        #expect(consent.appTransaction?.receiptType == .sandbox)
        #expect(consent.outer.data == nil)
    }

    @Test("What is given of a content stands over what is made up, and text is not signed anew")
    func givenContent() throws {
        let json = """
            {"data": {"bundleVersion": "42", "signedTransactionInfo": "a.b.c", "status": null,
                      "galaxy": 1}, "renewalInfo": null}
            """
        let payload = try Compact(text(.notification, json)).payload
        let outer = try ResponseBodyV2DecodedPayload(parsing: payload)
        #expect(outer.data?.bundleVersion == "42")
        #expect(outer.data?.bundleId == "com.example.app")
        #expect(outer.data?.signedTransactionInfo == "a.b.c")
        #expect(outer.data?.signedRenewalInfo == nil)
        #expect(outer.data?.object["galaxy"] == 1)
        #expect(outer.data?.status == nil)
    }
}
