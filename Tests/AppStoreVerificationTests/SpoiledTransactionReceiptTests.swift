import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// A shape that iOS 6-style receipts come in.
struct TransactionShape: Sendable, CustomTestStringConvertible {
    let version: AppStoreSimulator.TransactionReceiptIssuer.BlobVersion
    let receipt: TransactionReceipt
    let testDescription: String

    var environment: StoreEnvironment {
        receipt.environment == nil ? .production : .sandbox
    }

    /// Both versions of the signature, both environments, one-off purchases and subscriptions, of
    /// this year and of 2014, and one as of 2011.
    static let all: [TransactionShape] = {
        var shapes: [TransactionShape] = []
        for version in AppStoreSimulator.TransactionReceiptIssuer.BlobVersion.allCases {
            for environment in [StoreEnvironment.sandbox, .production] {
                for isSubscription in [true, false] {
                    shapes.append(TransactionShape(version, environment, isSubscription, 2014))
                    shapes.append(TransactionShape(version, environment, isSubscription, 2026))
                }
            }
        }
        return shapes + [TransactionShape(.two, .production, false, 2011)]
    }()

    private init(
        _ version: AppStoreSimulator.TransactionReceiptIssuer.BlobVersion,
        _ environment: StoreEnvironment,
        _ isSubscription: Bool,
        _ year: Int
    ) {
        let bought = CivilTime(year: year, month: 5, day: 31, hour: 12).instant
        var purchase = TransactionPurchase(
            bundleId: "com.example.app",
            productId: isSubscription ? "com.example.month" : "com.example.coins",
            transactionId: environment == .sandbox ? "1000000000000001" : "200000000000001",
            purchaseDate: bought,
            environment: environment
        )
        if isSubscription { purchase.expiresDate = bought.advanced(by: .seconds(86_400 * 30)) }
        purchase.hasAllDateForms = year > 2011
        self.version = version
        receipt = purchase.receipt
        testDescription =
            "version \(version.rawValue), \(environment), "
            + "\(isSubscription ? "subscription" : "one-off"), \(year)"
    }

    func bytes(_ flaw: TransactionReceiptFlaw? = nil, seed: UInt64 = 0) throws -> [UInt8] {
        let issuer = AppStoreSimulator.TransactionReceiptIssuer(
            authority: try ReceiptShape.authority.get()
        )
        guard let flaw else { return try issuer.issue(receipt, version: version) }
        return try issuer.issue(receipt, version: version, spoiledBy: flaw, seed: seed)
    }

    static func verify(_ bytes: [UInt8]) throws(VerificationError) -> Verified<TransactionReceipt> {
        let document = try Document(detecting: bytes)
        let receipt = try verifier.verify(
            document,
            now: ReceiptShape.now.advanced(by: .seconds(60))
        )
        try receipt.requireApp("com.example.app")
        guard case .transactionReceipt(let verified) = receipt else {
            throw VerificationError(VerificationError.unknownDocument, "no iOS 6-style receipt")
        }
        return verified
    }

    private static let verifier: ReceiptVerifier = {
        let anchors = Array(try! ReceiptShape.authority.get().anchorsPEM.utf8)
        return ReceiptVerifier(trust: try! .rehearsal(anchors: anchors))
    }()
}

@Suite("Spoiled iOS 6-style receipts of every shape")
struct SpoiledTransactionReceiptTests {
    @Test("Every shape verifies, and says what was issued", arguments: TransactionShape.all)
    func unspoiled(shape: TransactionShape) throws {
        let verified = try TransactionShape.verify(shape.bytes())
        #expect(verified.bundleId == shape.receipt.bundleId)
        #expect(verified.transactionId == shape.receipt.transactionId)
        #expect(verified.productId == shape.receipt.productId)
        #expect(verified.purchaseDate == shape.receipt.purchaseDate)
        #expect(verified.expiresDate == shape.receipt.expiresDate)
        #expect(verified.proof.scope.environment == shape.environment)
        #expect(verified.proof.scope.realm == .rehearsal)
    }

    @Test(
        "Every flaw is refused with its own code in every shape",
        arguments: TransactionReceiptFlaw.allCases
    )
    func spoiled(flaw: TransactionReceiptFlaw) throws {
        let able = TransactionShape.all.filter { shape in
            // A year after a purchase of 2014 is no future.
            let isNew =
                shape.receipt.purchaseDate > ReceiptShape.now.advanced(by: .seconds(-90_000))
            return flaw.applies(to: shape.receipt) && (flaw.reasonClass != .time || isNew)
        }
        #expect(!able.isEmpty, "no shape can have this flaw")
        let seeds = UInt64(Soak.size(1, soak: 20))
        let step = Soak.isOn ? 1 : max(1, able.count / 4)
        for shape in stride(from: 0, to: able.count, by: step).map({ able[$0] }) {
            for seed in 0..<seeds {
                let bytes = try shape.bytes(flaw, seed: seed)
                guard let code = ExpectedRefusals.code(of: flaw) else {
                    // Nobody signed the environment; the transaction's id tells it.
                    #expect(flaw.reasonClass == .environment)
                    #expect(try TransactionShape.verify(bytes).proof.scope.environment == .sandbox)
                    continue
                }
                do {
                    _ = try TransactionShape.verify(bytes)
                    Issue.record("\(shape.testDescription) passes although \(flaw.reason)")
                } catch {
                    #expect(error.code.rawValue == code, "\(shape.testDescription), seed \(seed)")
                    #expect(error.isUndecided == (flaw.reasonClass == .time))
                }
            }
        }
    }
}
