import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// A shape that receipts come in: what they say, and how they are wrapped and signed.
struct ReceiptShape: Sendable, CustomTestStringConvertible {
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant
    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 21))
    }

    let name: String
    let receipt: AppReceipt
    let details: AppReceiptDetails
    let form: AppReceiptForm

    var testDescription: String { name }

    private init(
        _ name: String,
        _ type: ReceiptType = .productionSandbox,
        _ form: AppReceiptForm = .appStore,
        purchases: [InAppPurchase] = [purchase("51"), purchase("52")],
        _ change: (inout AppReceiptForm, inout AppReceiptDetails) -> Void = { _, _ in }
    ) {
        var (form, details) = (form, AppReceiptDetails())
        change(&form, &details)
        var receipt = AppReceipt(
            receiptType: type,
            bundleId: "com.example.app",
            creationDate: Self.now
        )
        receipt.inApp = purchases
        if details.organizationName != nil {
            receipt.expirationDate = Self.now.advanced(by: .seconds(365 * 86_400))
        }
        (self.name, self.receipt, self.details, self.form) = (name, receipt, details, form)
    }

    /// The shapes that a verifier must read.
    static let all = wrappings + contents

    private static let wrappings = [
        ReceiptShape("DER"),
        ReceiptShape("SHA-1", .productionSandbox, .sha1),
        ReceiptShape("signed attributes") { form, _ in form.hasSignedAttributes = true },
        ReceiptShape("signed attributes, SHA-1", .productionSandbox, .sha1) { form, _ in
            form.hasSignedAttributes = true
        },
        ReceiptShape("BER") { form, _ in form.encoding = .indefinite() },
        ReceiptShape("BER in chunks, wrapped twice") { form, _ in
            form.encoding = .indefinite(chunkSize: 100)
            form.isDoubleWrapped = true
        },
        ReceiptShape("padded lengths") { form, _ in form.encoding = .padded(bytes: 5) },
        ReceiptShape("certificates reversed") { form, _ in form.certificates = .reversed },
        ReceiptShape("without the root") { form, _ in form.certificates = .withoutRoot },
        ReceiptShape("attributes shuffled, algorithm of both") { form, _ in
            form.order = .shuffled(seed: 9)
            form.namedAlgorithm = .digestWithRSAEncryption
        },
        ReceiptShape("Xcode", .xcode, .xcode),
        ReceiptShape("Xcode in DER, SHA-1", .xcode, .xcode) { form, _ in
            form.encoding = .der
            form.digest = .sha1
        },
    ]

    private static let contents = [
        ReceiptShape("production", .production),
        ReceiptShape("volume purchase", ReceiptType(rawValue: "ProductionVPP")) { _, details in
            details.organizationName = "A School"
        },
        ReceiptShape(
            "volume purchase in the sandbox",
            ReceiptType(rawValue: "ProductionVPPSandbox")
        ),
        ReceiptShape("no purchases", purchases: []),
        ReceiptShape(
            "refunds and offers",
            .production,
            purchases: [
                purchase("51") {
                    $0.cancellationDate = now
                    $0.cancellationReason = "1"
                },
                purchase("52") { $0.promotionalOfferId = "spring" },
            ]
        ),
        ReceiptShape("a Mac's, with many purchases", purchases: (51...90).map { purchase("\($0)") })
        {
            $1 = AppReceiptDetails(platform: .macOS)
        },
    ]

    private static func purchase(
        _ identifier: String,
        _ change: (inout InAppPurchase) -> Void = { _ in }
    ) -> InAppPurchase {
        var purchase = InAppPurchase(productId: "com.example.month", transactionId: identifier)
        purchase.purchaseDate = now
        purchase.expiresDate = now.advanced(by: .seconds(86_400 * 30))
        purchase.productType = .autoRenewableSubscription
        change(&purchase)
        return purchase
    }

    /// The receipt of this shape, spoiled or not.
    func bytes(_ flaw: ReceiptFlaw? = nil, seed: UInt64 = 0) throws -> [UInt8] {
        let issuer = AppReceiptIssuer(authority: try Self.authority.get())
        guard let flaw else { return try issuer.issue(receipt, details: details, form: form) }
        return try issuer.issue(
            receipt,
            details: details,
            form: form,
            spoiledBy: flaw,
            seed: seed
        )
    }

    /// What the verifier says of bytes, a minute later, in the realm of this shape.
    func verify(_ bytes: [UInt8]) throws(VerificationError) -> Verified<AppReceipt> {
        let document = try Document(detecting: bytes)
        let verifier = form.signer == .storeKit ? Self.verifiers.xcode : Self.verifiers.rehearsal
        let receipt = try verifier.verify(document, now: Self.now.advanced(by: .seconds(60)))
        try receipt.requireApp("com.example.app")
        guard case .appReceipt(let verified) = receipt else {
            throw VerificationError(VerificationError.unknownDocument, "no app receipt")
        }
        return verified
    }

    private static let verifiers: (rehearsal: ReceiptVerifier, xcode: ReceiptVerifier) = {
        let authority = try! Self.authority.get()
        return (
            ReceiptVerifier(trust: try! .rehearsal(anchors: Array(authority.anchorsPEM.utf8))),
            ReceiptVerifier(
                trust: try! .xcode(pinnedCertificate: Array(authority.storeKitPEM.utf8))
            )
        )
    }()
}
