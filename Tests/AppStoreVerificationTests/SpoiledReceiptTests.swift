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
    static let now = CivilTime(year: 2026, month: 6, day: 1, hour: 12).instant
    static let authority = Result {
        try SigningAuthority(profile: AuthorityProfile(now: now, seed: 21))
    }

    /// The shapes that a verifier must read, by name.
    static let shapes: [(name: String, form: AppReceiptForm)] = {
        var attributes = AppReceiptForm()
        attributes.hasSignedAttributes = true
        var double = AppReceiptForm(encoding: .indefinite(chunkSize: 100))
        double.isDoubleWrapped = true
        var reversed = AppReceiptForm()
        reversed.certificates = .reversed
        var rootless = AppReceiptForm()
        rootless.certificates = .withoutRoot
        return [
            ("DER", .appStore), ("SHA-1", .sha1), ("signed attributes", attributes),
            ("BER", AppReceiptForm(encoding: .indefinite())),
            ("BER in chunks, wrapped twice", double),
            ("padded lengths", AppReceiptForm(encoding: .padded(bytes: 5))),
            ("certificates reversed", reversed), ("without the root", rootless),
            ("Xcode", .xcode),
        ]
    }()

    @Test("Every shape verifies, and says what was issued", arguments: shapes.indices)
    func unspoiled(index: Int) throws {
        let authority = try Self.authority.get()
        let (_, form) = Self.shapes[index]
        let receipt = Self.receipt(form)
        let bytes = try AppReceiptIssuer(authority: authority).issue(receipt, form: form)
        let verified = try Self.verify(bytes, form, authority)
        #expect(verified.bundleId == receipt.bundleId)
        #expect(verified.creationDate == receipt.creationDate)
        #expect(verified.inApp.map(\.transactionId).sorted() == ["51", "52"])
        #expect(verified.proof.scope.realm == (form.signer == .storeKit ? .xcode : .rehearsal))
        #expect(verified.proof.judgedAt == receipt.creationDate)
    }

    @Test("An ended certificate of the issuer's name beside the right one changes nothing")
    func renewedIssuer() throws {
        let authority = try Self.authority.get()
        let ended = try authority.expiring(.intermediate, at: Self.now.advanced(by: .seconds(-9)))
        let chain = try authority.chain(of: .receiptSigner).map { try Certificate($0.der) }
        let old = try Certificate(ended[.intermediate].certificate.der)
        for intermediates in [[old, chain[1]], [chain[1], old]] {
            let found = try SigningChain(
                chain[0],
                key: PublicKey(chain[0].subjectPublicKeyInfo),
                through: intermediates,
                at: Self.now,
                by: .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
                limits: .default,
                leafMarker: Marker.receiptSigning,
                intermediateMarker: Marker.developerRelations
            )
            #expect(found.certificates.count == 3)
        }
    }

    @Test(
        "Every flaw is refused for its own reason",
        // Which environment is wanted, only the address of verifyReceipt says.
        arguments: ReceiptFlaw.allCases.filter { $0.name != "otherEnvironment" }
    )
    func spoiled(flaw: ReceiptFlaw) throws {
        let authority = try Self.authority.get()
        let issuer = AppReceiptIssuer(authority: authority)
        var shapes = Self.shapes.filter { flaw.applies(to: Self.receipt($0.form), form: $0.form) }
        if !Soak.isOn { shapes = Array(shapes.prefix(2)) }
        #expect(!shapes.isEmpty, "no shape can have this flaw")
        for (name, form) in shapes {
            let bytes = try issuer.issue(Self.receipt(form), form: form, spoiledBy: flaw)
            do {
                _ = try Self.verify(bytes, form, authority)
                Issue.record("\(name) passes although \(flaw.reason)")
            } catch {
                let expected = Self.expectedCodes[flaw.name] ?? Self.prefixes(of: flaw.reasonClass)
                #expect(
                    expected.contains { error.code.rawValue.hasPrefix($0) },
                    "\(name), spoiled because \(flaw.reason): \(error)"
                )
                #expect(error.isUndecided == (flaw.reasonClass == .time))
            }
        }
    }

    /// Flaws whose code must be exactly this one.
    static let expectedCodes: [String: [String]] = [
        "leafMarkerMissing": ["chain.leaf_marker_missing"],
        "leafOfDeveloper": ["chain.leaf_marker_missing"],
        "leafOfTransactions": ["chain.leaf_marker_missing"],
        "intermediateMarkerMissing": ["chain.intermediate_marker_missing"],
        "intermediateOfTransactions": ["chain.intermediate_marker_missing"],
        "intermediateIsNoAuthority": ["chain.not_an_authority"],
        "intermediateUnconstrained": ["chain.not_an_authority"],
        "intermediateMayNotIssue": ["chain.key_usage"],
        "leafKeyTooShort": ["chain.key_out_of_bounds"],
        "leafKeyTooLong": ["chain.key_out_of_bounds"],
        "leafExponentTooLarge": ["chain.key_out_of_bounds"],
        "leafOnP521": ["chain.key_unsupported"],
        "leafOnSecp256k1": ["chain.key_unsupported"],
        "leafIsAuthority": ["chain.leaf_is_authority"],
        "leafMayNotSign": ["chain.leaf_key_usage"],
        "leafExpired": ["chain.expired"],
        "leafNotYetValid": ["chain.not_yet_valid"],
        "intermediateExpired": ["chain.expired"],
        "intermediateNotYetValid": ["chain.not_yet_valid"],
        "foreignRoot": ["chain.untrusted_root"],
        "foreignChain": ["chain.untrusted_root"],
        "signatureOverOtherDigest": ["signature.digest_mismatch"],
        "signatureBitFlipped": ["signature.invalid"],
        "twoSigners": ["cms.several_signers"],
        "noSigner": ["cms.no_signer"],
        "contentDetached": ["cms.detached_content"],
        "receiptTypeMissing": ["receipt.type_missing"],
        "noCertificates": ["chain.signer_missing"],
        "certificatesTooMany": ["limit.certificates"],
        "ofTheFuture": ["time.in_future"],
        // The first of the two dates decides when the chain is judged.
        "creationDateTwice": ["chain.not_yet_valid"],
        "otherApp": ["app.bundle_mismatch"],
    ]

    static func prefixes(of reason: ReasonClass) -> [String] {
        switch reason {
        case .structure: ["asn1.", "cms.", "encoding.", "receipt."]
        case .limits: ["limit.", "asn1.", "chain.certificate_too_large", "chain.key_"]
        case .algorithm: ["cms.", "chain.key_"]
        case .signature: ["signature.", "cms.signed_attributes_invalid", "receipt."]
        case .certificates: ["chain.", "cms.no_certificates", "limit.certificates"]
        case .payload: ["receipt.", "chain.leaf_marker_missing"]
        case .app: ["app."]
        case .environment: ["environment.", "chain.untrusted_root"]
        case .time: ["time."]
        }
    }

    static func receipt(_ form: AppReceiptForm) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: form.signer == .storeKit ? .xcode : .productionSandbox,
            bundleId: "com.example.app",
            creationDate: now
        )
        receipt.inApp = ["51", "52"].map { identifier in
            var purchase = InAppPurchase(
                productId: "com.example.month",
                transactionId: identifier
            )
            purchase.purchaseDate = now
            purchase.expiresDate = now.advanced(by: .seconds(86_400 * 30))
            purchase.productType = .autoRenewableSubscription
            return purchase
        }
        return receipt
    }

    static func verify(
        _ bytes: [UInt8],
        _ form: AppReceiptForm,
        _ authority: SigningAuthority
    ) throws(VerificationError) -> Verified<AppReceipt> {
        let trust: Trust =
            if form.signer == .storeKit {
                try .xcode(pinnedCertificate: Array(authority.storeKitPEM.utf8))
            } else {
                try .rehearsal(anchors: Array(authority.anchorsPEM.utf8))
            }
        let document = try Document(detecting: bytes)
        let later = now.advanced(by: .seconds(60))
        let receipt = try ReceiptVerifier(trust: trust).verify(document, now: later)
        try receipt.requireApp("com.example.app")
        guard case .appReceipt(let verified) = receipt else {
            throw VerificationError(VerificationError.unknownDocument, "no app receipt")
        }
        return verified
    }
}
