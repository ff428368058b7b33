public import CounterfoilBasics

/// The certificate authority of a local App Store: its roots, its issuers and what signs receipts
/// and signed data.
///
/// A value: changing one gives another and leaves the first as it was, so that one authority can
/// have any number of spoiled twins that share its keys. Whoever shall trust what it signs is given
/// ``anchorsPEM``.
public struct SigningAuthority: Sendable {
    private var identities: [AuthorityRole: SigningIdentity]

    /// Certificates of roots and issuers that were replaced, newest first: documents that were
    /// signed under them stay genuine.
    public internal(set) var retired: [IssuedCertificate]

    /// An issuer that stands below the intermediate, where none may stand, and issued the receipt
    /// signer's certificate.
    var inserted: IssuedCertificate?

    /// What stands above the signer's certificate in signed data, where it is not the signer's
    /// issuers.
    var shownInSignedData: [IssuedCertificate]?

    init(identities: [AuthorityRole: SigningIdentity], retired: [IssuedCertificate]) {
        self.identities = identities
        self.retired = retired
    }

    /// Makes an authority in memory, with new keys; that takes about a second.
    ///
    /// - Parameter profile: What its certificates shall say.
    /// - Throws: `issue.key_unusable`, `issue.not_representable`.
    public init(profile: AuthorityProfile) throws(SimulatorError) {
        self.init(identities: [:], retired: [])
        for role in AuthorityRole.issuersFirst {
            try add(role, profile[role])
        }
    }

    /// Makes the identity of a role that has none yet, with a new key; its issuer has one already.
    mutating func add(
        _ role: AuthorityRole,
        _ profile: CertificateProfile
    ) throws(SimulatorError) {
        let key = try role.newKey()
        identities[role] = try identity(role, profile, key: key, certifiedKey: key.publicKey)
    }

    /// The certificate and key of a role.
    public subscript(role: AuthorityRole) -> SigningIdentity {
        guard let identity = identities[role] else {
            preconditionFailure("an authority has an identity for each role")
        }
        return identity
    }

    /// The certificates from that of a role up to the one that signs itself, as signed data holds
    /// them.
    public func chain(of role: AuthorityRole) -> [IssuedCertificate] {
        let certificate = self[role].certificate
        if role == .receiptSigner, let inserted {
            return [certificate, inserted, self[.intermediate].certificate]
        }
        if role == .signedDataSigner, let shownInSignedData {
            return [certificate] + shownInSignedData
        }
        return [certificate] + (role.issuer.map(chain) ?? [])
    }

    /// Every certificate that a verifier of this authority's documents must be given: the root of
    /// receipts, the issuers that iOS 6 receipts lack, the root of signed data, and what was
    /// replaced.
    public var anchors: [IssuedCertificate] {
        let current = AuthorityRole.issuersFirst.filter(\.isKnownToVerifiers).map { role in
            self[role].certificate
        }
        var known: Set<[UInt8]> = []
        return (current + retired).filter { known.insert($0.der).inserted }
    }

    /// ``anchors`` as PEM text, the root of receipts first.
    public var anchorsPEM: String { anchors.map(\.pem).joined() }

    /// The certificate that verifiers of StoreKit testing's receipts pin, as PEM text.
    public var storeKitPEM: String { self[.storeKit].certificate.pem }

    /// The certificate that verifiers of StoreKit testing's signed data pin, as PEM text.
    public var storeKitSignedDataPEM: String { self[.storeKitSignedData].certificate.pem }
}

extension AuthorityRole {
    /// All roles, each behind its issuer.
    static let issuersFirst: [AuthorityRole] = [
        .root, .intermediate, .transactionReceiptIssuer, .receiptSigner,
        .transactionReceiptSigner, .storeKit, .signedDataRoot, .signedDataIntermediate,
        .signedDataSigner, .storeKitSignedData,
    ]
}

extension SigningAuthority {
    /// This authority with another certificate for a role: same key, other words.
    ///
    /// Certificates that the role issued are signed anew where they name it. Nothing is retired:
    /// this makes a twin, it does not move on.
    ///
    /// - Throws: `issue.key_unusable`, `issue.not_representable`.
    public func changing(
        _ role: AuthorityRole,
        _ change: (inout CertificateProfile) -> Void
    ) throws(SimulatorError) -> SigningAuthority {
        try reissuing(role, change)
    }

    /// This authority with another key for a role; what the role issued is signed anew.
    ///
    /// - Throws: `issue.key_unusable`, `issue.not_representable`.
    public func replacingKey(
        of role: AuthorityRole,
        with key: SigningKey
    ) throws(SimulatorError) -> SigningAuthority {
        try reissuing(role, key: key)
    }

    /// This authority after a role and all below it got new keys and certificates.
    ///
    /// Those are valid from an instant on, as long as the old ones were and at least for a year.
    /// Replaced roots and issuers are ``retired``.
    ///
    /// - Parameters:
    ///   - role: What is replaced.
    ///   - instant: When the new certificates begin to be valid.
    ///   - seed: Decides the new serial numbers.
    /// - Returns: The authority that signs from then on.
    /// - Throws: `issue.key_unusable`, `issue.not_representable`.
    public func rotating(
        _ role: AuthorityRole,
        at instant: Instant,
        seed: UInt64 = 0
    ) throws(SimulatorError) -> SigningAuthority {
        var random = SeededRandom(seed: seed)
        var authority = self
        try authority.rotate(role, at: instant.wholeSecond, &random)
        return authority
    }

    /// This authority with a role's certificate ending at an instant.
    ///
    /// - Throws: `issue.key_unusable`, `issue.not_representable` also for an end before the
    ///   beginning.
    public func expiring(
        _ role: AuthorityRole,
        at instant: Instant
    ) throws(SimulatorError) -> SigningAuthority {
        let begin = self[role].certificate.profile.notBefore
        guard instant >= begin else {
            throw SimulatorError(
                SimulatorError.notRepresentable,
                "found \(instant) as the end of the certificate of \(role.name), expected an "
                    + "instant from \(begin) on, when it begins"
            )
        }
        return try changing(role) { $0.notAfter = instant.wholeSecond }
    }

    /// This authority with the address of an OCSP responder (RFC 6960) in the certificates of the
    /// signer of receipts and of the signer and the intermediate of signed data, or without one.
    ///
    /// Keys and names stay, so documents that were signed before are as genuine as those that will
    /// be. The intermediate of receipts stays, too, for verifiers know it.
    ///
    /// - Parameter url: Where to ask whether the certificate was revoked, as
    ///   `http://127.0.0.1:8888`; nil to take the address out.
    /// - Returns: The authority whose certificates say so.
    /// - Throws: `issue.key_unusable`, `issue.not_representable` for what is no ASCII.
    public func stating(ocspResponder url: String?) throws(SimulatorError) -> SigningAuthority {
        if let url, !url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) || url.isEmpty {
            throw SimulatorError(
                SimulatorError.notRepresentable,
                "found an address of an OCSP responder that is empty or not plain ASCII"
            )
        }
        var authority = self
        for role in [AuthorityRole.receiptSigner, .signedDataIntermediate, .signedDataSigner] {
            authority = try authority.changing(role) { profile in
                if let url {
                    profile.setExtension(.authorityInfoAccess(ocspResponder: url))
                } else {
                    profile.extensions.removeAll {
                        $0.objectIdentifier == OID.authorityInfoAccess
                    }
                }
            }
        }
        return authority
    }

    /// This authority with the certificates of intermediate and receipt signer signed with another
    /// digest, as Apple went from SHA-1 to SHA-256 in 2023 (TN3138).
    ///
    /// Keys and names stay; the old intermediate is ``retired``.
    ///
    /// - Throws: `issue.key_unusable`.
    public func switching(to digest: SigningDigest) throws(SimulatorError) -> SigningAuthority {
        var authority = try changing(.intermediate) { $0.digest = digest }
        authority.retire([self[.intermediate].certificate])
        return try authority.changing(.receiptSigner) { $0.digest = digest }
    }

    /// This authority with a role's certificate made anew.
    ///
    /// - Parameters:
    ///   - role: Whose certificate.
    ///   - key: The key that it signs with; as before when nil.
    ///   - certifiedKey: The key that the certificate states; that of `key` when nil.
    ///   - issuer: Who signs it; the role's issuer, or itself, when nil.
    ///   - change: What the certificate says differently.
    /// - Returns: The twin; what the role issued is signed anew where key or name changed.
    /// - Throws: `issue.key_unusable`, `issue.not_representable`.
    func reissuing(
        _ role: AuthorityRole,
        key: SigningKey? = nil,
        certifying certifiedKey: CertifiedKey? = nil,
        signedBy issuer: SigningIdentity? = nil,
        _ change: (inout CertificateProfile) -> Void = { _ in }
    ) throws(SimulatorError) -> SigningAuthority {
        let before = self[role]
        var profile = before.certificate.profile
        change(&profile)
        let signingKey = key ?? before.key
        var authority = self
        let after = try identity(
            role,
            profile,
            key: signingKey,
            certifiedKey: certifiedKey ?? key?.publicKey ?? before.certificate.publicKey,
            issuer: issuer
        )
        authority.identities[role] = after
        let isNamedAlike =
            after.certificate.profile.subject == before.certificate.profile.subject
        guard key != nil || !isNamedAlike else { return authority }
        for subordinate in role.subordinates {
            authority = try authority.reissuing(subordinate)
        }
        return authority
    }

    private mutating func rotate(
        _ role: AuthorityRole,
        at instant: Instant,
        _ random: inout SeededRandom
    ) throws(SimulatorError) {
        let old = self[role].certificate
        var profile = old.profile
        profile.notBefore = instant
        profile.notAfter = max(
            instant.advanced(by: old.profile.notAfter.duration(since: old.profile.notBefore)),
            instant.advanced(by: .seconds(365 * 86_400))
        )
        // Every certificate that Xcode makes has the same number.
        if !role.isPinned {
            profile.serialNumber = AuthorityProfile.serialNumber(using: &random)
        }
        try add(role, profile)
        if role.isKnownToVerifiers { retire([old]) }
        for subordinate in role.subordinates {
            try rotate(subordinate, at: instant, &random)
        }
    }

    private mutating func retire(_ certificates: [IssuedCertificate]) {
        retired = certificates + retired
    }

    private func identity(
        _ role: AuthorityRole,
        _ profile: CertificateProfile,
        key: SigningKey,
        certifiedKey: CertifiedKey,
        issuer: SigningIdentity? = nil
    ) throws(SimulatorError) -> SigningIdentity {
        guard let issuer = issuer ?? role.issuer.map({ self[$0] }) else {
            return try profile.selfSigned(with: key)
        }
        return SigningIdentity(
            certificate: try profile.certificate(for: certifiedKey, issuedBy: issuer),
            key: key
        )
    }
}
