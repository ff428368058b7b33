import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Foundation
import Testing

@Suite("Flaws of iOS 6 receipts")
struct TransactionReceiptFlawTests {
    private let issuer = TransactionReceiptIssuer(authority: Fixtures.authority)
    private let receipt = TransactionReceiptTests.subscription().receipt

    @Test("Each has a name and a reason of its own, and applies to a sandbox subscription")
    func catalogue() {
        let flaws = TransactionReceiptFlaw.allCases
        #expect(flaws.count >= 40)
        #expect(Set(flaws.map(\.name)).count == flaws.count)
        #expect(Set(flaws.map(\.reason)).count == flaws.count)
        #expect(flaws.allSatisfy { $0.applies(to: receipt) })
    }

    @Test("The same seed spoils in the same way", arguments: TransactionReceiptFlaw.allCases)
    func seeds(_ flaw: TransactionReceiptFlaw) throws {
        for version in TransactionReceiptIssuer.BlobVersion.allCases {
            let good = try issuer.issue(receipt, version: version)
            let bad = try issuer.issue(receipt, version: version, spoiledBy: flaw, seed: 3)
            #expect(bad != good)
            #expect(try issuer.issue(receipt, version: version, spoiledBy: flaw, seed: 3) == bad)
        }
    }

    @Test(
        "What is spoiled apart from structure and signature is genuinely signed",
        arguments: TransactionReceiptFlaw.allCases.filter {
            ![.structure, .signature].contains($0.reasonClass) && $0 != "certificateRandom"
        }
    )
    func genuine(_ flaw: TransactionReceiptFlaw) throws {
        for version in TransactionReceiptIssuer.BlobVersion.allCases {
            let bytes = try issuer.issue(receipt, version: version, spoiledBy: flaw)
            #expect(try TransactionReceiptParts(bytes).isGenuine())
        }
    }

    @Test(
        "openssl finds every spoiled signature",
        arguments: TransactionReceiptFlaw.allCases.filter { $0.reasonClass == .signature }
    )
    func signatures(_ flaw: TransactionReceiptFlaw) throws {
        for version in TransactionReceiptIssuer.BlobVersion.allCases {
            let bytes = try issuer.issue(receipt, version: version, spoiledBy: flaw)
            #expect(!(try TransactionReceiptParts(bytes).isGenuine()))
        }
    }

    @Test("A removed environment leaves the signed part as it was")
    func environmentRemoved() throws {
        let whole = try TransactionReceiptParts(issuer.issue(receipt))
        let bytes = try issuer.issue(receipt, spoiledBy: "environmentRemoved")
        let parts = try TransactionReceiptParts(bytes)
        #expect(!parts.text.contains("environment"))
        #expect(parts.blob == whole.blob)
    }

    @Test("A flaw that a receipt cannot have is refused")
    func notApplicable() {
        let production = TransactionReceiptTests.purchase(environment: .production).receipt
        for flaw in ["environmentRemoved", "expiryExtended"] as [TransactionReceiptFlaw] {
            #expect(!flaw.applies(to: production))
            #expect {
                try issuer.issue(production, spoiledBy: flaw)
            } throws: { ($0 as? SimulatorError)?.code == SimulatorError.flawNotApplicable }
        }
    }
}
