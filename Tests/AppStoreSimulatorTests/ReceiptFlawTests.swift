import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Flaws of app receipts")
struct ReceiptFlawTests {
    /// A form that can have every flaw, apart from those of the other signer.
    private static func form(for flaw: ReceiptFlaw) throws -> AppReceiptForm {
        var attributes = AppReceiptForm.appStore
        attributes.hasSignedAttributes = true
        let forms = [
            AppReceiptForm.appStore, attributes, AppReceiptForm(encoding: .indefinite()), .xcode,
        ]
        return try #require(
            forms.first { flaw.applies(to: Fixtures.receipt(), form: $0) },
            "\(flaw) applies to nothing"
        )
    }

    private func spoiled(_ flaw: ReceiptFlaw, seed: UInt64 = 0) throws -> [UInt8] {
        let form = try Self.form(for: flaw)
        return try Fixtures.issuer.issue(
            Fixtures.receipt(form.signer == .storeKit ? .xcode : .productionSandbox),
            form: form,
            spoiledBy: flaw,
            seed: seed
        )
    }

    @Test("There are at least a hundred, each with a name and a reason of its own")
    func catalogue() {
        let flaws = ReceiptFlaw.allCases
        #expect(flaws.count >= 100)
        #expect(Set(flaws.map(\.name)).count == flaws.count)
        #expect(Set(flaws.map(\.reason)).count == flaws.count)
        #expect(Set(flaws.map(\.reasonClass)) == Set(ReasonClass.allCases))
        #expect(ReceiptFlaw(named: "leafMarkerMissing") == "leafMarkerMissing")
        #expect(ReceiptFlaw(named: "none of them") == nil)
        for flaw in flaws {
            #expect(flaw.reason.first?.isLowercase == true && flaw.reason.last != ".")
        }
    }

    /// What openssl does not mind: it knows no receipts, no markers and no limits like ours.
    private static let unknownToOpenSSL: Set<String> = [
        "trailingBytes", "twoSigners", "certificatesTooMany", "leafTooLarge", "digestSHA512",
        "contentTypeNotData", "contentTypeAttributeWrong", "signatureAlgorithmOfOtherDigest",
        "leafUnderRoot", "leafMarkerMissing", "leafOfDeveloper", "leafOfTransactions",
        "leafIsAuthority", "leafMayNotSign", "leafKeyTooShort", "intermediateKeyTooShort",
        "intermediateMarkerMissing", "intermediateOfTransactions",
    ]

    @Test(
        "openssl finds what it knows of, and nothing else is wrong",
        arguments: ReceiptFlaw.allCases
    )
    func openssl(_ flaw: ReceiptFlaw) throws {
        let form = try Self.form(for: flaw)
        let outcome = try OpenSSL.verify(
            spoiled(flaw),
            root: Fixtures.authority.chain(of: form.signer).last!
        )
        let isOfContent = [.payload, .app, .environment, .time].contains(flaw.reasonClass)
        let isAccepted = isOfContent || Self.unknownToOpenSSL.contains(flaw.name)
        #expect(outcome.succeeded == isAccepted, Comment(rawValue: outcome.errors))
    }

    @Test("The same seed spoils in the same way", arguments: ReceiptFlaw.allCases)
    func seeds(_ flaw: ReceiptFlaw) throws {
        #expect(try spoiled(flaw, seed: 5) == spoiled(flaw, seed: 5))
        let form = try Self.form(for: flaw)
        let receipt = Fixtures.receipt(form.signer == .storeKit ? .xcode : .productionSandbox)
        #expect(try spoiled(flaw) != Fixtures.issuer.issue(receipt, form: form))
    }

    @Test("Another seed spoils elsewhere, where that is open")
    func otherSeeds() throws {
        for flaw in ["truncated", "signatureBitFlipped", "contentBitFlipped"] as [ReceiptFlaw] {
            let all = try (0..<10).map { try spoiled(flaw, seed: $0) }
            #expect(Set(all).count > 5)
        }
    }

    @Test("A flaw that a receipt cannot have is refused")
    func notApplicable() throws {
        var receipt = Fixtures.receipt()
        receipt.inApp = []
        for (flaw, form) in [
            ("quantityTooWide", AppReceiptForm.appStore), ("messageDigestWrong", .appStore),
            ("unterminated", .appStore), ("leafExpired", .xcode), ("appStoreOfXcode", .appStore),
        ] as [(ReceiptFlaw, AppReceiptForm)] {
            #expect(!flaw.applies(to: receipt, form: form))
            #expect {
                try Fixtures.issuer.issue(receipt, form: form, spoiledBy: flaw)
            } throws: { ($0 as? SimulatorError)?.code == SimulatorError.flawNotApplicable }
        }
    }

    @Test("Flaws of the content are found in the content that was genuinely signed")
    func contents() throws {
        func content(_ flaw: ReceiptFlaw) throws -> String {
            String(decoding: try OpenSSL.verify(spoiled(flaw)).output, as: Unicode.ASCII.self)
        }
        #expect(try content("otherApp").contains("com.example.other"))
        #expect(!(try content("bundleIdMissing").contains("com.example.app")))
        #expect(!(try content("otherEnvironment").contains("ProductionSandbox")))
        #expect(try content("creationDateUnreadable").contains("yesterday"))
        #expect(try content("ofTheFuture").contains("2027-01-15T12:00:00Z"))
    }

    @Test("Flaws of certificates are judged at the receipt's date")
    func dates() throws {
        let expired = try spoiled("leafExpired")
        #expect(try OpenSSL.verify(expired, at: Fixtures.now.advanced(by: .seconds(-2))).succeeded)
        let early = try spoiled("intermediateNotYetValid")
        #expect(try OpenSSL.verify(early, at: Fixtures.now.advanced(by: .seconds(2))).succeeded)
    }
}
