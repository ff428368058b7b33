import CounterfoilASN1
import CounterfoilBasics

// What is wrong with the certificates; the receipt itself is genuinely signed with the key that
// its certificate states, wherever somebody can have such a key.
extension ReceiptFlaw {
    /// The signer's certificate or its key is missing, misnamed or of the wrong kind.
    static let ofKeys: [ReceiptFlaw] = [
        ReceiptFlaw(
            "noCertificates",
            .certificates,
            "there are no certificates in it",
            .signed { draft, _ in draft.certificates = [] }
        ),
        ReceiptFlaw(
            "signerNumberWrong",
            .certificates,
            "the signer's serial number is that of no certificate in it",
            .signed { draft, _ in draft.signers[0].serialNumber = [0x5A, 0x5A, 0x5A] }
        ),
        ReceiptFlaw(
            "signerIssuerWrong",
            .certificates,
            "the signer's issuer is that of no certificate in it",
            .signed { draft, _ in
                draft.signers[0].issuer = CertificateProfile.Name.nobody.der
            }
        ),
        replaced("leafKeyTooShort", "the signer's key is of RSA with 1,024 bits") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .receiptSigner, with: ImpostorKeys.short())
        },
        certified("leafKeyTooLong", "the signer's key is of RSA with 16,384 bits") {
            .unfactoredRSA(bits: 16_384, seed: 16_384)
        },
        certified("leafExponentTooLarge", "the signer's key has an exponent of 33 bits") {
            .unfactoredRSA(bits: 2048, exponent: 0x1_0000_0001, seed: 33)
        },
        certified("leafOnP521", "the signer's key is on the curve P-521") {
            .basePoint(of: .p521)
        },
        certified("leafOnSecp256k1", "the signer's key is on the curve secp256k1") {
            .basePoint(of: .secp256k1)
        },
        replaced("intermediateKeyTooShort", "the issuer's key is of RSA with 1,024 bits") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .intermediate, with: ImpostorKeys.short())
        },
    ]

    /// The certificates do not lead to the root.
    static let ofChains: [ReceiptFlaw] = [
        replaced("foreignRoot", "its root has the anchor's name, and another key") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .root, with: ImpostorKeys.usual())
        },
        replaced("foreignChain", "all its certificates have genuine names, and other keys") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .root, with: ImpostorKeys.usual())
                .replacingKey(of: .intermediate, with: ImpostorKeys.issuer())
                .replacingKey(of: .receiptSigner, with: ImpostorKeys.usual())
        },
        replaced("intermediateOfForeignRoot", "the root's key did not sign the issuer's") {
            (authority) throws(SimulatorError) in
            let root = authority[.root].certificate
            let impostor = SigningIdentity(certificate: root, key: try ImpostorKeys.usual())
            return try authority.reissuing(.intermediate, signedBy: impostor)
        },
        replaced("leafOfForeignIssuer", "the issuer's key did not sign the signer's") {
            (authority) throws(SimulatorError) in
            let issuer = authority[.intermediate].certificate
            let impostor = SigningIdentity(certificate: issuer, key: try ImpostorKeys.issuer())
            return try authority.reissuing(.receiptSigner, signedBy: impostor)
        },
        replaced("leafSelfSigned", "the signer certified itself") {
            (authority) throws(SimulatorError) in
            try authority.reissuing(.receiptSigner, signedBy: authority[.receiptSigner])
        },
        replaced("leafUnderRoot", "the root issued the signer's, and no issuer is between") {
            (authority) throws(SimulatorError) in
            try authority.reissuing(.receiptSigner, signedBy: authority[.root])
        },
        replaced("pathTooLong", "an issuer stands below the one that may have none below it") {
            (authority) throws(SimulatorError) in
            try authority.insertingIssuer()
        },
        changed("leafIssuerNameWrong", .receiptSigner, "the signer's issuer is somebody else") {
            $0.flaws.issuerName = .nobody
        },
        changed("leafSignatureBroken", .receiptSigner, "the signer's certificate was altered") {
            $0.flaws.breaksSignature = true
        },
        changed("intermediateSignatureBroken", .intermediate, "the issuer's was altered") {
            $0.flaws.breaksSignature = true
        },
        dated("leafExpired", .receiptSigner, "the signer's certificate was over") {
            $0.notAfter = $1.advanced(by: .seconds(-1))
        },
        dated("leafNotYetValid", .receiptSigner, "the signer's certificate was not yet valid") {
            $0.notBefore = $1.advanced(by: .seconds(1))
        },
        dated("intermediateExpired", .intermediate, "the issuer's certificate was over") {
            $0.notAfter = $1.advanced(by: .seconds(-1))
        },
        dated("intermediateNotYetValid", .intermediate, "the issuer's was not yet valid") {
            $0.notBefore = $1.advanced(by: .seconds(1))
        },
    ]

    /// A flaw of the authority as a whole.
    static func replaced(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (SigningAuthority) throws(SimulatorError) -> SigningAuthority
    ) -> ReceiptFlaw {
        ReceiptFlaw(
            name,
            .certificates,
            reason,
            needs: .appStoreSigner,
            .authority { (authority, _) throws(SimulatorError) in
                authority = try change(authority)
            }
        )
    }

    /// A flaw of what one certificate says.
    static func changed(
        _ name: String,
        _ role: AuthorityRole,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile) -> Void
    ) -> ReceiptFlaw {
        replaced(name, reason) { (authority) throws(SimulatorError) in
            try authority.changing(role, change)
        }
    }

    /// A flaw of the key that the signer's certificate states: one that nobody can sign with.
    private static func certified(
        _ name: String,
        _ reason: String,
        _ key: @escaping @Sendable () -> CertifiedKey
    ) -> ReceiptFlaw {
        replaced(name, reason) { (authority) throws(SimulatorError) in
            try authority.reissuing(.receiptSigner, certifying: key())
        }
    }

    /// A flaw of a certificate's validity at the receipt's date.
    private static func dated(
        _ name: String,
        _ role: AuthorityRole,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile, Instant) -> Void
    ) -> ReceiptFlaw {
        ReceiptFlaw(
            name,
            .certificates,
            reason + " when the receipt was made",
            needs: [.appStoreSigner, .creationDate],
            .authority { (authority, context) throws(SimulatorError) in
                let date = context.creationDate
                authority = try authority.changing(role) { change(&$0, date) }
            }
        )
    }
}

extension CertificateProfile.Name {
    /// A name that no certificate has.
    static let nobody = Self(commonName: "Nobody", organization: "Counterfoil Test")
}

extension SigningAuthority {
    /// This authority with one more issuer, between the intermediate and the receipt signer.
    fileprivate func insertingIssuer() throws(SimulatorError) -> SigningAuthority {
        let intermediate = self[.intermediate]
        var profile = intermediate.certificate.profile
        profile.subject = CertificateProfile.Name(
            commonName: "Apple Worldwide Developer Relations Certification Authority",
            organizationalUnit: "Below",
            organization: "Counterfoil Test"
        )
        let key = try ImpostorKeys.issuer()
        let certificate = try profile.certificate(for: key.publicKey, issuedBy: intermediate)
        var authority = try reissuing(
            .receiptSigner,
            signedBy: SigningIdentity(certificate: certificate, key: key)
        )
        authority.inserted = certificate
        return authority
    }
}
