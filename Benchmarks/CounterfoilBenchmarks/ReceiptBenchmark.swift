import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics

/// Receipts of 1 to 5,000 purchases, from their bytes to a verified value, on one core.
struct ReceiptBenchmark {
    private let now = CivilTime(year: 2026, month: 6, day: 1).instant
    private let issuer: AppReceiptIssuer
    private let trust: Trust
    private let root: [UInt8]

    init() throws {
        let authority = try SigningAuthority(
            profile: AuthorityProfile(
                now: CivilTime(year: 2026, month: 6, day: 1).instant
            )
        )
        issuer = AppReceiptIssuer(authority: authority)
        trust = try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
        root = authority[.root].certificate.der
    }

    func run() throws {
        print("App receipts, one core: microseconds each, and ratios within this run")
        print(
            "purchases   bytes   raw RSA   hash   known chain  cold chain  CMS_verify"
                + "   known/(raw)  known-hash/raw  CMS/cold"
        )
        var perPurchase: [Int: Double] = [:]
        for purchases in [1, 10, 200, 5000] {
            let bytes = try receipt(purchases: purchases)
            let row = try measure(bytes)
            perPurchase[purchases] = row["known"] / Double(purchases)
            print(
                [
                    "\(purchases)".padded(9), "\(bytes.count)".padded(8),
                    row["raw"].rounded(to: 1).padded(10), row["hash"].rounded(to: 1).padded(7),
                    row["known"].rounded(to: 1).padded(14), row["cold"].rounded(to: 1).padded(12),
                    row["cms"].rounded(to: 1).padded(12),
                    (row["known"] / row["raw"]).rounded(to: 2).padded(14),
                    ((row["known"] - row["hash"]) / row["raw"]).rounded(to: 2).padded(16),
                    (row["cms"] / row["cold"]).rounded(to: 2).padded(10),
                ].joined()
            )
        }
        if let few = perPurchase[200], let many = perPurchase[5000] {
            print(
                "cost per purchase at 5,000 as a multiple of that at 200: "
                    + (many / few).rounded(to: 2)
            )
        }
    }

    /// Verifies one receipt over and over for some seconds, for a profiler to look at.
    func profile(purchases: Int, isCold: Bool) throws {
        let document = try Document(detecting: receipt(purchases: purchases))
        let verifier = ReceiptVerifier(trust: trust)
        let watch = Stopwatch()
        while watch.elapsed < .seconds(8) {
            let verifier = isCold ? ReceiptVerifier(trust: trust) : verifier
            _ = try verifier.verify(document, now: now)
        }
    }

    private func measure(_ bytes: [UInt8]) throws -> Measurement {
        let peer = try OpenSSLPeer(
            receipt: bytes,
            root: root,
            atSecond: Int(now.millisecondsSince1970 / 1000)
        )
        let document = try Document(detecting: bytes)
        let warm = ReceiptVerifier(trust: trust)
        let later = now.advanced(by: .seconds(60))
        let trust = trust
        return try Measurement([
            .init(name: "raw") { peer.verifyRaw() },
            .init(name: "hash") { peer.hash() },
            .init(name: "known") { _ = try warm.verify(document, now: later) },
            .init(name: "cold") {
                _ = try ReceiptVerifier(trust: trust).verify(document, now: later)
            },
            .init(name: "cms") { peer.verifyCMS() },
        ])
    }

    private func receipt(purchases: Int) throws -> [UInt8] {
        var receipt = AppReceipt(
            receiptType: .production,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = (0..<purchases).map { index in
            let start = now.advanced(by: .seconds(-3600 * 24 * 30 * (index % 120)))
            var purchase = InAppPurchase(
                productId: "com.example.app.pro.month",
                transactionId: "\(510_000_000_000_000 + index)"
            )
            purchase.originalTransactionId = "510000000000000"
            purchase.purchaseDate = start
            purchase.originalPurchaseDate = start
            purchase.expiresDate = start.advanced(by: .seconds(3600 * 24 * 30))
            purchase.productType = .autoRenewableSubscription
            purchase.webOrderLineItemId = "\(510_000_000_100_000 + index)"
            purchase.isTrialPeriod = false
            purchase.isInIntroOfferPeriod = false
            return purchase
        }
        return try issuer.issue(receipt)
    }
}

extension String {
    /// The text with spaces before it up to a width.
    func padded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - utf8.count)) + self
    }
}
