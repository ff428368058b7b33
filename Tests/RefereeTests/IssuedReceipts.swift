import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilTestSupport

/// Receipts of an authority of our own in every shape, sound and spoiled, with our verdicts.
enum IssuedReceipts {
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant
    private static let later = now.advanced(by: .seconds(60))

    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 21))
    }

    /// The shapes of app receipts, by name.
    static let shapes: [(name: String, form: AppReceiptForm)] = {
        var attributes = AppReceiptForm()
        attributes.hasSignedAttributes = true
        var double = AppReceiptForm(encoding: .indefinite(chunkSize: 100))
        double.isDoubleWrapped = true
        var reversed = AppReceiptForm()
        reversed.certificates = .reversed
        var rootless = AppReceiptForm()
        rootless.certificates = .withoutRoot
        var padded = AppReceiptForm()
        padded.padding = [0, 0, 0x0A]
        return [
            ("DER", .appStore), ("signedAttributes", attributes), ("sha1", .sha1),
            ("openLengths", AppReceiptForm(encoding: .indefinite())),
            ("doubleWrapped", double),
            ("paddedLengths", AppReceiptForm(encoding: .padded(bytes: 5))),
            ("reversedCertificates", reversed), ("withoutRoot", rootless),
            ("paddingBehind", padded), ("xcode", .xcode),
        ]
    }()

    static func unspoiled() throws -> [Judged] {
        let issuer = AppReceiptIssuer(authority: try authority.get())
        return try shapes.flatMap { name, form in
            try [0, 2].map { purchases in
                let bytes = try issuer.issue(receipt(form, purchases: purchases), form: form)
                return try judged(name, id: "\(name) with \(purchases) purchases", bytes, form)
            }
        }
    }

    /// Every flaw on the first shape that can have it; on every shape at full size.
    static func spoiled() throws -> [Judged] {
        let issuer = AppReceiptIssuer(authority: try authority.get())
        return try ReceiptFlaw.allCases.flatMap { flaw in
            // Padding is left out of spoiled receipts, so that shape would be the first one again.
            let fitting = shapes.filter {
                $0.form.padding.isEmpty
                    && flaw.applies(to: receipt($0.form, purchases: 2), form: $0.form)
            }
            // Xcode's self-signed certificate is a subject of its own.
            let usual = fitting.filter { $0.form.signer != .storeKit }
            let chosen = Soak.isOn ? fitting : Array((usual.isEmpty ? fitting : usual).prefix(1))
            return try chosen.map { name, form in
                let bytes = try issuer.issue(
                    receipt(form, purchases: 2),
                    form: form,
                    spoiledBy: flaw
                )
                let judged = try judged(flaw.name, id: "\(name), \(flaw.name)", bytes, form)
                    .spoiled(for: flaw.reasonClass)
                // What only our caller would refuse is a sound receipt of its shape.
                return judged.isVerified ? judged.renamed(name) : judged
            }
        }
    }

    private static func judged(
        _ subject: String,
        id: String,
        _ bytes: [UInt8],
        _ form: AppReceiptForm
    ) throws -> Judged {
        let authority = try authority.get()
        let isXcode = form.signer == .storeKit
        return Judged(
            subject,
            id: id,
            bytes,
            trust: isXcode
                ? try .xcode(pinnedCertificate: Array(authority.storeKitPEM.utf8))
                : try .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
            roots: [isXcode ? authority.storeKitPEM : authority[.root].certificate.pem],
            now: later
        )
    }

    private static func receipt(_ form: AppReceiptForm, purchases: Int) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: form.signer == .storeKit ? .xcode : .productionSandbox,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = (0..<purchases).map { index in
            var purchase = InAppPurchase(
                productId: "com.example.month",
                transactionId: "5\(index)"
            )
            purchase.purchaseDate = now
            purchase.expiresDate = now.advanced(by: .seconds(86_400 * 30))
            purchase.productType = .autoRenewableSubscription
            return purchase
        }
        return receipt
    }
}

// MARK: - iOS 6-style receipts

extension IssuedReceipts {
    private static func transactions() -> [(name: String, receipt: TransactionReceipt)] {
        var purchase = TransactionPurchase(
            bundleId: "com.example.app",
            productId: "com.example.coins",
            transactionId: "1000000000000001",
            purchaseDate: now,
            environment: .sandbox
        )
        let coins = purchase.receipt
        purchase.expiresDate = now.advanced(by: .seconds(86_400 * 30))
        return [("subscription", purchase.receipt), ("coins", coins)]
    }

    static func unspoiledTransactions() throws -> [Judged] {
        let issuer = TransactionReceiptIssuer(authority: try authority.get())
        return try transactions().flatMap { name, receipt in
            try TransactionReceiptIssuer.BlobVersion.allCases.map { version in
                try judged(
                    "ios6",
                    id: "\(name), version \(version)",
                    issuer.issue(receipt, version: version)
                )
            }
        }
    }

    static func spoiledTransactions() throws -> [Judged] {
        let issuer = TransactionReceiptIssuer(authority: try authority.get())
        var versions = TransactionReceiptIssuer.BlobVersion.allCases
        return try TransactionReceiptFlaw.allCases.flatMap { flaw in
            let fitting = transactions().filter { flaw.applies(to: $0.receipt) }
            // In turn, since openssl is started five times for each.
            versions.reverse()
            return try fitting.prefix(Soak.size(1, soak: 2)).flatMap { name, receipt in
                try versions.prefix(Soak.size(1, soak: 2)).map { version in
                    try judged(
                        "ios6:\(flaw.name)",
                        id: "\(name), version \(version), \(flaw.name)",
                        issuer.issue(receipt, version: version, spoiledBy: flaw)
                    ).spoiled(for: flaw.reasonClass)
                }
            }
        }
    }

    private static func judged(
        _ subject: String,
        id: String,
        _ bytes: [UInt8]
    ) throws -> Judged {
        let authority = try authority.get()
        return Judged(
            subject,
            id: id,
            bytes,
            trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
            roots: [authority[.root].certificate.pem],
            issuers: authority.anchors.dropFirst().map(\.pem),
            now: later
        )
    }
}
