import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilJSON
import Testing

@testable import PurchaseService

@Suite("Spoilt receipts at verifyReceipt")
struct SpoiltReceiptTests {
    /// The statuses that a receipt may be answered with that is spoilt for a kind of reason.
    private static func statuses(
        _ reason: ReasonClass,
        hasSignedAttributes: Bool = false
    ) -> Set<Int> {
        switch reason {
        // Signed attributes can be wrong in what they are, and not only in what they say.
        case .signature: hasSignedAttributes ? [21002, 21003] : [21003]
        case .app: [21010]
        case .time: [21009]
        // Where an algorithm, a size or an attribute is not understood, the container may be at
        // fault or what is in it.
        case .structure, .limits, .algorithm, .certificates, .payload: [21002, 21003]
        case .environment: [21003, 21007, 21008]
        }
    }

    private static let purchase = InAppPurchase.period(
        "200000000000001",
        of: "200000000000001",
        from: "2026-01-10T08:00:00Z",
        to: "2026-02-10T08:00:00Z"
    )

    @Test(
        "None is answered with 0, and each with the status of its kind",
        arguments: ReceiptFlaw.allCases
    )
    func appReceipt(flaw: ReceiptFlaw) throws {
        let apps = try Issued.apps()
        let receipt = Issued.receipt(.production, [Self.purchase])
        var form = AppReceiptForm.appStore
        if !flaw.applies(to: receipt, form: form) { form.hasSignedAttributes = true }
        guard flaw.applies(to: receipt, form: form) else { return }
        let bytes = try AppReceiptIssuer(authority: Issued.authority).issue(
            receipt,
            form: form,
            spoiledBy: flaw
        )
        let (outcome, json) = try answer(body(bytes), from: apps)
        let status = outcome.statusNumber
        let expected = Self.statuses(
            flaw.reasonClass,
            hasSignedAttributes: form.hasSignedAttributes
        )
        #expect(expected.contains(status), "\(status) \(flaw.reason)")
        #expect(json["receipt"] == nil)
        #expect(outcome.refusal != nil)
    }

    @Test("The same of iOS 6 receipts", arguments: TransactionReceiptFlaw.allCases)
    func transactionReceipt(flaw: TransactionReceiptFlaw) throws {
        let apps = try Issued.apps()
        let issuer = TransactionReceiptIssuer(authority: Issued.authority)
        let purchase = TransactionReceiptTests.purchase()
        guard flaw.applies(to: purchase.receipt) else { return }
        let bytes = try issuer.issue(purchase.receipt, spoiledBy: flaw)
        let (outcome, json) = try answer(body(bytes), from: apps)
        let status = outcome.statusNumber
        #expect(Self.statuses(flaw.reasonClass).contains(status), "\(status) \(flaw.reason)")
        #expect(json["receipt"] == nil)
    }
}

@Suite("Issued iOS 6 receipts at verifyReceipt")
struct TransactionReceiptTests {
    /// A subscription's period of production.
    static func purchase(
        _ change: (inout TransactionPurchase) -> Void = { _ in }
    ) -> TransactionPurchase {
        var purchase = TransactionPurchase(
            bundleId: "com.example.app",
            productId: "com.example.pro.month",
            transactionId: "200000000000001",
            purchaseDate: Issued.instant("2026-01-10T08:00:00Z"),
            environment: .production
        )
        purchase.expiresDate = Issued.instant("2026-02-10T08:00:00Z")
        change(&purchase)
        return purchase
    }

    private static func answer(
        to purchase: TransactionPurchase,
        at address: VerifyReceiptRequest.Address = .production,
        now: Instant = Issued.now,
        _ change: (inout AppConfiguration) -> Void = { _ in }
    ) throws -> (outcome: VerifyReceiptOutcome, json: JSONValue) {
        let bytes = try TransactionReceiptIssuer(authority: Issued.authority)
            .issue(purchase.receipt)
        return try PurchaseServiceTests.answer(
            body(bytes),
            at: address,
            from: Issued.apps(change),
            now: now
        )
    }

    @Test("An open period has the keys of old answers, and Apple's types")
    func open() throws {
        let (outcome, json) = try Self.answer(to: Self.purchase())
        #expect(outcome.statusNumber == 0)
        #expect(outcome.appMatched == true)
        #expect(
            json.object?.keys == [
                "auto_renew_status", "status", "auto_renew_product_id", "receipt",
                "latest_receipt_info", "latest_receipt",
            ]
        )
        #expect(json["auto_renew_status"] == 1)
        #expect(json["receipt"]?["expires_date"] == "1770710400000")
        #expect(
            json["receipt"]?["expires_date_formatted_pst"]
                == "2026-02-10 00:00:00 America/Los_Angeles"
        )
        #expect(json["latest_receipt_info"] == json["receipt"])
    }

    @Test("A period that runs but was refunded does not renew")
    func refunded() throws {
        let (outcome, json) = try Self.answer(
            to: Self.purchase { $0.cancellationDate = Issued.instant("2026-01-12T08:00:00Z") }
        )
        #expect(outcome.statusNumber == 0)
        #expect(json["receipt"]?["cancellation_date_ms"] == "1768204800000")
        #expect(json["auto_renew_status"] == 0)
    }

    @Test("A period that is over is 21006, with the receipt")
    func over() throws {
        let (outcome, json) = try Self.answer(
            to: Self.purchase(),
            now: Issued.instant("2026-02-10T08:00:00Z")
        )
        #expect(outcome.statusNumber == 21006)
        #expect(json["latest_expired_receipt_info"] == json["receipt"])
        #expect(json["latest_receipt"] == nil)
        #expect(json["auto_renew_status"] == 0)
    }

    @Test("One of the sandbox is 21007 at production; its identifiers say so even when it does not")
    func sandbox() throws {
        let purchase = Self.purchase {
            $0.environment = .sandbox
            $0.transactionId = "2000000000000001"
        }
        #expect(try Self.answer(to: purchase).json == ["status": 21007])
        #expect(try Self.answer(to: purchase, at: .sandbox).outcome.statusNumber == 0)
    }

    @Test("Another app, and another Apple ID, is 21010")
    func others() throws {
        let other = Self.purchase { $0.bundleId = "com.example.other" }
        #expect(try Self.answer(to: other).outcome.statusNumber == 21010)
        let purchase = Self.purchase { $0.appItemId = "1234567890" }
        for (id, status): (Int64, Int) in [(1_234_567_890, 0), (1_234_567_891, 21010)] {
            let (outcome, _) = try Self.answer(to: purchase) { $0.appAppleId = id }
            #expect(outcome.statusNumber == status)
        }
    }

    @Test("An issuer that is configured answers for its signers, and only it")
    func issuers() throws {
        let bytes = try TransactionReceiptIssuer(authority: Issued.authority)
            .issue(Self.purchase().receipt, version: .two)
        let files = [
            "root.pem": Issued.authority[.root].certificate.pem,
            "issuer.pem": Issued.authority[.transactionReceiptIssuer].certificate.pem,
        ]
        for (issuers, status) in [([], 21003), (["issuer.pem"], 0)] {
            var app = AppConfiguration("com.example.app", .rehearsal(anchors: ["root.pem"]))
            app.transactionReceiptIssuers = issuers
            var configuration = Configuration()
            configuration.apps = [app]
            let apps = try ConfiguredApps(configuration, now: Issued.now) { name in
                Array((files[name] ?? "").utf8)
            }
            let (outcome, _) = try PurchaseServiceTests.answer(body(bytes), from: apps)
            #expect(outcome.statusNumber == status, "\(String(describing: outcome.refusal))")
        }
    }
}
