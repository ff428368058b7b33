import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import DocumentInspection
import Testing

/// Receipts of a local App Store, each with one flaw.
@Suite("Inspections of spoiled receipts")
struct SpoiledInspectionTests {
    private static let now = CivilTime(year: 2024, month: 6, day: 1).instant
    private static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now))
    }

    private static func receipt() -> AppReceipt {
        var purchase = InAppPurchase(
            productId: "com.example.pro",
            transactionId: "2000000000000001"
        )
        purchase.productType = .autoRenewableSubscription
        purchase.expiresDate = now.advanced(by: .seconds(86_400))
        var receipt = AppReceipt(
            receiptType: .productionSandbox,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = [purchase]
        return receipt
    }

    private func judge() throws -> Judge {
        let anchors = Array(try Self.authority.get().anchorsPEM.utf8)
        let trust = try Trust.appStore.adding(.rehearsal(anchors: anchors))
        return Judge(
            trust: trust,
            bundleIds: ["com.example.app"]
        )
    }

    /// Where each kind of reason shows itself.
    private func subjects(of reason: ReasonClass) -> Set<Check.Subject> {
        switch reason {
        case .structure: [.encoding, .container, .signer, .signature, .signingDate, .content]
        case .limits: [.encoding, .container, .signer, .signingDate, .content]
        case .algorithm: [.container, .signer, .signature, .chain]
        case .signature: [.container, .signature]
        case .certificates: [.container, .signer, .chain, .signature]
        case .payload: [.signingDate, .content]
        case .app: [.app]
        case .environment: [.environment, .content]
        case .time: [.clock, .chain]
        }
    }

    @Test("Each flaw fails the check that it belongs to, and nothing after it has passed")
    func flaws() throws {
        let issuer = AppReceiptIssuer(authority: try Self.authority.get())
        let judge = try judge()
        let receipt = Self.receipt()
        var met: Set<Check.Subject> = []
        // Which of the two environments was meant, nobody asks the inspection.
        let asked = ReceiptFlaw.allCases.filter { $0 != "otherEnvironment" }
        for flaw in asked where flaw.applies(to: receipt, form: .appStore) {
            let bytes = try issuer.issue(receipt, spoiledBy: flaw)
            let inspection = Inspection(of: bytes, by: judge, now: Self.now)
            #expect(inspection.judgement.verdict != .verified, "\(flaw)")
            let objection = inspection.judgement.objection
            let failed = inspection.checks.last { $0.outcome == .failed }
            guard let subject = failed?.subject else {
                Issue.record("\(flaw) fails no check")
                continue
            }
            #expect(failed?.detail == objection?.reason, "\(flaw)")
            #expect(subjects(of: flaw.reasonClass).contains(subject), "\(flaw): \(subject)")
            let rest = inspection.checks.drop { $0.subject != subject }.dropFirst()
            #expect(rest.allSatisfy { $0.outcome != .passed }, "\(flaw)")
            #expect(inspection.isProved == (flaw.reasonClass == .app), "\(flaw)")
            met.insert(subject)
        }
        #expect(
            met.isSuperset(of: [.container, .signer, .signature, .chain, .content, .clock, .app])
        )
    }

    @Test("The same receipt without a flaw passes every check")
    func unspoiled() throws {
        let issuer = AppReceiptIssuer(authority: try Self.authority.get())
        let inspection = Inspection(
            of: try issuer.issue(Self.receipt()),
            by: try judge(),
            now: Self.now
        )
        let outcomes = inspection.checks.map(\.outcome)
        #expect(outcomes == Array(repeating: .passed, count: 10) + [.notAsked])
        #expect(inspection.certificates.count == 3)
        #expect(
            inspection.certificates.first?.markers.first?.meaning
                == "signs App Store receipts and signed data"
        )
    }
}
