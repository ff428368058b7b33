import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

@testable import PurchaseService

/// An authority of our own and what it signs, made once: keys take a second.
enum Issued {
    static let now = instant("2026-01-15T12:00:00Z")

    static let authority = try! SigningAuthority(profile: AuthorityProfile(now: now))

    static func instant(_ text: String) -> Instant { AppStoreDate.parse(text)! }

    /// A configuration that serves `com.example.app` in realm rehearsal.
    static func apps(_ change: (inout AppConfiguration) -> Void = { _ in }) throws -> ConfiguredApps
    {
        var app = AppConfiguration("com.example.app", .rehearsal(anchors: ["anchors.pem"]))
        change(&app)
        var configuration = Configuration()
        configuration.apps = [app]
        return try ConfiguredApps(configuration, now: now) { _ in Array(authority.anchorsPEM.utf8) }
    }

    static func receipt(
        _ type: ReceiptType = .production,
        bundleId: String = "com.example.app",
        _ purchases: [InAppPurchase] = []
    ) -> AppReceipt {
        var receipt = AppReceipt(receiptType: type, bundleId: bundleId, creationDate: now)
        receipt.inApp = purchases
        return receipt
    }

    static func sign(
        _ receipt: AppReceipt,
        by authority: SigningAuthority = authority,
        form: AppReceiptForm? = nil
    ) throws -> [UInt8] {
        try AppReceiptIssuer(authority: authority).issue(receipt, form: form)
    }
}

extension InAppPurchase {
    /// A period of a month of a subscription.
    static func period(
        _ transactionId: String,
        of originalTransactionId: String,
        _ productId: String = "com.example.pro.month",
        from purchaseDate: String,
        to expiresDate: String
    ) -> InAppPurchase {
        var purchase = InAppPurchase(productId: productId, transactionId: transactionId)
        purchase.originalTransactionId = originalTransactionId
        purchase.purchaseDate = Issued.instant(purchaseDate)
        purchase.originalPurchaseDate = Issued.instant("2025-06-01T00:00:00Z")
        purchase.expiresDate = Issued.instant(expiresDate)
        purchase.productType = .autoRenewableSubscription
        return purchase
    }

    /// A product of another type, bought once.
    static func bought(
        _ transactionId: String,
        _ productId: String,
        _ type: ProductType,
        on date: String
    ) -> InAppPurchase {
        var purchase = InAppPurchase(productId: productId, transactionId: transactionId)
        purchase.purchaseDate = Issued.instant(date)
        purchase.productType = type
        return purchase
    }
}

/// A request body as clients send it.
func body(_ receiptData: String, _ others: String = "") -> [UInt8] {
    Array("{\"receipt-data\":\"\(receiptData)\"\(others)}".utf8)
}

/// A request body with a receipt's bytes.
func body(_ receipt: [UInt8], _ others: String = "") -> [UInt8] {
    body(Base64.encode(receipt.span), others)
}

/// The answer to a body at an address.
func answer(
    _ body: [UInt8],
    at address: VerifyReceiptRequest.Address = .production,
    from apps: ConfiguredApps = ConfiguredApps(),
    now: Instant = Issued.now
) throws -> (outcome: VerifyReceiptOutcome, json: JSONValue) {
    let request = VerifyReceiptRequest(address, body: body, receivedAt: now)
    let outcome = VerifyReceipt(apps).answer(request)
    let json = try JSONValue(parsing: outcome.response.json)
    #expect(json["status"] == JSONValue(outcome.status.rawValue))
    return (outcome, json)
}

/// Real receipts.
enum Real {
    static let revenueCat = "app-receipts/sandbox-com-revenuecat-sampleapp-9iap-sha1-d18b7c.b64"
    static let production = "app-receipts/prod-org-getpure-pure-iphone-4iap-sha256-cc2093.b64"

    /// The base 64 of a receipt.
    static func text(_ name: String) throws -> String {
        String(decoding: try Corpus.bytes(name), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The name of the one receipt whose name contains a part.
    static func name(_ part: String) throws -> String {
        let folders = ["app-receipts", "transaction-receipts-ios6"]
        let names = folders.flatMap { Corpus.names(in: $0, ending: ".b64") }
        return try #require(names.first { $0.contains(part) })
    }
}

/// Whether the folder of real documents is there.
let corpus: ConditionTrait = .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
