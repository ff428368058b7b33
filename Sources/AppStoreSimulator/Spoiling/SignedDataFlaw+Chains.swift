import CounterfoilASN1
import CounterfoilBasics

// What is wrong with the certificates; the document is genuinely signed with the key that its
// certificate states, wherever somebody can have such a key.
extension SignedDataFlaw {
    /// The signer's key is of another kind.
    static let ofKeys: [SignedDataFlaw] = [
        replaced("leafOfRSA", "the signer's key is of RSA") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .signedDataSigner, with: ImpostorKeys.usual())
        },
        replaced("leafOnP384", "the signer's key is on P-384") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .signedDataSigner, with: ImpostorKeys.p384())
        },
        certified("leafOnP521", "the signer's key is on P-521") { .basePoint(of: .p521) },
        certified("leafOnSecp256k1", "the signer's key is on secp256k1") {
            .basePoint(of: .secp256k1)
        },
    ]

    /// The certificates do not lead to the root.
    static let ofChains: [SignedDataFlaw] = [
        replaced("foreignRoot", "its root has the anchor's name and another key") {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .signedDataRoot, with: ImpostorKeys.p384())
        },
        replaced("foreignChain", "its certificates have genuine names and markers, and other keys")
        {
            (authority) throws(SimulatorError) in
            try authority.replacingKey(of: .signedDataRoot, with: ImpostorKeys.p384())
                .replacingKey(of: .signedDataIntermediate, with: ImpostorKeys.otherP384())
                .replacingKey(of: .signedDataSigner, with: ImpostorKeys.p256())
        },
        SignedDataFlaw(
            "foreignChainUnderGenuineRoot",
            .certificates,
            "the genuine root is in its header, and did not issue the others",
            needs: .appStoreSigner,
            .authority { (authority, _) throws(SimulatorError) in
                try authority.replacingKey(of: .signedDataRoot, with: ImpostorKeys.p384())
                    .replacingKey(of: .signedDataSigner, with: ImpostorKeys.p256())
                    .showing(root: authority[.signedDataRoot].certificate)
            }
        ),
        replaced("intermediateOfForeignRoot", "the root's key did not sign the intermediate's") {
            (authority) throws(SimulatorError) in
            let root = authority[.signedDataRoot].certificate
            let impostor = SigningIdentity(certificate: root, key: try ImpostorKeys.p384())
            return try authority.reissuing(.signedDataIntermediate, signedBy: impostor)
        },
        replaced("leafOfForeignIssuer", "the intermediate's key did not sign the signer's") {
            (authority) throws(SimulatorError) in
            let issuer = authority[.signedDataIntermediate].certificate
            let impostor = SigningIdentity(certificate: issuer, key: try ImpostorKeys.p384())
            return try authority.reissuing(.signedDataSigner, signedBy: impostor)
        },
        replaced("leafOfOtherIntermediate", "another intermediate stands in its header") {
            (authority) throws(SimulatorError) in
            // The other one is genuine, and has the same name.
            let other = try authority.replacingKey(
                of: .signedDataIntermediate,
                with: ImpostorKeys.otherP384()
            )
            return authority.showing(intermediate: other[.signedDataIntermediate].certificate)
        },
        replaced("leafSelfSigned", "the signer certified itself") {
            (authority) throws(SimulatorError) in
            try authority.reissuing(.signedDataSigner, signedBy: authority[.signedDataSigner])
        },
        replaced("leafUnderRoot", "the root issued the signer's, and no intermediate is between") {
            (authority) throws(SimulatorError) in
            try authority.reissuing(.signedDataSigner, signedBy: authority[.signedDataRoot])
                .showing(intermediate: authority[.signedDataRoot].certificate)
        },
        replaced("leafAsIntermediate", "a signer of documents issued the signer's certificate") {
            (authority) throws(SimulatorError) in
            try authority.reissuing(
                .signedDataSigner,
                key: ImpostorKeys.p256(),
                signedBy: authority[.signedDataSigner]
            ).showing(intermediate: authority[.signedDataSigner].certificate)
        },
        replaced("pathTooLong", "an intermediate stands below the one that may have none below it")
        {
            (authority) throws(SimulatorError) in
            try authority.showingSecondIntermediate()
        },
        changed("intermediateNoAuthority", .signedDataIntermediate, "it may not issue any") {
            $0.setExtension(.basicConstraints(isAuthority: false))
        },
        changed("intermediateMayNotSign", .signedDataIntermediate, "its key is not for that") {
            $0.setExtension(.keyUsage([.digitalSignature]))
        },
        changed("intermediateMarkerMissing", .signedDataIntermediate, "its marker is missing") {
            $0.extensions.removeAll { $0.objectIdentifier == OID.wwdrIntermediateMarker }
        },
        changed("intermediateOfTransactions", .signedDataIntermediate, "its marker is another") {
            $0.extensions.removeAll { $0.objectIdentifier == OID.wwdrIntermediateMarker }
            $0.extensions.append(.marker(OID.iTunesStoreIssuerMarker))
        },
        changed("intermediateSignatureBroken", .signedDataIntermediate, "it was altered") {
            $0.flaws.breaksSignature = true
        },
        dated("intermediateExpired", .signedDataIntermediate, "the intermediate was over") {
            $0.notAfter = $1.wholeSecond.advanced(by: .seconds(-1))
        },
        dated(
            "intermediateNotYetValid",
            .signedDataIntermediate,
            "the intermediate was not valid yet"
        ) {
            $0.notBefore = $1.wholeSecond.advanced(by: .seconds(1))
        },
    ]

    /// The signer's certificate is not one of a signer.
    static let ofLeaves: [SignedDataFlaw] = [
        leaf("leafMarkerMissing", "the signer's marker is missing") {
            $0.extensions.removeAll { $0.objectIdentifier == OID.receiptSignerMarker }
        },
        leaf("leafOfDeveloper", "the signer's marker is of a developer") {
            $0.extensions.removeAll { $0.objectIdentifier == OID.receiptSignerMarker }
            $0.extensions.append(.marker(OID.developerMarker))
        },
        leaf("leafIsAuthority", "the signer may issue certificates") {
            $0.setExtension(.basicConstraints(isAuthority: true))
        },
        leaf("leafMayNotSign", "the signer's key is not for signatures") {
            $0.setExtension(.keyUsage([.keyEncipherment]))
        },
        leaf("leafExtensionUnknown", "a critical extension of the signer's is unknown") {
            $0.extensions.append(
                .encoded(ReceiptFlaw.unknownExtension, isCritical: true) { $0.null() }
            )
        },
        leaf("leafIssuerNameWrong", "the signer's issuer is somebody else") {
            $0.flaws.issuerName = .nobody
        },
        leaf("leafSignatureBroken", "the signer's certificate was altered") {
            $0.flaws.breaksSignature = true
        },
        leaf("leafAlgorithmsDiffer", "the signer's names two signature algorithms") {
            $0.flaws.statedDigest = .sha256
        },
        dated("leafExpired", .signedDataSigner, "the signer's certificate was over") {
            $0.notAfter = $1.wholeSecond.advanced(by: .seconds(-1))
        },
        dated("leafNotYetValid", .signedDataSigner, "the signer's certificate was not yet valid") {
            $0.notBefore = $1.wholeSecond.advanced(by: .seconds(1))
        },
    ]

    static func replaced(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (SigningAuthority) throws(SimulatorError) -> SigningAuthority
    ) -> SignedDataFlaw {
        SignedDataFlaw(
            name,
            .certificates,
            reason,
            needs: .appStoreSigner,
            .authority { (authority, _) throws(SimulatorError) in try change(authority) }
        )
    }

    private static func certified(
        _ name: String,
        _ reason: String,
        _ key: @escaping @Sendable () -> CertifiedKey
    ) -> SignedDataFlaw {
        replaced(name, reason) { (authority) throws(SimulatorError) in
            try authority.reissuing(.signedDataSigner, certifying: key())
        }
    }

    private static func changed(
        _ name: String,
        _ role: AuthorityRole,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile) -> Void
    ) -> SignedDataFlaw {
        let subject = role == .signedDataIntermediate ? "of the intermediate's certificate: " : ""
        return replaced(name, subject + reason) { (authority) throws(SimulatorError) in
            try authority.changing(role, change)
        }
    }

    private static func leaf(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile) -> Void
    ) -> SignedDataFlaw {
        changed(name, .signedDataSigner, reason, change)
    }

    /// A flaw of a certificate's validity at the date of signing.
    private static func dated(
        _ name: String,
        _ role: AuthorityRole,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile, Instant) -> Void
    ) -> SignedDataFlaw {
        SignedDataFlaw(
            name,
            .certificates,
            reason + " when it was signed",
            needs: [.appStoreSigner, .signingDate],
            .authority { (authority, signedAt) throws(SimulatorError) in
                try authority.changing(role) { change(&$0, signedAt) }
            }
        )
    }
}

extension SigningAuthority {
    /// This authority with others in the place of the certificates that signed data shows above the
    /// signer's.
    fileprivate func showing(
        intermediate: IssuedCertificate? = nil,
        root: IssuedCertificate? = nil
    ) -> SigningAuthority {
        var authority = self
        authority.shownInSignedData = [
            intermediate ?? self[.signedDataIntermediate].certificate,
            root ?? self[.signedDataRoot].certificate,
        ]
        return authority
    }

    /// This authority with one more intermediate, whose issuer stands in the place of the root.
    fileprivate func showingSecondIntermediate() throws(SimulatorError) -> SigningAuthority {
        let intermediate = self[.signedDataIntermediate]
        var profile = intermediate.certificate.profile
        profile.subject = CertificateProfile.Name(
            commonName: "Apple Worldwide Developer Relations Certification Authority",
            organizationalUnit: "Below",
            organization: "Counterfoil Test"
        )
        let key = try ImpostorKeys.p384()
        let certificate = try profile.certificate(for: key.publicKey, issuedBy: intermediate)
        return try reissuing(
            .signedDataSigner,
            signedBy: SigningIdentity(certificate: certificate, key: key)
        ).showing(intermediate: certificate, root: intermediate.certificate)
    }
}
