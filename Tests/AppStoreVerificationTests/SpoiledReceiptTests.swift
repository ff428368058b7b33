import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// Receipts of an authority of our own, in every shape and spoiled in every way.
///
/// The issuer shares no judgement with the verifier; what it issues is checked against OpenSSL in
/// its own tests.
@Suite("Spoiled receipts of every shape")
struct SpoiledReceiptTests {
    @Test("Every shape verifies, and says what was issued", arguments: ReceiptShape.all)
    func unspoiled(shape: ReceiptShape) throws {
        let verified = try shape.verify(shape.bytes())
        let isXcode = shape.form.signer == .storeKit
        #expect(verified.bundleId == shape.receipt.bundleId)
        #expect(verified.receiptType == shape.receipt.receiptType)
        #expect(verified.creationDate == shape.receipt.creationDate)
        #expect(
            verified.inApp.map(\.transactionId).sorted()
                == shape.receipt.inApp.map(\.transactionId).sorted()
        )
        for purchase in shape.receipt.inApp {
            let found = verified.inApp.first { $0.transactionId == purchase.transactionId }
            #expect(found?.cancellationDate == purchase.cancellationDate)
            #expect(found?.promotionalOfferId == purchase.promotionalOfferId)
        }
        #expect(verified.expirationDate == shape.receipt.expirationDate || isXcode)
        #expect(verified.proof.scope.realm == (isXcode ? .xcode : .rehearsal))
        #expect(verified.proof.judgedAt == shape.receipt.creationDate)
    }

    @Test("An ended certificate of the issuer's name beside the right one changes nothing")
    func renewedIssuer() throws {
        let authority = try ReceiptShape.authority.get()
        let ended = try authority.expiring(
            .intermediate,
            at: ReceiptShape.now.advanced(by: .seconds(-9))
        )
        let chain = try authority.chain(of: .receiptSigner).map { try Certificate($0.der) }
        let old = try Certificate(ended[.intermediate].certificate.der)
        for intermediates in [[old, chain[1]], [chain[1], old]] {
            let found = try SigningChain(
                chain[0],
                key: PublicKey(chain[0].subjectPublicKeyInfo),
                through: intermediates,
                at: ReceiptShape.now,
                by: .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
                limits: .default,
                leafMarker: Marker.receiptSigning,
                intermediateMarker: Marker.developerRelations
            )
            #expect(found.certificates.count == 3)
        }
    }

    @Test("Every flaw is refused with its own code in every shape", arguments: ReceiptFlaw.allCases)
    func spoiled(flaw: ReceiptFlaw) throws {
        let able = ReceiptShape.all.filter { flaw.applies(to: $0.receipt, form: $0.form) }
        #expect(!able.isEmpty, "no shape can have this flaw")
        let seeds = UInt64(Soak.size(1, soak: 20))
        for shape in Self.sample(of: able, for: flaw) {
            for seed in 0..<seeds {
                let bytes = try shape.bytes(flaw, seed: seed)
                guard let codes = ExpectedRefusals.codes(of: flaw, in: shape) else {
                    // Which environment is wanted, only the address of verifyReceipt says.
                    #expect(flaw == "otherEnvironment")
                    #expect(try shape.verify(bytes).receiptType != shape.receipt.receiptType)
                    continue
                }
                do {
                    _ = try shape.verify(bytes)
                    Issue.record("\(shape.name), seed \(seed), passes although \(flaw.reason)")
                } catch {
                    #expect(codes.contains(error.code.rawValue), "\(shape.name), seed \(seed)")
                    #expect(error.isUndecided == (flaw.reasonClass == .time))
                }
            }
        }
    }

    /// Every shape in a soak; else three that lie apart, others for each flaw.
    private static func sample(of shapes: [ReceiptShape], for flaw: ReceiptFlaw) -> [ReceiptShape] {
        let count = min(Soak.size(3, soak: shapes.count), shapes.count)
        let start = ReceiptFlaw.allCases.firstIndex(of: flaw) ?? 0
        return (0..<count).map { shapes[(start + $0 * shapes.count / count) % shapes.count] }
    }
}
