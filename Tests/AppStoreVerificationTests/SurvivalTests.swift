import AppStoreModel
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

/// No byte sequence crashes the verifier, and no spoiled receipt passes.
@Suite(
    "Spoiled bytes of real receipts",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct SurvivalTests {
    /// A dozen receipts of every shape: DER, BER, both digests, both styles, none and many
    /// purchases.
    static let files: [String] =
        [
            "prod-com-apple-configurator-ui-0iap-sha1-51cb73",
            "prod-com-ideasoncanvas-mindnode-macos-3iap-sha256-ec2ede",
            "prod-org-getpure-pure-iphone-4iap-sha256-cc2093",
            "sandbox-com-revenuecat-sampleapp-9iap-sha1-d18b7c",
            "sandbox-dev-bonzer-weeka-app-2iap-sha256-bebb16",
            "sandbox-com-nutcall-app-dev-40iap-sha1-1fccb6",
            "noenv-com-example-SampleApp-0iap-sha1-ece5c5",
            "testca-receipt-double-wrapped-75ad2a",
            "xcode-com-nutcall-alert-1iap-cb8e47",
        ].map { "app-receipts/\($0).b64" }
        + [
            "prod-com-educreations-ios-Educreations-sub-v3-5735e9",
            "prod-com-mindmobapp-MindMob-oneoff-v2-b0032b",
            "sandbox-uk-co-guardian-iphone2-sub-v2-4a0783",
        ].map { "transaction-receipts-ios6/\($0).b64" }

    static let verifier = ReceiptVerifier()

    @Test("Cut at every byte: refused or undecided, never a crash", arguments: files)
    func truncation(file: String) throws {
        let document = try Document(detecting: Corpus.bytes(file))
        for length in Spoiling.sample(document.bytes.count, atMost: 80, seed: 1) {
            let cut = Array(document.bytes.prefix(length))
            guard let shorter = try? Document(detecting: cut) else { continue }
            if case .success = Self.verdict(shorter) {
                // What follows the closing brace of a property list is not part of it.
                #expect(document.kind == .transactionReceipt && cut.contains(0x7D), "\(length)")
            }
        }
    }

    @Test("Any bit turned over: refused, unless nobody signed it", arguments: files)
    func bitFlips(file: String) throws {
        let document = try Document(detecting: Corpus.bytes(file))
        let genuine = Self.verdict(document)
        for bit in Spoiling.sample(document.bytes.count * 8, atMost: 240, seed: 2) {
            let spoiled = Document(
                kind: document.kind,
                bytes: Spoiling.flip(bit, of: document.bytes)
            )
            guard case .success(let receipt) = Self.verdict(spoiled) else { continue }
            // Not everything is signed: an unused certificate, the unsigned keys of an iOS 6-style
            // receipt, versions that readers ignore. What was signed must be what comes out.
            guard case .success(let original) = genuine else {
                Issue.record("bit \(bit) makes a refused receipt pass")
                continue
            }
            #expect(Self.signedContent(receipt) == Self.signedContent(original), "bit \(bit)")
        }
    }

    private static func verdict(
        _ document: Document
    ) -> Result<VerifiedReceipt, VerificationError> {
        do {
            return .success(try verifier.verify(document))
        } catch {
            return .failure(error)
        }
    }

    private static func signedContent(_ receipt: VerifiedReceipt) -> [String] {
        switch receipt {
        case .appReceipt(let receipt):
            receipt.attributes.map { "\($0.type) \($0.version) \(Hexadecimal.encode($0.value))" }
        case .transactionReceipt(let receipt):
            receipt.purchaseInfo.map { "\($0.key) = \($0.value)" }
        }
    }
}
