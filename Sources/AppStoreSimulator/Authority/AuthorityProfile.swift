import CounterfoilASN1
public import CounterfoilBasics

/// What the certificates of a local App Store shall say: one profile for each role, to change
/// before the authority is made.
///
/// The names have Apple's common names, because some programs look at them, but an organization
/// that is plainly not Apple's.
public struct AuthorityProfile: Hashable, Sendable {
    private var profiles: [AuthorityRole: CertificateProfile]

    /// What the certificate of a role shall say.
    public subscript(role: AuthorityRole) -> CertificateProfile {
        get {
            guard let profile = profiles[role] else {
                preconditionFailure("there is a profile for each role")
            }
            return profile
        }
        set { profiles[role] = newValue }
    }

    /// The profiles of a new local App Store, valid from more than ten years before an instant to
    /// more than ten years after it, so that receipts of most dates can be issued.
    ///
    /// - Parameters:
    ///   - now: The instant around which the certificates are valid.
    ///   - organization: O of every name but StoreKit testing's.
    ///   - digest: What the intermediate's and the receipt signer's certificates are signed with;
    ///     those of iOS 6 receipts are signed with SHA-1 as Apple's were.
    ///   - seed: Decides serial numbers and times of day.
    public init(
        now: Instant,
        organization: String = "Counterfoil Test",
        digest: SigningDigest = .sha256,
        seed: UInt64 = 0
    ) {
        var maker = ProfileMaker(now: now, organization: organization, seed: seed)
        profiles = [
            .root: maker.root(),
            .intermediate: maker.intermediate(digest),
            .receiptSigner: maker.receiptSigner(digest),
            .transactionReceiptIssuer: maker.transactionReceiptIssuer(),
            .transactionReceiptSigner: maker.transactionReceiptSigner(),
            .storeKit: maker.storeKit(),
            .signedDataRoot: maker.signedDataRoot(),
            .signedDataIntermediate: maker.signedDataIntermediate(),
            .signedDataSigner: maker.signedDataSigner(),
            .storeKitSignedData: maker.storeKitSignedData(),
        ]
    }

    /// A serial number of 16 bytes, positive as RFC 5280 §4.1.2.2 wants it.
    static func serialNumber(using random: inout SeededRandom) -> [UInt8] {
        let rest = (0..<15).map { _ in UInt8.random(in: 0...255, using: &random) }
        return [UInt8.random(in: 0x01...0x7F, using: &random)] + rest
    }
}

/// Draws up the profiles one after the other from one stream of random numbers.
private struct ProfileMaker {
    let now: Instant
    let organization: String
    var random: SeededRandom

    init(now: Instant, organization: String, seed: UInt64) {
        self.now = now
        self.organization = organization
        random = SeededRandom(seed: seed)
    }

    mutating func root() -> CertificateProfile {
        profile(
            commonName: "Counterfoil Test Root CA",
            unit: "Certification Authority",
            years: (15, 25),
            extensions: [
                .keyUsage([.keyCertSign, .cRLSign]), .basicConstraints(isAuthority: true),
                .subjectKeyIdentifier, .authorityKeyIdentifier,
            ]
        )
    }

    mutating func intermediate(_ digest: SigningDigest) -> CertificateProfile {
        profile(
            commonName: "Apple Worldwide Developer Relations Certification Authority",
            unit: "Test",
            years: (14, 15),
            digest: digest,
            extensions: [
                .basicConstraints(isAuthority: true, pathLength: 0), .authorityKeyIdentifier,
                .subjectKeyIdentifier, .keyUsage([.keyCertSign, .cRLSign]),
                .marker(OID.wwdrIntermediateMarker),
            ]
        )
    }

    mutating func receiptSigner(_ digest: SigningDigest) -> CertificateProfile {
        profile(
            commonName: "Mac App Store and iTunes Store Receipt Signing",
            unit: "Apple Worldwide Developer Relations",
            years: (13, 12),
            digest: digest,
            extensions: [
                .basicConstraints(isAuthority: false), .authorityKeyIdentifier,
                .appleCertificatePolicy, .subjectKeyIdentifier, .keyUsage([.digitalSignature]),
                .marker(OID.receiptSignerMarker),
            ]
        )
    }

    mutating func transactionReceiptIssuer() -> CertificateProfile {
        profile(
            commonName: "Apple iTunes Store Certification Authority",
            unit: "Certification Authority",
            years: (14, 15),
            digest: .sha1,
            extensions: [
                .keyUsage([.digitalSignature, .keyCertSign, .cRLSign]),
                .basicConstraints(isAuthority: true), .subjectKeyIdentifier,
                .authorityKeyIdentifier, .marker(OID.iTunesStoreIssuerMarker),
            ]
        )
    }

    mutating func transactionReceiptSigner() -> CertificateProfile {
        profile(
            commonName: "PurchaseReceiptCertificate",
            unit: "Apple iTunes Store",
            years: (13, 12),
            digest: .sha1,
            extensions: [
                .basicConstraints(isAuthority: false), .authorityKeyIdentifier,
                .keyUsage([.digitalSignature]), .subjectKeyIdentifier,
                .marker(OID.transactionReceiptSignerMarker),
            ]
        )
    }

    /// As Xcode makes it: the serial number 1 and twenty years from the spring of 2020.
    func storeKit() -> CertificateProfile {
        CertificateProfile(
            subject: .storeKit,
            serialNumber: [1],
            notBefore: Instant(secondsSince1970: 1_585_763_555),
            notAfter: Instant(secondsSince1970: 2_216_483_555),
            extensions: [
                .basicConstraints(isAuthority: true),
                .keyUsage([.digitalSignature, .keyCertSign]), .codeSigning,
            ]
        )
    }

    mutating func signedDataRoot() -> CertificateProfile {
        profile(
            commonName: "Counterfoil Test Root CA - G3",
            unit: "Certification Authority",
            years: (15, 25),
            digest: .sha384,
            extensions: [
                .basicConstraints(isAuthority: true), .subjectKeyIdentifier,
                .authorityKeyIdentifier, .keyUsage([.keyCertSign, .cRLSign]),
            ]
        )
    }

    mutating func signedDataIntermediate() -> CertificateProfile {
        profile(
            commonName: "Apple Worldwide Developer Relations Certification Authority",
            unit: "Test G6",
            years: (14, 15),
            digest: .sha384,
            extensions: [
                .basicConstraints(isAuthority: true, pathLength: 0), .authorityKeyIdentifier,
                .subjectKeyIdentifier, .keyUsage([.keyCertSign, .cRLSign]),
                .marker(OID.wwdrIntermediateMarker),
            ]
        )
    }

    mutating func signedDataSigner() -> CertificateProfile {
        profile(
            commonName: "Prod ECC Mac App Store and iTunes Store Receipt Signing",
            unit: "Apple Worldwide Developer Relations",
            years: (13, 12),
            digest: .sha384,
            extensions: [
                .basicConstraints(isAuthority: false), .authorityKeyIdentifier,
                .appleCertificatePolicy, .subjectKeyIdentifier, .keyUsage([.digitalSignature]),
                .marker(OID.receiptSignerMarker),
            ]
        )
    }

    /// As Xcode makes it for signed data, but valid as long as its certificate of receipts; Xcode's
    /// own ends after a year.
    func storeKitSignedData() -> CertificateProfile {
        var profile = storeKit()
        profile.subject = .storeKitSignedData
        profile.extensions = [
            .basicConstraints(isAuthority: true, pathLength: 0), .storeKitAlternativeName,
            .keyUsage([.digitalSignature]),
        ]
        return profile
    }

    private mutating func profile(
        commonName: String,
        unit: String,
        years: (before: Int, after: Int),
        digest: SigningDigest = .sha256,
        extensions: [CertificateProfile.Extension]
    ) -> CertificateProfile {
        CertificateProfile(
            subject: CertificateProfile.Name(
                commonName: commonName,
                organizationalUnit: unit,
                organization: organization
            ),
            serialNumber: AuthorityProfile.serialNumber(using: &random),
            notBefore: instant(years: -years.before),
            notAfter: instant(years: years.after),
            extensions: extensions,
            digest: digest
        )
    }

    /// A whole second some years away, at a time of day of its own.
    private mutating func instant(years: Int) -> Instant {
        let seconds = years * 31_557_600 + Int.random(in: 0..<86_400, using: &random)
        let instant = now.advanced(by: .seconds(seconds))
        return instant.wholeSecond
    }
}
